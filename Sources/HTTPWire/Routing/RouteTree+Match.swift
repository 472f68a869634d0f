extension RouteTree {
    /// The result of looking up a method and a path.
    public enum Match {
        case found(Int, parameters: PathParameters)
        /// The path exists only for these methods. The response is 405, with the methods in Allow.
        case methodNotAllowed([HTTPMethod])
        case notFound
        /// A segment is not percent-encoded UTF-8. The response is 400.
        case malformed
    }

    /// Finds a route. `path` is raw, with its leading slash.
    public func match(_ method: HTTPMethod, _ path: ArraySlice<UInt8>) -> Match {
        guard path.first == 0x2f else { return .notFound }
        var values: [ArraySlice<UInt8>] = []
        guard let route = find(path.dropFirst(), from: 0, method, values: &values) else {
            let methods = methods(of: path.dropFirst(), from: 0)
            guard methods.isEmpty else { return .methodNotAllowed(Self.allowed(methods)) }
            return Self.isWellFormed(path) ? .notFound : .malformed
        }
        var parameters = PathParameters()
        for (name, value) in zip(route.parameterNames, values) {
            guard let text = PercentDecoding.text(value, plus: .literal) else { return .malformed }
            parameters.add(name, text)
        }
        return .found(route.number, parameters: parameters)
    }

    private func route(_ method: HTTPMethod, at node: Int) -> Route? {
        let routes = nodes[node].routes
        return routes.first { $0.method == method } ?? (method == .head ? routes.first { $0.method == .get } : nil)
    }

    /// The route of a method and a path. The longest pattern limits the depth of the recursion.
    private func find(
        _ path: ArraySlice<UInt8>, from node: Int, _ method: HTTPMethod, values: inout [ArraySlice<UInt8>]
    ) -> Route? {
        let slash = path.firstIndex(of: 0x2f)
        let segment = path[..<(slash ?? path.endIndex)]
        let descend = { (child: Int, values: inout [ArraySlice<UInt8>]) -> Route? in
            guard let slash else { return route(method, at: child) }
            return find(path[(slash + 1)...], from: child, method, values: &values)
        }
        if let child = staticChild(of: node, segment), let found = descend(child, &values) { return found }
        guard let child = nodes[node].parameter, !segment.isEmpty else { return nil }
        values.append(segment)
        if let found = descend(child, &values) { return found }
        values.removeLast()
        return nil
    }

    /// The methods of all routes that match the path.
    private func methods(of path: ArraySlice<UInt8>, from node: Int) -> [HTTPMethod] {
        let slash = path.firstIndex(of: 0x2f)
        let segment = path[..<(slash ?? path.endIndex)]
        let children = [staticChild(of: node, segment), segment.isEmpty ? nil : nodes[node].parameter]
        return children.compactMap(\.self).flatMap { child in
            guard let slash else { return nodes[child].routes.map(\.method) }
            return methods(of: path[(slash + 1)...], from: child)
        }
    }

    /// The child for a static segment. Segments are compared after decoding: `%61pps` is `apps` (RFC 3986 6.2.2.2).
    private func staticChild(of node: Int, _ segment: ArraySlice<UInt8>) -> Int? {
        guard segment.contains(0x25) else {
            // Most segments differ in length.
            return nodes[node].segments.first { $0.name.count == segment.count && $0.name.elementsEqual(segment) }?.node
        }
        guard let decoded = PercentDecoding.bytes(segment, plus: .literal) else { return nil }
        return nodes[node].segments.first { $0.name == decoded }?.node
    }

    private static func isWellFormed(_ path: ArraySlice<UInt8>) -> Bool {
        PercentDecoding.text(path, plus: .literal) != nil
    }

    private static func allowed(_ all: [HTTPMethod]) -> [HTTPMethod] {
        var methods: [HTTPMethod] = []
        for method in all where !methods.contains(method) { methods.append(method) }
        if methods.contains(.get) && !methods.contains(.head) { methods.append(.head) }
        return methods
    }
}
