internal import CLibevent
internal import Glibc
internal import HTTPWire

/// One client's connection: reads requests one at a time, gives each to the responder, sends the responses in order.
///
/// Belongs to its worker and its thread. Nothing is read while a response waits for a slow client, and nothing is
/// parsed while an exchange is unanswered: so answers keep the order of requests, and a request sees the effects of the
/// one before it.
final class Connection: ResponseSlot {
    enum Phase {
        case open
        /// The last response is written; the connection ends when it has been sent.
        case closing
        /// Waits until the client has received the last response; what the client still sends is discarded.
        case lingering
        case closed
    }

    /// The purpose of a read deadline.
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
    /// The client has shut down its side, or closed altogether; the two cannot be distinguished.
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
    var awaiting: ResponseContext?
    /// The worker's number for that exchange if it is parked there.
    var parkedID: UInt64?
    /// Responses that the kernel did not take yet.
    var pending = PendingOutput()
    /// The content of the request that is unanswered.
    var contentBytes = 0
    /// The bytes of this connection that are counted in `BufferedBytes`.
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

    /// Sends the response that there are too many connections, and ends.
    func turnAway() {
        turn {
            let problem = Problem(503, "There are too many connections.").adding("Retry-After", "1")
            finish(with: .problem(problem))
        }
    }

    /// Runs a block on this connection, sends all responses that it gave in one write, and waits for the next event.
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

extension Connection {
    /// Notes that the unanswered exchange waits under this number, and for how long.
    func park(_ id: UInt64, milliseconds: Int?) {
        parkedID = id
        parkDeadline = milliseconds.map { worker.now.addingCapped(Int64(max($0, 0))) } ?? .max
    }

    /// Writes the response to the unanswered exchange.
    func write(_ response: Response) {
        guard var context = awaiting, phase == .open else { return }
        awaiting = nil
        if worker.isDraining && !hasRequestsFromBeforeDrain { context.keepsAlive = false }
        if !context.keepsAlive { phase = .closing }
        encode(response, context)
    }

    /// Answers bytes that are no request, and ends the connection: where the next one starts is unknown.
    func refuse(_ fault: WireFault) {
        worker.counters.reject(fault.code)
        finish(with: .problem(fault.problem))
    }

    /// A response to no request in particular, and the last one.
    func finish(with response: Response) {
        phase = .closing
        encode(response, ResponseContext(generatedID: worker.encoder.makeID()))
    }

    private func encode(_ response: Response, _ context: ResponseContext) {
        if worker.current === self { return worker.encoder.encode(response, context, to: &worker.output) }
        // If another connection uses the shared buffer, the response is sent when that connection is done.
        var bytes: [UInt8] = []
        worker.encoder.encode(response, context, to: &bytes)
        enqueue(bytes[...])
        worker.answered.append(self)
    }

    /// Sends answers that were given while another connection was current, and continues with the next requests.
    func flushAnswered() {
        sendPending()
        turn { parse(from: .held) }
    }
}

extension Int64 {
    func addingCapped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

extension Connection {
    /// Counts the bytes that the daemon keeps for this connection. When all connections together keep too much, this
    /// worker closes those that have kept their bytes longest. A client that reads its responses is not among them.
    func countBuffered() {
        let bytes = held.count + parser.decodedLength + pending.count + (awaiting == nil ? 0 : contentBytes)
        guard bytes != bufferedBytes else { return }
        let growth = bytes - bufferedBytes
        if bufferedBytes <= worker.limits.headBytes { bufferedSince = worker.now }
        bufferedBytes = bytes
        worker.count(buffered: growth)
        if growth > 0 { worker.relieve() }
    }

    /// Whether the daemon keeps more than a head for it, and none of that is being processed.
    fileprivate var mayGiveWay: Bool { bufferedBytes > worker.limits.headBytes && awaiting == nil }

    /// A request whose content is still arriving is answered 503. A client that does not read its response is cut off.
    fileprivate func giveWay() {
        worker.counters.reject("overload")
        guard pending.isEmpty && phase == .open else { return close() }
        held = ReceiveBuffer()
        parser = RequestParser(worker.limits.wire)
        finish(with: .problem(Problem(503, "Too much is being received.").adding("Retry-After", "1")))
        countBuffered()
    }
}

extension Worker {
    func count(buffered bytes: Int) {
        bufferedBytes += bytes
        buffered.add(bytes)
    }

    /// Whether the server keeps more than it may, and this worker more than its share. Other workers free their own.
    private var keepsTooMuch: Bool { buffered.isTooMuch && bufferedBytes > buffered.share }

    fileprivate func relieve() {
        guard keepsTooMuch else { return }
        for connection in table.all.filter(\.mayGiveWay).sorted(by: { $0.bufferedSince < $1.bufferedSince }) {
            guard keepsTooMuch else { return }
            connection.giveWay()
        }
    }
}

extension Connection {
    /// When this connection must be called at the latest.
    var deadline: Int64 {
        switch phase {
        case .closed: .max
        case .lingering: lingerDeadline
        case .open, .closing:
            if !pending.isEmpty {
                min(writeDeadline, parkDeadline)
            } else {
                awaiting == nil ? readDeadline : parkDeadline
            }
        }
    }

    /// Deadlines for reading are absolute: single bytes do not extend them.
    func setReadDeadline() {
        guard mayParse else { return }
        let limits = worker.limits
        if parser.isReadingContent {
            if reading != .content { contentStart = worker.now }
            reading = .content
            // The size of a chunked message is not known in advance: it must arrive at the lowest rate that is allowed.
            let bytes = parser.announcedLength ?? parser.decodedLength
            readDeadline = contentStart + limits.contentSeconds.milliseconds + limits.transferMilliseconds(bytes)
        } else if held.isEmpty && parser.isAtStart {
            reading = .idle
            let seconds = worker.isDraining ? limits.drainIdleSeconds : limits.idleSeconds
            readDeadline = worker.now + seconds.milliseconds
        } else if reading != .head {
            reading = .head
            readDeadline = worker.now + limits.headSeconds.milliseconds
        }
    }

    /// The deadline has passed.
    func expire() {
        if phase == .lingering { return close() }
        if !pending.isEmpty && writeDeadline <= worker.now {
            worker.counters.reject("write_timeout")
            return close()
        }
        if awaiting != nil {
            if let parkedID { worker.unpark(parkedID) { $0.expire() } }
            return
        }
        switch reading {
        case .idle: closeIfIdle()
        case .head: turn { refuse(.headTimeout) }
        case .content: turn { refuse(.contentTimeout) }
        }
    }
}

extension Connection {
    /// Where bytes to be parsed are: in the worker's buffer, just received, or in this connection's own.
    enum Source { case shared, held }

    func becameReadable() {
        worker.readClocks()
        receive()
        worker.settle()
    }

    private func receive() {
        let descriptor = self.descriptor
        let count = worker.input.fill { recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return count == 0 ? inputEnded() : inputFailed() }
        worker.counters.received.count(count)
        receivedBytes += count
        guard phase == .open else { return }
        guard held.isEmpty && mayParse else {
            held.append(worker.input.unread)
            return mayParse ? turn { parse(from: .held) } : settleState()
        }
        turn { parse(from: .shared) }
    }

    private func inputFailed() {
        if errno != EAGAIN && errno != EINTR { close() }
    }

    /// The client has finished sending. It may still be waiting for answers, so these are sent first.
    private func inputEnded() {
        peerHasFinished = true
        if let parkedID, worker.parked[parkedID]?.hasWait == true {
            return worker.unpark(parkedID) { $0.expire() }
        }
        settleState()
    }

    /// One exchange at a time, and none while a client does not take its responses.
    var mayParse: Bool { phase == .open && awaiting == nil && pending.isEmpty }

    /// Handles all requests that are complete. The rest stays with the connection.
    func parse(from source: Source) {
        isParsingShared = source == .shared
        while mayParse {
            guard advance(source) else { break }
            if worker.output.count >= worker.limits.backlogBytes { flush() }
        }
        isParsingShared = false
        switch source {
        case .shared: if !worker.input.isEmpty && phase == .open { held = ReceiveBuffer(worker.input.unread) }
        case .held: held.trim()
        }
    }

    /// Takes one step; false when more bytes are needed.
    private func advance(_ source: Source) -> Bool {
        let step = source == .shared ? parser.next(&worker.input) : parser.next(&held)
        switch step {
        case .needsMore: return false
        case .fault(let fault): refuse(fault)
        case .request(var request):
            request.peer = peer
            request.generatedID = worker.encoder.makeID()
            respond(request)
        case .head(var request):
            request.peer = peer
            admit(request, source)
        }
        return true
    }

    /// Checks how much content the request may bring, and sends 100 (Continue) to a client that waits for it.
    private func admit(_ request: Request, _ source: Source) {
        let limit = worker.responder?.bodyLimit(for: request) ?? 0
        do throws(WireFault) {
            let waits =
                source == .shared
                ? try parser.admit(bodyLimit: limit, &worker.input) : try parser.admit(bodyLimit: limit, &held)
            if waits { worker.output.append(text: ResponseEncoder.proceed) }
        } catch {
            refuse(error)
        }
    }

    private func respond(_ request: Request) {
        worker.counters.requests.count()
        reading = .idle
        awaiting = ResponseContext(request)
        contentBytes = request.body.count
        worker.responder?.respond(to: request, Exchange(self))
    }
}

extension Connection {
    /// A buffer that grew for an unusually large response is not kept.
    private static let keptOutput = 1 << 20

    /// Sends the responses given in this turn; what the kernel does not take waits with the connection.
    func flush() {
        guard !worker.output.isEmpty else { return }
        defer { emptyOutput() }
        guard phase != .closed else { return }
        guard pending.isEmpty else { return enqueue(worker.output[...]) }
        let sent = worker.output.withUnsafeBytes { transmit($0) }
        if sent < worker.output.count && phase != .closed { enqueue(worker.output[sent...]) }
    }

    private func emptyOutput() {
        if worker.output.capacity > Self.keptOutput {
            worker.output = []
        } else {
            worker.output.removeAll(keepingCapacity: true)
        }
    }

    /// Keeps bytes until the client reads them, with a deadline.
    func enqueue(_ bytes: ArraySlice<UInt8>) {
        if pending.isEmpty { writeDeadline = worker.now + worker.limits.writeSeconds.milliseconds }
        writeDeadline += worker.limits.transferMilliseconds(bytes.count)
        pending.append(bytes)
    }

    func becameWritable() {
        worker.readClocks()
        sendPending()
        if pending.isEmpty {
            turn { parse(from: .held) }
        } else {
            settleState()
        }
        worker.settle()
    }

    func sendPending() {
        guard phase != .closed else { return }
        // Moved out of the connection first, because a failing send closes the connection, which drops pending bytes.
        var output = PendingOutput()
        swap(&output, &pending)
        output.send { transmit($0) }
        guard phase != .closed else { return }
        pending = output
        if pending.isEmpty { writeDeadline = .max }
    }

    /// How many bytes the kernel took; closes a broken connection.
    private func transmit(_ bytes: UnsafeRawBufferPointer) -> Int {
        var result = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        while result < 0 && errno == EINTR {
            result = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if result >= 0 {
            worker.counters.sent.count(result)
            return result
        }
        if errno != EAGAIN { close() }
        return 0
    }
}
