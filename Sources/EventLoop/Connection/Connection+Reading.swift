internal import Glibc
internal import HTTPWire

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

    /// One exchange at a time, and none while a client does not take its answers.
    var mayParse: Bool { phase == .open && awaiting == nil && pending.isEmpty }

    /// Answers all requests that are complete. What is left stays with the connection.
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
            answer(request)
        case .head(var request):
            request.peer = peer
            admit(request, source)
        }
        return true
    }

    /// Asks how much content the request may bring, and tells a client that waits for it to go on.
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

    private func answer(_ request: Request) {
        worker.counters.requests.count()
        reading = .idle
        awaiting = ReplyContext(request)
        contentBytes = request.body.count
        worker.responder?.respond(to: request, Exchange(self))
    }
}
