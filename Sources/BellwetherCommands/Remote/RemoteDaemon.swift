package import BellwetherJSON
package import FoundationEssentials

/// A running daemon, for commands: each request gets its whole response.
///
/// A refusal of the daemon is thrown with the daemon's own text. The command then exits with 1
/// (docs/reference/http-api.md#commands-that-ask-a-daemon).
package struct RemoteDaemon {
    package let url: URL
    /// The token; nil for a daemon that needs none (`--dev`).
    package let token: String?
    private let connection: RemoteConnection

    package init(url: URL, token: String?) throws(RemoteFailure) {
        self.url = url
        self.token = token
        connection = try RemoteConnection(to: url)
    }

    /// The address without a slash at its end.
    package var address: String {
        let text = url.absoluteString
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Sends a request and waits for the response. Returns only if the status is 2xx.
    @discardableResult
    package func send(_ request: RemoteRequest) throws(RemoteFailure) -> RemoteResponse {
        let authorization = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let response = try connection.exchange(request, at: try target(of: request), headers: authorization)
        guard (200...299).contains(response.status) else { throw .refused(response) }
        return response
    }

    /// Sends a request and returns its response as JSON.
    package func json(_ request: RemoteRequest) throws(RemoteFailure) -> JSONValue { try send(request).json() }

    private func target(of request: RemoteRequest) throws(RemoteFailure) -> URL {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { throw .unusable(url) }
        let base = components.percentEncodedPath
        components.percentEncodedPath = (base.hasSuffix("/") ? String(base.dropLast()) : base) + request.target.path
        components.percentEncodedQuery = request.target.query
        guard let target = components.url else { throw .unusable(url) }
        return target
    }
}
