internal import HTTPWire

/// All that one thread owns: its loop, its listener, its connections and its responder.
///
/// Made, used and freed on one thread, and not Sendable, so that the compiler keeps it on its thread; other threads
/// reach it through its mailbox.
final class Worker {
    let base: EventBase
    let limits: Limits
    /// How many connections the kernel may keep for this worker.
    let backlog: Int
    let mailbox: Mailbox<WorkerMessage>
    let counters: WorkerCounters
    let connectionCount: ConnectionCount
    let buffered: BufferedBytes
    /// Of that, what this worker's connections keep.
    var bufferedBytes = 0

    /// Nil before the start and after the end.
    var responder: (any Responder)?
    var isDraining = false
    /// Whether the drain ended before its deadline.
    var finishedInTime = true

    /// Bytes read just now, of whichever connection. What cannot be used at once moves to the connection.
    var input = ReceiveBuffer(capacity: 32_768)
    /// Answers of the current connection, sent together.
    var output: [UInt8] = []
    var encoder = ResponseEncoder(idPrefix: UInt64.random(in: .min ... .max))
    /// The connection whose answers go to `output`.
    var current: Connection?
    /// Connections that were answered while another one was current.
    var answered: [Connection] = []

    var table = ConnectionTable()
    var parked: [UInt64: Parked] = [:]
    var lastParkedID: UInt64 = 0

    /// Milliseconds of the monotonic clock, as of the callback that is running.
    var now = Clock.milliseconds
    var wheel = TimerWheel(now: Clock.milliseconds)
    /// For when the wheel's timer is set, in milliseconds.
    var timerDue = Int64.max

    let listener: ListeningSocket
    var listenerEvent: Event?
    var mailboxEvent: Event?
    var wheelTimer: Event?
    var listenerTimer: Event?
    var drainTimer: Event?

    init(_ plan: WorkerPlan) throws(ServerError) {
        base = try EventBase()
        limits = plan.settings.limits
        backlog = plan.settings.backlog
        mailbox = plan.mailbox
        counters = plan.counters
        connectionCount = plan.connectionCount
        buffered = plan.buffered
        listener = plan.listener
        try makeEvents()
        responder = plan.makeResponder(self, plan.index)
    }

    private func makeEvents() throws(ServerError) {
        listenerEvent = try Event(base, .read(listener.descriptor), context: self) { _, _, context in
            Worker.from(context)?.accept()
        }
        mailboxEvent = try Event(base, .read(mailbox.descriptor), priority: .mailbox, context: self) { _, _, context in
            Worker.from(context)?.readMail()
        }
        wheelTimer = try Event(base, .timer, context: self) { _, _, context in Worker.from(context)?.turnWheel() }
        listenerTimer = try Event(base, .timer, context: self) { _, _, context in
            Worker.from(context)?.resumeAccepting()
        }
        drainTimer = try Event(base, .timer, context: self) { _, _, context in Worker.from(context)?.endDrain() }
        mailboxEvent?.add()
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Worker? {
        context.map { Unmanaged<Worker>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs until the drain is over, then frees everything.
    func run() {
        base.run()
        for connection in table.all { connection.close() }
        for message in mailbox.close() {
            if case .broadcast(_, let acknowledgement) = message { acknowledgement.acknowledge() }
        }
        parked = [:]
        // The responder may hold this worker.
        responder = nil
        listenerEvent = nil
        mailboxEvent = nil
        wheelTimer = nil
        listenerTimer = nil
        drainTimer = nil
        listener.close()
    }

    /// Called first in every callback.
    func readClocks() {
        now = Clock.milliseconds
        encoder.setTime(Clock.epochSeconds)
    }

    /// Called last in every callback: sends what was answered out of turn.
    func settle() {
        while let connection = answered.popLast() { connection.flushAnswered() }
    }
}
