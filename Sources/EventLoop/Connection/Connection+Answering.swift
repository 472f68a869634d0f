internal import HTTPWire

extension Connection {
    /// Notes that the unanswered exchange waits under this number, and for how long.
    func park(_ id: UInt64, milliseconds: Int?) {
        parkedID = id
        parkDeadline = milliseconds.map { worker.now.addingCapped(Int64(max($0, 0))) } ?? .max
    }

    /// Writes the answer to the unanswered exchange.
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

    /// An answer to no request in particular, and the last one.
    func finish(with response: Response) {
        phase = .closing
        encode(response, ReplyContext(generatedID: worker.encoder.makeID()))
    }

    private func encode(_ response: Response, _ context: ReplyContext) {
        if worker.current === self { return worker.encoder.encode(response, context, to: &worker.output) }
        // If another connection uses the shared buffer, the answer is sent when that connection is done.
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
