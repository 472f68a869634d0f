internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// One open stream of a worker. It decides when an event or a heartbeat is sent, and when the stream ends
/// (docs/reference/streams.md#the-event).
final class OpenStream: StreamWriter {
    /// The stream's number in the hub.
    let id: UInt64
    let app: Identifier
    private let holder: StreamTicket.Holder
    private unowned let worker: APIWorker
    private weak var stream: (any ResponseStream)?

    private var isOver = false
    /// Whether an event has to be sent.
    private var isPending: Bool
    /// Times in milliseconds of the worker's clock.
    private var lastEvent = Int64.min
    private var lastBytes: Int64
    private let end: Int64
    private let heartbeat: Int64

    /// An event is sent at most once in this time.
    private static let pace: Int64 = 1_000
    /// How soon a stream whose reader is slow tries again.
    private static let retry: Int64 = 250

    /// - Parameter isPending: whether an event is sent at once.
    init(_ id: UInt64, of app: Identifier, holder: StreamTicket.Holder, isPending: Bool, _ worker: APIWorker) {
        (self.id, self.app, self.holder, self.isPending, self.worker) = (id, app, holder, isPending, worker)
        let settings = worker.settings.streams
        lastBytes = worker.milliseconds
        end = lastBytes + Int64(settings.maximumSeconds) * 1_000
        heartbeat = Int64(settings.heartbeatSeconds) * 1_000
    }

    /// The id of an event that is sent now: it stands for the app's publication and the client's state.
    private var eventID: String? {
        worker.snapshot.apps[app].map { "\($0.publication.digest).\(hub.mark(of: id))" }
    }

    private var hub: StreamHub { worker.services.persistence.feed.streams }

    func streamBegins(_ stream: any ResponseStream) {
        self.stream = stream
        write("retry: \(Int.random(in: 1_000...5_000))\nid: \(eventID ?? "")\n\n", to: stream)
        streamIsDue()
    }

    /// Notes a change. The event is sent in the stream's own turn.
    func change() {
        isPending = true
        wake()
    }

    /// Lets the stream look at its token and its app again.
    func wake() { stream?.wake(afterMilliseconds: 0) }

    func streamIsDue() {
        guard let stream else { return }
        let now = worker.milliseconds
        guard !isOver, now < end, isHeld, let app = worker.snapshot.apps[app] else { return stream.finish() }
        if isPending, now >= lastEvent + Self.pace, !stream.isBlocked, let eventID {
            (isPending, lastEvent) = (false, now)
            let data: JSONValue = [
                "type": "refetchEvaluation", "etag": .string(app.publication.etag),
                "lastModified": .integer(app.publication.lastModified),
            ]
            write("id: \(eventID)\nevent: message\ndata: \(data.text)\n\n", to: stream)
            hub.countEvent()
        }
        if now >= lastBytes + heartbeat, !stream.isBlocked { write(":\n\n", to: stream) }
        stream.wake(afterMilliseconds: max(next(stream.isBlocked) - now, 1))
    }

    private func next(_ isBlocked: Bool) -> Int64 {
        let now = worker.milliseconds
        var next = min(end, isBlocked ? now + Self.retry : lastBytes + heartbeat)
        if isPending { next = min(next, isBlocked ? now + Self.retry : lastEvent + Self.pace) }
        if let expires { next = min(next, expires) }
        return next
    }

    /// Whether the token or the session with which the stream was opened is still valid.
    var isHeld: Bool {
        // While the node is behind, a token that it does not know may be valid.
        do { return try worker.principal(of: holder, at: worker.services.clock.now()) != nil } catch { return true }
    }

    /// The time at which the token or the session expires; nil if it does not.
    private var expires: Int64? {
        guard let principal = try? worker.principal(of: holder, at: worker.services.clock.now()),
            let expires = principal.expires
        else { return nil }
        return worker.milliseconds + max(expires.milliseconds - worker.services.clock.now().milliseconds, 0)
    }

    private func write(_ text: String, to stream: any ResponseStream) {
        lastBytes = worker.milliseconds
        stream.send(Array(text.utf8))
    }

    /// Closes the stream. The random time makes readers come back at different times.
    func serverDrains() {
        guard let stream else { return }
        write("retry: \(Int.random(in: 1_000...30_000))\n\n", to: stream)
        stream.finish()
    }

    /// Ends the stream in its own turn, because its client has opened others.
    func giveWay() {
        isOver = true
        wake()
    }

    func streamEnded() { worker.streams.remove(self) }
}

/// The open streams of a worker.
final class StreamTable {
    private(set) var all: [UInt64: OpenStream] = [:]
    private let hub: StreamHub

    init(_ hub: StreamHub) { self.hub = hub }

    func insert(_ stream: OpenStream) { all[stream.id] = stream }

    func remove(_ stream: OpenStream) {
        all[stream.id] = nil
        hub.close(stream.id)
    }

    func take(_ notice: StreamHub.Notice) {
        guard !all.isEmpty else { return }
        for id in notice.changed { all[id]?.change() }
        for id in notice.ended { all[id]?.giveWay() }
    }

    /// Follows another snapshot, other settings or other tokens.
    func follow(_ former: Snapshot, _ present: Snapshot) {
        for stream in all.values {
            let (old, new) = (former.apps[stream.app]?.publication, present.apps[stream.app]?.publication)
            if old != new { stream.change() } else if !stream.isHeld { stream.wake() }
        }
    }
}
