internal import BellwetherJSON
internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// A running daemon, as the commands speak to it: one request, and its whole answer.
///
/// What the daemon refuses is thrown, in its own words; the command then ends with 1 (api.md 5).
struct RemoteDaemon {
    let url: URL
    /// Nil for a daemon that asks for none (`--dev`).
    let token: String?
    private let connections = RemoteConnections()

    init(url: URL, token: String?) {
        self.url = url
        self.token = token
    }

    /// Sends a request and waits for the answer; only a 2xx returns.
    @discardableResult
    func send(_ request: RemoteRequest) throws(RemoteFailure) -> RemoteAnswer {
        let answer = try exchange(try urlRequest(request))
        guard (200...299).contains(answer.status) else { throw .refused(answer) }
        return answer
    }

    /// Sends a request; its answer as JSON.
    func json(_ request: RemoteRequest) throws(RemoteFailure) -> JSONValue { try send(request).json() }

    private func urlRequest(_ request: RemoteRequest) throws(RemoteFailure) -> URLRequest {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { throw .unusable(url) }
        let base = components.percentEncodedPath
        components.percentEncodedPath = (base.hasSuffix("/") ? String(base.dropLast()) : base) + request.target.path
        components.percentEncodedQuery = request.target.query
        guard let target = components.url else { throw .unusable(url) }
        var result = URLRequest(url: target, timeoutInterval: request.seconds)
        result.httpMethod = request.method
        result.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { result.setValue(value, forHTTPHeaderField: name) }
        if let token { result.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return result
    }

    private func exchange(_ request: URLRequest) throws(RemoteFailure) -> RemoteAnswer {
        let arrived = DispatchSemaphore(value: 0)
        let outcome = Mutex<Result<RemoteAnswer, RemoteFailure>>(.failure(.unreachable(url, "no answer")))
        // The semaphore orders the two threads; the mutex is what the compiler sees of it.
        let task = connections.session.dataTask(with: request) { [url] data, response, error in
            outcome.withLock {
                if let response = response as? HTTPURLResponse {
                    $0 = .success(RemoteAnswer(response, data))
                } else if let error {
                    $0 = .failure(.unreachable(url, error.localizedDescription))
                }
            }
            arrived.signal()
        }
        task.resume()
        arrived.wait()
        return try outcome.withLock { $0 }.get()
    }
}

/// One request after another goes over one connection.
///
/// That matters to who waits: on a connection that it has just made, Foundation's client for Linux asks all the time
/// whether it could send, for as long as no answer comes.
private final class RemoteConnections: Sendable {
    let session = URLSession(configuration: .ephemeral, delegate: RedirectRefusal(), delegateQueue: nil)

    deinit { session.invalidateAndCancel() }
}

/// A token goes to the daemon that was named, and nowhere it points to.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
