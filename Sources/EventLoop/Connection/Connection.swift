internal import CLibevent
internal import Glibc
internal import HTTPWire

/// One client's connection. It reads requests one at a time, gives each to the responder, and sends the responses in
/// order.
///
/// A connection belongs to its worker and the worker's thread. Nothing is read while a response waits for a slow
/// client. Nothing is parsed while an exchange is unanswered. Therefore responses keep the order of requests, and a
/// request sees the effects of the previous one.
final class Connection: ResponseSlot {
    enum Phase {
        case open
        /// The last response is written. The connection ends when it has been sent.
        case closing
        /// The connection waits until the client has received the last response. Further bytes of the client are
        /// discarded.
        case lingering
        case closed
    }

    /// The purpose of a read deadline.
    enum Reading { case idle, head, content }

    let worker: Worker
    let handle: ConnectionHandle
    let descriptor: Int32
    let peer: PeerAddress
    let service: ListenAddress.Service
    /// False for a connection above the limit, which gets only a refusal.
    let isCounted: Bool

    var phase = Phase.open
    /// Nil for a plain connection, and before the first byte of an encrypted one.
    var tls: TLSStream?
    /// The names in the client's certificate.
    var clientNames: [String] = []
    var readEvent: Event?
    var writeEvent: Event?
    var isReading = false
    var isWriting = false
    /// Whether the client has shut down its side or closed the connection; the two cannot be distinguished.
    var peerHasFinished = false

    var parser: RequestParser
    /// Bytes that were received and not parsed: part of a request, or requests after an unanswered one. An idle
    /// connection has none.
    var held = ReceiveBuffer()
    /// The number of bytes that were received, and the number that had arrived when the drain began.
    var receivedBytes = 0
    var bytesBeforeDrain = 0
    /// True while requests are read from the worker's buffer, which then contains bytes of this connection.
    var isParsingShared = false
    /// The context of the unanswered exchange; nil if there is none.
    var awaiting: ResponseContext?
    /// The worker's number for that exchange; nil if it is not parked.
    var parkedID: UInt64?
    /// The writer of that exchange's content; nil if the response is sent as a whole.
    var writer: (any StreamWriter)?
    /// Responses that the kernel has not accepted yet.
    var pending = PendingOutput()
    /// The size of the content of the unanswered request.
    var contentBytes = 0
    /// The bytes of this connection that are counted in `BufferedBytes`.
    var bufferedBytes = 0
    /// The time since which that number is larger than a head.
    var bufferedSince: Int64 = 0

    var reading = Reading.idle
    /// The deadlines are absolute times in milliseconds; `Int64.max` is never.
    var readDeadline = Int64.max
    /// `Int64.max` for a plain connection, and after the handshake.
    var handshakeDeadline = Int64.max
    var contentStart = Int64.max
    var parkDeadline = Int64.max
    var writeDeadline = Int64.max
    var lingerDeadline = Int64.max
    /// The tick of the worker's timer wheel at which this connection is called.
    var scheduledTick = Int64.max

    init(
        _ worker: Worker, _ descriptor: Int32, _ peer: PeerAddress, _ service: ListenAddress.Service, isCounted: Bool
    ) throws(ServerError) {
        self.worker = worker
        self.descriptor = descriptor
        self.peer = peer
        self.service = service
        self.isCounted = isCounted
        handle = worker.table.next
        parser = RequestParser(worker.limits.wire)
        super.init()
        let priority: EventBase.Priority = service.isEncrypted ? .handshake : .ordinary
        readEvent = try Event(worker.base, .read(descriptor), priority: priority, context: self) { _, _, context in
            Connection.from(context)?.becameReadable()
        }
        if service.isEncrypted { handshakeDeadline = worker.now + worker.limits.handshakeSeconds.milliseconds }
    }

    override func reply(_ response: Response) { write(response) }

    /// Called if a responder dropped an exchange. If the connection is closed, the exchange is only discarded.
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

    /// Sends the response that there are too many connections, and ends the connection.
    func turnAway() {
        turn {
            let problem = Problem(503, "There are too many connections.").adding("Retry-After", "1")
            finish(with: .problem(problem))
        }
    }

    /// Runs a block on this connection, sends all its responses in one write, and waits for the next event.
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
    /// Records that the unanswered exchange is parked under this number, and its deadline.
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

    /// Sends a fault in response to bytes that are no request, and ends the connection, because the start of the next
    /// request is unknown.
    func refuse(_ fault: WireFault) {
        worker.counters.reject(fault.code)
        finish(with: .problem(fault.problem))
    }

    /// Sends a last response that belongs to no particular request.
    func finish(with response: Response) {
        phase = .closing
        encode(response, ResponseContext(generatedID: worker.encoder.makeID()))
    }

    private func encode(_ response: Response, _ context: ResponseContext) {
        put { worker.encoder.encode(response, context, to: &$0) }
    }

    /// Sends the bytes that the closure appends.
    func put(_ append: (inout [UInt8]) -> Void) {
        if worker.current === self { return append(&worker.output) }
        // If another connection uses the shared buffer, the bytes are sent when that connection is done.
        var bytes: [UInt8] = []
        append(&bytes)
        enqueue(bytes[...])
        worker.answered.append(self)
    }

    /// Sends responses that were given while another connection was current, and continues with the next requests.
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
    /// The time at which this connection must be called at the latest.
    var deadline: Int64 {
        switch phase {
        case .closed: .max
        case .lingering: lingerDeadline
        case .open, .closing:
            if !pending.isEmpty {
                min(writeDeadline, parkDeadline)
            } else {
                awaiting == nil ? min(readDeadline, handshakeDeadline) : parkDeadline
            }
        }
    }

    /// Sets the deadline for reading. Deadlines are absolute: single bytes do not extend them.
    func setReadDeadline() {
        guard mayParse else { return }
        let limits = worker.limits
        if parser.isReadingContent {
            if reading != .content { contentStart = worker.now }
            reading = .content
            // The size of a chunked message is not known in advance, so its bytes must arrive at the lowest accepted
            // rate.
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

    /// Handles a deadline that has passed.
    func expire() {
        if phase == .lingering { return close() }
        if handshakeDeadline <= worker.now {
            worker.counters.reject("handshake_timeout")
            return close()
        }
        if !pending.isEmpty && writeDeadline <= worker.now {
            worker.counters.reject("write_timeout")
            return close()
        }
        if awaiting != nil {
            if writer != nil { return wakeWriter() }
            if let parkedID { worker.unpark(parkedID) { $0.expire(.deadline) } }
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
    /// The buffer that contains the bytes to parse: the worker's, with bytes just received, or the connection's own.
    enum Source { case shared, held }

    func becameReadable() {
        worker.readClocks()
        receive()
        worker.settle()
    }

    private func receive() {
        let count: Int
        switch input() {
        case .bytes(let number): count = number
        case .none: return settleState()
        case .ended: return inputEnded()
        case .failed(let failure): return inputFailed(failure)
        }
        worker.counters.received.count(count)
        receivedBytes += count
        guard phase == .open else { return }
        guard held.isEmpty && mayParse else {
            held.append(worker.input.unread)
            return mayParse ? turn { parse(from: .held) } : settleState()
        }
        turn { parse(from: .shared) }
    }

    /// Fills the worker's buffer. What a client sends after its last response is only discarded, and so not decrypted.
    private func input() -> TLSStream.Input {
        if service.isEncrypted && phase == .open { return decryptedInput() }
        let descriptor = self.descriptor
        let count = worker.input.fill { recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count <= 0 else { return .bytes(count) }
        guard count < 0 else { return .ended }
        return errno == EAGAIN || errno == EINTR ? .none : .failed(.other)
    }

    private func inputFailed(_ failure: TLSStream.Failure) {
        if tls != nil { worker.counters.reject(failure == .plainHTTP ? "plain_http" : "handshake_failed") }
        guard failure == .plainHTTP else { return close() }
        endHandshake()
        // The response is plain, as the request was.
        tls = nil
        turn { finish(with: .problem(Problem(400, "This port speaks HTTPS: use https://, not http://."))) }
    }

    /// Handles the end of the client's input. The client may still wait for responses, so these are sent first.
    private func inputEnded() {
        peerHasFinished = true
        // Readers of a stream end it by closing the connection.
        if writer != nil { return close() }
        if let parkedID, worker.parked[parkedID]?.hasWait == true {
            return worker.unpark(parkedID) { $0.expire(.clientFinished) }
        }
        settleState()
    }

    /// Whether requests may be parsed: one exchange at a time, and none while the client does not read its responses.
    var mayParse: Bool { phase == .open && awaiting == nil && pending.isEmpty }

    /// Handles all complete requests. The remaining bytes stay with the connection.
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

    /// Takes one step of the parser. Returns false if more bytes are needed.
    private func advance(_ source: Source) -> Bool {
        let step = source == .shared ? parser.next(&worker.input) : parser.next(&held)
        switch step {
        case .needsMore: return false
        case .fault(let fault): refuse(fault)
        case .request(var request):
            name(&request)
            request.generatedID = worker.encoder.makeID()
            respond(request)
        case .head(var request):
            name(&request)
            admit(request, source)
        }
        return true
    }

    /// Records who sends the request, and how.
    private func name(_ request: inout Request) {
        request.peer = peer
        guard tls != nil else { return }
        request.isEncrypted = true
        request.clientNames = clientNames
    }

    /// Checks the size of the request's content against the limit, and sends 100 (Continue) to a client that waits for
    /// it.
    private func admit(_ request: Request, _ source: Source) {
        let limit = service == .redirect ? 0 : worker.responder?.bodyLimit(for: request) ?? 0
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
        if service == .redirect { return write(HTTPSRedirect.response(to: request, port: worker.httpsPort)) }
        worker.responder?.respond(to: request, Exchange(self))
    }
}

extension Connection {
    /// The maximum size of a buffer that is kept. A buffer that grew for an unusually large response is freed.
    private static let keptOutput = 1 << 20

    /// Sends the responses of this turn. Bytes that the kernel does not accept wait in the connection.
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
        if writer != nil {
            if pending.isEmpty { writeDeadline = worker.now + worker.limits.streamWriteSeconds.milliseconds }
        } else {
            if pending.isEmpty { writeDeadline = worker.now + worker.limits.writeSeconds.milliseconds }
            writeDeadline += worker.limits.transferMilliseconds(bytes.count)
        }
        pending.append(bytes)
    }

    func becameWritable() {
        worker.readClocks()
        if tls?.isEstablished == false {
            receive()
            return worker.settle()
        }
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
        // The output is moved out of the connection first, because a failing send closes the connection, which drops
        // pending bytes.
        var output = PendingOutput()
        swap(&output, &pending)
        let count = output.count
        output.send { transmit($0) }
        guard phase != .closed else { return }
        // The reader of a stream has to take something within the time, not all.
        if writer != nil, output.count < count {
            writeDeadline = worker.now + worker.limits.streamWriteSeconds.milliseconds
        }
        pending = output
        if pending.isEmpty { writeDeadline = .max }
    }

    /// Sends bytes and returns how many the kernel accepted. Closes a broken connection.
    private func transmit(_ bytes: UnsafeRawBufferPointer) -> Int {
        if let tls {
            guard let sent = tls.write(bytes) else {
                close()
                return 0
            }
            worker.counters.sent.count(sent)
            return sent
        }
        var result = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        while result < 0 && errno == EINTR {
            result = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if result >= 0 {
            worker.counters.sent.count(result)
            return result
        }
        if errno != EAGAIN { close() }
        return 0
    }
}
