internal import BellwetherJSON
internal import Foundation

/// Follows an app's log through restarts of the daemon: no record is missed, none comes twice.
struct TelemetryFollower {
    /// Where to begin.
    enum Start {
        case cursor(String)
        /// So many records before the end.
        case last(Int)
    }

    private static let waitSeconds = 60
    private static let pageLimit = 1000

    let daemon: RemoteDaemon
    let app: String
    /// By the parameters of the route.
    let filters: [(name: String, values: [String])]

    /// Never returns. Throws what waiting does not heal, and what keeps the very first answer from coming.
    func follow(from start: Start, _ deliver: (RemoteResponse) throws -> Void) throws -> Never {
        var retries = Retries(daemon.url)
        // Does not wait: what comes while a daemon restarts must lie behind a cursor that is known.
        var page = try daemon.send(request(start))
        while true {
            try deliver(page)
            page = try next(after: page.header("Bellwether-Next") ?? "", &retries)
        }
    }

    /// The next page, whenever the daemon is there to give it.
    private func next(after cursor: String, _ retries: inout Retries) throws(RemoteFailure) -> RemoteResponse {
        let request = request(.cursor(cursor))
        var waiting = request.with("wait", "\(Self.waitSeconds)")
        waiting.seconds += Double(Self.waitSeconds)
        // A lost daemon is asked without waiting, so that its return is shown at once.
        var isConnected = true
        while true {
            let asked = ContinuousClock.now
            do throws(RemoteFailure) {
                let page = try daemon.send(isConnected ? waiting : request)
                retries.succeed()
                let isNothing = page.body.isEmpty && page.header("Bellwether-Next") == cursor
                guard isNothing else { return page }
                // A daemon that drains answers at once; it will be gone, and perhaps come back.
                if isConnected, ContinuousClock.now - asked < .seconds(1) { retries.pause() }
                isConnected = true
            } catch {
                guard error.isTransient else { throw error }
                retries.fail(error)
                isConnected = false
            }
        }
    }

    private func request(_ start: Start) -> RemoteRequest {
        var request = RemoteRequest("GET", "v1", "apps", app, "telemetry").with("limit", "\(Self.pageLimit)")
        switch start {
        case .cursor(let cursor): request = request.with("after", cursor)
        case .last(let count): request = request.with("last", "\(count)")
        }
        for filter in filters {
            for value in filter.values { request = request.with(filter.name, value) }
        }
        return request
    }
}

/// Waits between attempts, each time longer, and prints when the daemon is lost and when it is back.
private struct Retries {
    private static let shortest = 0.25
    private static let longest = 15.0

    private let url: URL
    private var seconds = Retries.shortest
    private var isLost = false

    init(_ url: URL) { self.url = url }

    mutating func fail(_ failure: RemoteFailure) {
        if !isLost { StandardError.write("\(failure.description.plain) Trying again.") }
        isLost = true
        pause()
    }

    mutating func pause() {
        Thread.sleep(forTimeInterval: seconds)
        seconds = min(2 * seconds, Self.longest)
    }

    mutating func succeed() {
        if isLost { StandardError.write("\(url) is there again.") }
        (isLost, seconds) = (false, Self.shortest)
    }
}

extension RemoteFailure {
    /// Whether the same request may be answered later.
    fileprivate var isTransient: Bool {
        switch self {
        case .unreachable: true
        case .refused(let answer): answer.status == 408 || answer.status == 429 || answer.status >= 500
        case .unusable, .noLibrary, .unreadable: false
        }
    }
}
