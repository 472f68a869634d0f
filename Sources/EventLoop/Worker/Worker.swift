internal import CLibevent
internal import Glibc
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
    /// The part of it that this worker's connections keep.
    var bufferedBytes = 0

    /// Nil before the start and after the end.
    var responder: (any Responder)?
    var isDraining = false
    /// Whether the drain ended before its deadline.
    var finishedInTime = true

    /// Bytes read just now, of whichever connection. Bytes that cannot be used at once move to the connection.
    var input = ReceiveBuffer(capacity: 32_768)
    /// Responses of the current connection, sent together.
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

extension Worker {
    /// Accepts at most so many in one turn, so that a flood of new connections does not starve the open ones.
    private static let acceptBatch = 16
    /// How long the worker stops accepting when the process has no descriptors left.
    private static let acceptPause: Int64 = 100
    /// Connections that only get the response that there are too many, and are then read until the client has seen it.
    static let refusedAtOnce = 32

    private enum Accepted { case connection, none, exhausted }

    /// Listens and accepts from now on.
    func startAccepting() throws(ServerError) {
        guard listener.listen(backlog: backlog), listenerEvent?.add() == true else {
            throw .resources("a listening socket")
        }
    }

    func accept() {
        readClocks()
        for _ in 0..<Self.acceptBatch {
            switch acceptOne() {
            case .connection: continue
            case .none: return settle()
            case .exhausted:
                // The listener stays readable: without a pause this loop would spin.
                counters.reject("accept_failed")
                listenerEvent?.remove()
                listenerTimer?.add(milliseconds: Self.acceptPause)
                return settle()
            }
        }
        settle()
    }

    func resumeAccepting() {
        guard !isDraining else { return }
        listenerEvent?.add()
    }

    /// Accepts the connections that the kernel has completed already, then stops listening, so that none of them is
    /// reset.
    func stopAccepting() {
        listenerEvent = nil
        // Bounded, because new ones may arrive as fast as they are accepted.
        for _ in 0..<(2 * max(backlog, 1)) where acceptOne() != .connection { break }
        listener.close()
    }

    private func acceptOne() -> Accepted {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = withUnsafeMutableBytes(of: &address) { bytes in
            accept4(listener.descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length, flags)
        }
        guard descriptor < 0 else {
            admit(descriptor, PeerAddress(address))
            return .connection
        }
        switch errno {
        case EAGAIN: return .none
        // The client closed its connection, or a signal came: there may be more connections.
        case ECONNABORTED, EINTR, EPROTO: return .connection
        default: return .exhausted
        }
    }

    private func admit(_ descriptor: Int32, _ peer: PeerAddress) {
        let isCounted = connectionCount.enter()
        if isCounted {
            counters.accepted.count()
        } else {
            counters.refused.count()
        }
        let isCrowded = !isCounted && table.count - counters.open.value >= Self.refusedAtOnce
        guard !isCrowded, let connection = try? Connection(self, descriptor, peer, isCounted: isCounted)
        else {
            _ = close(descriptor)
            if isCounted { connectionCount.leave() }
            return
        }
        table.insert(connection)
        if isCounted {
            counters.open.count()
            connection.start()
        } else {
            connection.turnAway()
        }
    }
}

extension Worker {
    /// Makes sure that the connection is called when its deadline has passed.
    func schedule(_ connection: Connection) {
        let tick = wheel.tick(for: connection.deadline)
        guard connection.deadline != .max, tick < connection.scheduledTick else { return }
        connection.scheduledTick = tick
        wheel.insert(connection.handle, at: tick)
        let due = tick << TimerWheel.tickBits
        if due < timerDue { setTimer(due) }
    }

    func turnWheel() {
        readClocks()
        timerDue = .max
        while let (tick, handles) = wheel.takeDue(now: now) {
            for handle in handles {
                // The entry is obsolete: the connection has an earlier one, or is gone.
                guard let connection = table[handle], connection.scheduledTick == tick else { continue }
                connection.scheduledTick = .max
                if connection.deadline <= now {
                    connection.expire()
                } else {
                    schedule(connection)
                }
            }
        }
        settle()
        if let due = wheel.nextDue, due < timerDue { setTimer(due) }
    }

    private func setTimer(_ due: Int64) {
        timerDue = due
        // One more millisecond, because the timer's clock is finer than the coarse one that is read then.
        wheelTimer?.add(milliseconds: due - now + 1)
    }
}

extension Worker {
    /// Stops accepting, ends all waits, closes what is and stays idle, and ends the loop when the last connection is
    /// gone.
    func beginDrain() {
        guard !isDraining else { return }
        isDraining = true
        drainTimer?.add(milliseconds: limits.drainSeconds.milliseconds)
        stopAccepting()
        let connections = table.all
        for connection in connections { connection.noteDrain() }
        for id in parked.keys.sorted() where parked[id]?.hasWait == true { unpark(id) { $0.expire() } }
        for connection in connections { connection.beginDrain() }
        endIfDrained()
    }

    /// Called when a connection is gone.
    func endIfDrained() {
        if isDraining && table.count == 0 { base.stop() }
    }

    /// The drain has taken too long: what is left is cut off.
    func endDrain() {
        guard table.count > 0 else { return }
        finishedInTime = false
        base.stop()
    }
}

extension Worker {
    /// Handles everything that was posted since the last time, in its order.
    func readMail() {
        readClocks()
        for message in mailbox.take() {
            switch message {
            case .completed(let id, let box): unpark(id) { $0.complete(box) }
            case .expired(let id): unpark(id) { $0.expire() }
            case .broadcast(let message, let acknowledgement):
                responder?.receive(message)
                acknowledgement.acknowledge()
            case .drain: beginDrain()
            }
        }
        settle()
    }
}

extension Worker: Parking {
    func park<Outcome: Sendable>(
        _ exchange: consuming Exchange, wait: ParkWait<Outcome>?,
        resume: @escaping (Outcome, consuming Exchange) -> Void
    ) -> Ticket<Outcome> {
        lastParkedID &+= 1
        let id = lastParkedID
        let parking = ParkedWith(exchange, wait, resume)
        parked[id] = parking
        counters.parked.count()
        parking.connection?.park(id, milliseconds: wait?.milliseconds)
        // If the wait is over already, its end is posted, because the ticket must be returned before the exchange
        // continues.
        if wait != nil && (isDraining || parking.connection?.peerHasFinished == true) { mailbox.post(.expired(id)) }
        return Ticket { [mailbox] outcome in mailbox.post(.completed(id, OutcomeBox(outcome))) }
    }

    /// Ends the parking with that number, if it has not ended, and resumes its exchange.
    func unpark(_ id: UInt64, _ proceed: (Parked) -> Void) {
        guard let parking = forget(id) else { return }
        guard let connection = parking.connection else { return proceed(parking) }
        connection.proceed { proceed(parking) }
    }

    /// Ends it without an outcome: the exchange is dropped with the value that is returned.
    @discardableResult
    func forget(_ id: UInt64) -> Parked? {
        guard let parking = parked.removeValue(forKey: id) else { return nil }
        counters.parked.count(-1)
        return parking
    }
}

/// All that a worker is made of, before its thread exists.
struct WorkerPlan: Sendable {
    let index: Int
    let settings: ServerSettings
    let listener: ListeningSocket
    let mailbox: Mailbox<WorkerMessage>
    let counters: WorkerCounters
    let connectionCount: ConnectionCount
    let buffered: BufferedBytes
    let makeResponder: @Sendable (any Parking, Int) -> any Responder
}
