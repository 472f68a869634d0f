internal import BellwetherCore
package import BellwetherJSON

/// A request of a command to a running daemon.
package struct RemoteRequest {
    package let method: String
    /// The path without its slashes. Each part is percent-encoded separately.
    package let path: [String]
    package var query: [(name: String, value: String)] = []
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8]?
    /// The longest time without a byte. A request that waits (`wait=60`) needs more.
    package var seconds = 30.0

    /// Example: `RemoteRequest("GET", "v1", "apps", app, "recipes")`.
    package init(_ method: String, _ path: String...) { self.init(method, path: path) }

    package init(_ method: String, path: [String]) {
        self.method = method
        self.path = path
    }

    /// The same with a JSON body.
    package func with(json: JSONValue) -> RemoteRequest { with(json: json.encoded) }

    /// The same with a document in its author's form.
    package func with(json text: [UInt8]) -> RemoteRequest {
        var request = self
        request.body = text
        request.headers.append(("Content-Type", "application/json"))
        return request
    }

    /// The same with one more header field; unchanged if it is nil.
    package func with(header: (name: String, value: String)?) -> RemoteRequest {
        guard let header else { return self }
        var request = self
        request.headers.append(header)
        return request
    }

    /// The same with one more query item; unchanged if the value is nil.
    package func with(_ name: String, _ value: String?) -> RemoteRequest {
        guard let value else { return self }
        var request = self
        request.query.append((name, value))
        return request
    }

    /// The percent-encoded target below the daemon's URL.
    package var target: (path: String, query: String?) {
        let encode = PercentEncoding.queryValue
        let path = path.map { "/" + encode($0) }.joined()
        let query = query.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
        return (path, query.isEmpty ? nil : query)
    }
}
