internal import CLibevent
internal import Glibc
internal import HTTPWire

/// Everything that belongs to one thread: its loop, its listeners, its connections and its responder.
///
/// A worker is created, used and freed on one thread. It is not Sendable, so the compiler keeps it on its thread. Other
/// threads use its mailbox.
final class Worker {
    let base: EventBase
    let limits: Limits
    /// The maximum number of connections that the kernel keeps for this worker.
    let backlog: Int
    let mailbox: Mailbox<WorkerMessage>
    let counters: WorkerCounters
    let connectionCount: ConnectionCount
    let buffered: BufferedBytes
    /// The bytes that this worker's connections keep.
    var bufferedBytes = 0

    /// Nil before the start and after the end.
    var responder: (any Responder)?
    var isDraining = false
    /// Whether the drain ended before its deadline.
    var finishedInTime = true

    /// Bytes that were just read from any connection. Bytes that cannot be used at once are moved to the connection.
    var input = ReceiveBuffer(capacity: ReceiveBuffer.workersCapacity)
    /// Responses of the current connection. They are sent together.
    var output: [UInt8] = []
    var encoder = ResponseEncoder(idPrefix: UInt64.random(in: .min ... .max))
    /// The connection whose responses are written to `output`.
    var current: Connection?
    /// Connections that were answered while another one was current.
    var answered: [Connection] = []

    var table = ConnectionTable()
    var parked: [UInt64: Parked] = [:]
    var lastParkedID: UInt64 = 0

    /// The milliseconds of the monotonic clock when the current callback began.
    var now = Clock.milliseconds
    var wheel = TimerWheel(now: Clock.milliseconds)
    /// The time in milliseconds for which the wheel's timer is set.
    var timerDue = Int64.max

    let credentials: TLSIdentity
    /// The port to which listeners of `redirect` send clients; nil for 443.
    let httpsPort: Int?
    /// The number of connections whose handshakes have begun and not ended.
    var handshakes = 0

    /// Empty once the worker accepts no more connections.
    private(set) var listeners: [Listener] = []
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
        credentials = plan.credentials
        httpsPort = plan.httpsPort
        try makeEvents()
        for listening in plan.listeners { listeners.append(try Listener(listening, of: self)) }
        responder = plan.makeResponder(self, plan.index)
    }

    private func makeEvents() throws(ServerError) {
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
        // The responder may retain this worker.
        responder = nil
        for listener in listeners { listener.close() }
        listeners = []
        mailboxEvent = nil
        wheelTimer = nil
        listenerTimer = nil
        drainTimer = nil
    }

    /// Reads the clocks. Every callback calls it first.
    func readClocks() {
        now = Clock.milliseconds
        encoder.setTime(Clock.epochSeconds)
    }

    /// Sends responses that were given while another connection was current. Every callback calls it last.
    func settle() {
        while let connection = answered.popLast() { connection.flushAnswered() }
    }
}

extension Worker {
    /// The maximum number of connections that are accepted in one turn, so that a flood of new connections does not
    /// block the open ones.
    private static let acceptBatch = 16
    /// The time for which the worker stops accepting if the process has no descriptors left.
    private static let acceptPause: Int64 = 100
    /// The maximum number of refused connections. They get only a refusal, and are then read until the client has
    /// received it.
    static let refusedAtOnce = 32

    private enum Accepted { case connection, none, exhausted }

    /// Listens, and starts accepting.
    func startAccepting() throws(ServerError) {
        for listener in listeners {
            guard listener.listen(backlog: backlog) else { throw .resources("a listening socket") }
        }
    }

    fileprivate func accept(from listener: Listener) {
        readClocks()
        for _ in 0..<Self.acceptBatch {
            switch acceptOne(listener) {
            case .connection: continue
            case .none: return settle()
            case .exhausted:
                // The listener stays readable, so the loop would spin without a pause.
                counters.reject("accept_failed")
                for listener in listeners { listener.pause() }
                listenerTimer?.add(milliseconds: Self.acceptPause)
                return settle()
            }
        }
        settle()
    }

    func resumeAccepting() {
        for listener in listeners { listener.resume() }
    }

    /// Accepts the connections that the kernel has already completed, then stops listening, so that none of them is
    /// reset.
    func stopAccepting() {
        for listener in listeners {
            // The number is limited, because new connections may arrive as fast as they are accepted.
            for _ in 0..<(2 * max(backlog, 1)) where acceptOne(listener) != .connection { break }
            listener.close()
        }
        listeners = []
    }

    private func acceptOne(_ listener: Listener) -> Accepted {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = withUnsafeMutableBytes(of: &address) { bytes in
            accept4(listener.descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length, flags)
        }
        guard descriptor < 0 else {
            admit(descriptor, PeerAddress(address), listener.service)
            return .connection
        }
        switch errno {
        case EAGAIN: return .none
        // The client closed its connection, or a signal interrupted the call. There may be more connections.
        case ECONNABORTED, EINTR, EPROTO: return .connection
        default: return .exhausted
        }
    }

    private func admit(_ descriptor: Int32, _ peer: PeerAddress, _ service: ListenAddress.Service) {
        let isCounted = connectionCount.enter()
        if isCounted {
            counters.accepted.count()
        } else {
            counters.refused.count()
        }
        // A refusal over TLS would cost a handshake.
        let isCrowded =
            !isCounted && (service.isEncrypted || table.count - counters.open.value >= Self.refusedAtOnce)
        guard !isCrowded, let connection = try? Connection(self, descriptor, peer, service, isCounted: isCounted)
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

/// A socket on which a worker accepts connections, while it does.
final class Listener {
    let service: ListenAddress.Service
    private let socket: ListeningSocket
    private unowned let worker: Worker
    private var event: Event?

    init(_ listening: Listening, of worker: Worker) throws(ServerError) {
        (service, socket, self.worker) = (listening.service, listening.socket, worker)
        event = try Event(worker.base, .read(socket.descriptor), context: self) { _, _, context in
            guard let context else { return }
            let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
            listener.worker.accept(from: listener)
        }
    }

    var descriptor: Int32 { socket.descriptor }

    func listen(backlog: Int) -> Bool { socket.listen(backlog: backlog) && event?.add() == true }
    func pause() { event?.remove() }
    func resume() { event?.add() }

    func close() {
        event = nil
        socket.close()
    }
}

extension Worker {
    /// Ensures that the connection is called when its deadline has passed.
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
                // The entry is obsolete if the connection has an earlier one, or is closed.
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
        // One millisecond is added, because the timer's clock is finer than the coarse clock that is read then.
        wheelTimer?.add(milliseconds: due - now + 1)
    }
}

extension Worker {
    /// Stops accepting, ends all waits, closes connections that are idle or become idle, and ends the loop when the
    /// last connection is closed.
    func beginDrain() {
        guard !isDraining else { return }
        isDraining = true
        drainTimer?.add(milliseconds: limits.drainSeconds.milliseconds)
        stopAccepting()
        let connections = table.all
        for connection in connections { connection.noteDrain() }
        for id in parked.keys.sorted() where parked[id]?.hasWait == true { unpark(id) { $0.expire(.drain) } }
        for connection in connections where connection.writer != nil { connection.drainStream() }
        for connection in connections { connection.beginDrain() }
        endIfDrained()
    }

    /// Ends the loop if the last connection of a drain is closed.
    func endIfDrained() {
        if isDraining && table.count == 0 { base.stop() }
    }

    /// Ends a drain that has taken too long. The remaining connections are cut off.
    func endDrain() {
        guard table.count > 0 else { return }
        finishedInTime = false
        base.stop()
    }
}

extension Worker {
    /// Handles all messages posted since the last call, in their order.
    func readMail() {
        readClocks()
        for message in mailbox.take() {
            switch message {
            case .completed(let id, let box): unpark(id) { $0.complete(box) }
            case .expired(let id, let end): unpark(id) { $0.expire(end) }
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
        // If the wait is already over, its end is posted, because the ticket must be returned before the exchange
        // continues.
        if wait != nil {
            let hasFinished = parking.connection?.peerHasFinished == true
            if hasFinished || isDraining { mailbox.post(.expired(id, hasFinished ? .clientFinished : .drain)) }
        }
        return Ticket { [mailbox] outcome in mailbox.post(.completed(id, OutcomeBox(outcome))) }
    }

    func stream(_ response: Response, by writer: any StreamWriter, _ exchange: consuming Exchange) {
        guard let connection = exchange.take() as? Connection else { return writer.streamEnded() }
        connection.begin(response, by: writer)
    }

    /// Ends the parking with this number, if it has not ended, and resumes its exchange.
    func unpark(_ id: UInt64, _ proceed: (Parked) -> Void) {
        guard let parking = forget(id) else { return }
        guard let connection = parking.connection else { return proceed(parking) }
        connection.proceed { proceed(parking) }
    }

    /// Ends the parking without an outcome. The exchange is dropped together with the returned value.
    @discardableResult
    func forget(_ id: UInt64) -> Parked? {
        guard let parking = parked.removeValue(forKey: id) else { return nil }
        counters.parked.count(-1)
        return parking
    }
}

/// The parts of a worker that exist before its thread.
struct WorkerPlan: Sendable {
    let index: Int
    let settings: ServerSettings
    let listeners: [Listening]
    let mailbox: Mailbox<WorkerMessage>
    let counters: WorkerCounters
    let connectionCount: ConnectionCount
    let buffered: BufferedBytes
    let credentials: TLSIdentity
    let httpsPort: Int?
    let makeResponder: @Sendable (any Parking, Int) -> any Responder
}
