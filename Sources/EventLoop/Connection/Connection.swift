internal import CLibevent
internal import HTTPWire

/// One client's connection: reads requests one at a time, gives each to the responder, sends the answers in order.
///
/// Belongs to its worker and its thread. Nothing is read while an answer waits for a slow client, and nothing is parsed
/// while an exchange is unanswered: so answers keep the order of requests, and a request sees the effects of the one
/// before it.
final class Connection: ReplySlot {
    enum Phase {
        case open
        /// The last answer is written; the connection ends when it has been sent.
        case closing
        /// Waits until the client has received the last answer; what the client still sends is discarded.
        case lingering
        case closed
    }

    /// What a read deadline is for.
    enum Reading { case idle, head, content }

    let worker: Worker
    let handle: ConnectionHandle
    let descriptor: Int32
    let peer: PeerAddress
    /// False for a connection above the limit, which is only turned away.
    let isCounted: Bool

    var phase = Phase.open
    var readEvent: Event?
    var writeEvent: Event?
    var isReading = false
    var isWriting = false
    /// The client has shut down its side, or closed altogether: no way to tell.
    var peerHasFinished = false

    var parser: RequestParser
    /// Received and not parsed: part of a request, or requests behind an unanswered one. Empty on an idle connection.
    var held = ReceiveBuffer()
    /// All bytes that were received, and how many had arrived when the drain began.
    var receivedBytes = 0
    var bytesBeforeDrain = 0
    /// Set while requests are taken out of the worker's buffer, which is then this connection's.
    var isParsingShared = false
    /// Set while an exchange is unanswered.
    var awaiting: ReplyContext?
    /// The worker's number for that exchange if it is parked there.
    var parkedID: UInt64?
    /// Answers that the kernel did not take yet.
    var pending = PendingOutput()
    /// The content of the request that is unanswered.
    var contentBytes = 0
    /// What is counted of this connection in `BufferedBytes`.
    var bufferedBytes = 0
    /// Since when that is more than a head.
    var bufferedSince: Int64 = 0

    var reading = Reading.idle
    /// Absolute times in milliseconds, like all deadlines here; `Int64.max` is never.
    var readDeadline = Int64.max
    var contentStart = Int64.max
    var parkDeadline = Int64.max
    var writeDeadline = Int64.max
    var lingerDeadline = Int64.max
    /// The tick of the worker's timer wheel in which this connection is called.
    var scheduledTick = Int64.max

    init(_ worker: Worker, _ descriptor: Int32, _ peer: PeerAddress, isCounted: Bool) throws(ServerError) {
        self.worker = worker
        self.descriptor = descriptor
        self.peer = peer
        self.isCounted = isCounted
        handle = worker.table.next
        parser = RequestParser(worker.limits.wire)
        super.init()
        readEvent = try Event(worker.base, .read(descriptor), context: self) { _, _, context in
            Connection.from(context)?.becameReadable()
        }
    }

    override func reply(_ response: Response) { write(response) }

    /// A responder dropped an exchange; or the connection is closed, and the exchange is discarded.
    override func abandon() {
        guard awaiting != nil && phase == .open else { return }
        worker.counters.unanswered.count()
        write(.problem(Problem(500, "The request was left without an answer.")))
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Connection? {
        context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Starts waiting for the first request.
    func start() { settleState() }

    /// Answers that there are too many connections, and ends.
    func turnAway() {
        turn {
            let problem = Problem(503, "There are too many connections.").adding("Retry-After", "1")
            finish(with: .problem(problem))
        }
    }

    /// Runs a block on this connection, sends all answers that it gave in one write, and waits for the next event.
    func turn(_ work: () -> Void) {
        worker.current = self
        work()
        flush()
        worker.current = nil
        settleState()
    }

    /// Continues with the next requests after a parked exchange was answered.
    func proceed(_ work: () -> Void) {
        parkedID = nil
        parkDeadline = .max
        turn {
            work()
            parse(from: .held)
        }
    }
}
