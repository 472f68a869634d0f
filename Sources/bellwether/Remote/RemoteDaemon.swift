internal import BellwetherJSON
internal import Foundation

/// A running daemon, as the commands speak to it: one request, and its whole response.
///
/// A refusal of the daemon is thrown, in its own words; the command then ends with 1
/// (docs/reference/http-api.md#commands-that-ask-a-daemon).
struct RemoteDaemon {
    let url: URL
    /// Nil for a daemon that asks for none (`--dev`).
    let token: String?
    private let connection: RemoteConnection

    init(url: URL, token: String?) throws(RemoteFailure) {
        self.url = url
        self.token = token
        connection = try RemoteConnection(to: url)
    }

    /// Sends a request and waits for the response; only a 2xx returns.
    @discardableResult
    func send(_ request: RemoteRequest) throws(RemoteFailure) -> RemoteResponse {
        let authorization = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let response = try connection.exchange(request, at: try target(of: request), headers: authorization)
        guard (200...299).contains(response.status) else { throw .refused(response) }
        return response
    }

    /// Sends a request; its response as JSON.
    func json(_ request: RemoteRequest) throws(RemoteFailure) -> JSONValue { try send(request).json() }

    private func target(of request: RemoteRequest) throws(RemoteFailure) -> URL {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { throw .unusable(url) }
        let base = components.percentEncodedPath
        components.percentEncodedPath = (base.hasSuffix("/") ? String(base.dropLast()) : base) + request.target.path
        components.percentEncodedQuery = request.target.query
        guard let target = components.url else { throw .unusable(url) }
        return target
    }
}
