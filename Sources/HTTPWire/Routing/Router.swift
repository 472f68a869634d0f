/// Finds the endpoint of a method and path. Routes are data: built once, then only read.
///
/// A pattern is a path of static segments and parameters: `/v1/apps/{app}/messages`. A static segment wins over a
/// parameter at the same position; if it leads to no route of the method the parameter is tried. HEAD falls to the GET
/// route.
///
/// The search is `RouteTree`'s, which is not generic: unspecialized generic code would build its types at each match.
public struct Router<Endpoint> {
    @usableFromInline let tree: RouteTree
    @usableFromInline let endpoints: [Endpoint]

    /// The result of looking up a method and a path.
    public enum Match {
        case found(Endpoint, parameters: PathParameters)
        /// The path exists for these methods only: 405, and the value of Allow.
        case methodNotAllowed([HTTPMethod])
        case notFound
        /// A segment that is not percent-encoded UTF-8: 400.
        case malformed
    }

    /// If two routes have the same method and shape, the first one is used.
    public init(_ routes: [(HTTPMethod, String, Endpoint)]) {
        tree = RouteTree(routes.map { ($0.0, $0.1) })
        endpoints = routes.map(\.2)
    }

    /// `path` is raw, with its leading slash.
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
