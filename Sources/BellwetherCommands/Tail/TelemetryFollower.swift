internal import BellwetherJSON
internal import FoundationEssentials
internal import Glibc

/// Follows an app's log through restarts of the daemon: each record is delivered exactly once.
struct TelemetryFollower {
    /// The position at which to begin.
    enum Start {
        case cursor(String)
        /// This number of records before the end.
        case last(Int)
    }

    private static let waitSeconds = 60
    private static let pageLimit = 1000

    let daemon: RemoteDaemon
    let app: String
    /// The filters by the parameters of the route.
    let filters: [(name: String, values: [String])]

    /// Follows the log, and never returns. Throws failures that a retry cannot repair, and any failure of the first
    /// request.
    func follow(from start: Start, _ deliver: (RemoteResponse) throws -> Void) throws -> Never {
        var retries = Retries(daemon.url)
        // The first request does not wait: records that arrive while a daemon restarts must come after a known cursor.
        var page = try daemon.send(request(start))
        while true {
            try deliver(page)
            page = try next(after: page.header("Bellwether-Next") ?? "", &retries)
        }
    }

    /// The next page, after the daemon is available.
    private func next(after cursor: String, _ retries: inout Retries) throws(RemoteFailure) -> RemoteResponse {
        let request = request(.cursor(cursor))
        var waiting = request.with("wait", "\(Self.waitSeconds)")
        waiting.seconds += Double(Self.waitSeconds)
        // While the daemon is lost, requests do not wait, so its return is reported at once.
        var isConnected = true
        while true {
            let asked = ContinuousClock.now
            do throws(RemoteFailure) {
                let page = try daemon.send(isConnected ? waiting : request)
                retries.succeed()
                let isNothing = page.body.isEmpty && page.header("Bellwether-Next") == cursor
                guard isNothing else { return page }
                // A draining daemon responds at once. It will stop, and may start again.
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

/// Waits between attempts, longer each time. Prints when the daemon is lost and when it is back.
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
        usleep(UInt32(seconds * 1_000_000))
        seconds = min(2 * seconds, Self.longest)
    }

    mutating func succeed() {
        if isLost { StandardError.write("\(url) is there again.") }
        (isLost, seconds) = (false, Self.shortest)
    }
}

extension RemoteFailure {
    /// Whether the same request may succeed later.
    fileprivate var isTransient: Bool {
        switch self {
        case .unreachable: true
        case .refused(let answer): answer.status == 408 || answer.status == 429 || answer.status >= 500
        case .unusable, .noLibrary, .unreadable: false
        }
    }
}
