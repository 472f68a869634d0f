/// Finds the number of the route for a method and path.
public struct RouteTree: Sendable {
    /// A node in the tree of segments.
    struct Node: Sendable {
        var segments: [(name: [UInt8], node: Int)] = []
        var parameter: Int?
        var routes: [Route] = []
    }

    struct Route: Sendable {
        let method: HTTPMethod
        /// The index in the list of routes from which the tree was created.
        let number: Int
        /// The names of the parameters, in the order of the path.
        let parameterNames: [String]
    }

    private(set) var nodes = [Node()]

    /// Creates a tree. If two routes have the same method and shape, the first one is used.
    public init(_ routes: [(HTTPMethod, String)]) {
        for (number, (method, pattern)) in routes.enumerated() { add(method, pattern, number) }
    }

    private mutating func add(_ method: HTTPMethod, _ pattern: String, _ number: Int) {
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
        nodes[node].routes.append(Route(method: method, number: number, parameterNames: names))
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
