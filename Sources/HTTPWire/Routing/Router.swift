/// Finds the endpoint of a method and path. Routes are data: built once, then only read.
///
/// A pattern is a path of static segments and parameters: `/v1/apps/{app}/messages`. A static segment wins over a
/// parameter at the same place; if it leads nowhere the parameter is tried. HEAD falls to the GET route.
public struct Router<Endpoint> {
    /// One place in the tree of segments.
    struct Node {
        var segments: [(name: [UInt8], node: Int)] = []
        var parameter: Int?
        var routes: [Route] = []
    }

    struct Route {
        let method: HTTPMethod
        let endpoint: Endpoint
        /// In the order in which they stand in the path.
        let parameterNames: [String]
    }

    private(set) var nodes = [Node()]

    /// A later route of the same method and shape is never reached.
    public init(_ routes: [(HTTPMethod, String, Endpoint)]) {
        for (method, pattern, endpoint) in routes { add(method, pattern, endpoint) }
    }

    private mutating func add(_ method: HTTPMethod, _ pattern: String, _ endpoint: Endpoint) {
        var node = 0
        var names: [String] = []
        for segment in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            if segment.hasPrefix("{") && segment.hasSuffix("}") {
                names.append(String(segment.dropFirst().dropLast()))
                node = child(of: node)
            } else {
                node = child(of: node, named: Array(segment.utf8))
            }
        }
        nodes[node].routes.append(Route(method: method, endpoint: endpoint, parameterNames: names))
    }

    private mutating func child(of node: Int) -> Int {
        if let existing = nodes[node].parameter { return existing }
        nodes.append(Node())
        nodes[node].parameter = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func child(of node: Int, named name: [UInt8]) -> Int {
        if let existing = nodes[node].segments.first(where: { $0.name == name }) { return existing.node }
        nodes.append(Node())
        nodes[node].segments.append((name: name, node: nodes.count - 1))
        return nodes.count - 1
    }
}

extension Router: Sendable where Endpoint: Sendable {}
extension Router.Node: Sendable where Endpoint: Sendable {}
extension Router.Route: Sendable where Endpoint: Sendable {}
