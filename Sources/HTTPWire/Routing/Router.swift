/// Finds the endpoint for a method and path. Routes are data: they are created once, and then only read.
///
/// A pattern is a path of static segments and parameters: `/v1/apps/{app}/messages`. A static segment takes precedence
/// over a parameter at the same position. If it leads to no route of the method, the parameter is tried. A HEAD request
/// without its own route uses the GET route.
///
/// `RouteTree` does the search. It is not generic, because unspecialized generic code would create its types at each
/// match.
public struct Router<Endpoint> {
    @usableFromInline let tree: RouteTree
    @usableFromInline let endpoints: [Endpoint]

    /// The result of looking up a method and a path.
    public enum Match {
        case found(Endpoint, parameters: PathParameters)
        /// The path exists only for these methods. The response is 405, with the methods in Allow.
        case methodNotAllowed([HTTPMethod])
        case notFound
        /// A segment is not percent-encoded UTF-8. The response is 400.
        case malformed
    }

    /// Creates a router. If two routes have the same method and shape, the first one is used.
    public init(_ routes: [(HTTPMethod, String, Endpoint)]) {
        tree = RouteTree(routes.map { ($0.0, $0.1) })
        endpoints = routes.map(\.2)
    }

    /// Finds an endpoint. `path` is raw, with its leading slash.
    @inlinable
    public func match(_ method: HTTPMethod, _ path: ArraySlice<UInt8>) -> Match {
        switch tree.match(method, path) {
        case .found(let number, let parameters): .found(endpoints[number], parameters: parameters)
        case .methodNotAllowed(let methods): .methodNotAllowed(methods)
        case .notFound: .notFound
        case .malformed: .malformed
        }
    }
}

extension Router: Sendable where Endpoint: Sendable {}
