internal import BellwetherCore
internal import BellwetherJSON
internal import HTTPWire

/// A request of a call to another route of the daemon (`Call.ask`).
struct RouteRequest {
    let method: HTTPMethod
    /// The path without its slashes, before encoding.
    let path: [Identifier]
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: JSONValue?

    /// Example: `RouteRequest(.get, "v1", "apps", app, "recipes")`.
    init(_ method: HTTPMethod, _ path: Identifier...) { self.init(method, path: path) }

    init(_ method: HTTPMethod, path: [Identifier]) { (self.method, self.path) = (method, path) }

    /// The same with a JSON body.
    func with(body: JSONValue) -> RouteRequest {
        var request = self
        request.body = body
        request.headers.append(("Content-Type", "application/json"))
        return request
    }

    /// The same with one more parameter; unchanged if the value is nil.
    func with(_ name: String, _ value: String?) -> RouteRequest {
        guard let value else { return self }
        var request = self
        request.query.append((name, value))
        return request
    }

    func with(header name: String, _ value: String) -> RouteRequest {
        var request = self
        request.headers.append((name, value))
        return request
    }

    /// The request; nil if it cannot be sent, for example because a name makes the target too long.
    var request: Request? {
        guard !path.contains("") else { return nil }
        let query = query.map { "\(PercentEncoding.queryValue($0.name))=\(PercentEncoding.queryValue($0.value))" }
        let target = query.isEmpty ? encodedPath : encodedPath + "?" + query.joined(separator: "&")
        return try? Request(method, target, headers: headers, body: body?.encoded ?? [])
    }

    var encodedPath: String { path.map { "/" + PercentEncoding.queryValue($0.text) }.joined() }
}

extension Response {
    /// The body in one piece.
    var content: [UInt8] {
        switch body {
        case .empty: []
        case .bytes(let bytes): bytes
        case .pieces(let pieces): pieces.flatMap(\.self)
        }
    }
}
