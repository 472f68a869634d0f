internal import BellwetherBase
public import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Requests over URLSession, without cookies and caches.
public struct URLSessionTransport: Transport {
    private let root: String
    private let token: String?
    private let session: URLSession

    /// - Parameters:
    ///   - address: the daemon's address: `https://bellwether.example.com`.
    ///   - token: a token with the scope `client`; nil for a daemon that needs none.
    ///   - patience: the seconds after which a request without a response has failed.
    public init(address: URL, app: String, token: String? = nil, patience: Double = 15) {
        var base = address.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        root = base + "/v1/apps/" + TransportRequest.encoded(app) + "/"
        self.token = token
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = patience
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        session = URLSession(configuration: configuration)
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = URL(string: root + request.target) else { throw URLError(.badURL) }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        message.setValue("application/json", forHTTPHeaderField: "Accept")
        if let token { message.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body = request.body {
            message.setValue("application/json", forHTTPHeaderField: "Content-Type")
            message.httpBody = Data(body)
        }
        let (data, response) = try await session.data(for: message)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return TransportResponse(
            status: response.statusCode, body: Array(data), entityTag: response.value(forHTTPHeaderField: "ETag"),
            retryAfter: response.value(forHTTPHeaderField: "Retry-After").flatMap { Int64($0) })
    }
}

extension BellwetherClient {
    /// Creates the client of an app, which keeps its files in a folder and uses the system's clock.
    ///
    /// - Parameter folder: a folder of the app's own, such as `bellwether` in Application Support.
    public init(
        address: URL, app: String, token: String? = nil, folder: URL,
        configuration: ClientConfiguration = ClientConfiguration()
    ) throws {
        self.init(
            configuration, transport: URLSessionTransport(address: address, app: app, token: token),
            storage: try FileStorage(folder: folder), clock: { Timestamp.system })
    }
}

extension Timestamp {
    /// The time of the system's clock.
    fileprivate static var system: Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }
}
