internal import HTTPWire

extension Connection {
    /// Counts what this connection makes the daemon keep. When that is too much for all of them together, those of this
    /// worker give way that have kept it longest: a client that takes what it is sent is never long among them.
    func countBuffered() {
        let bytes = held.count + parser.decodedLength + pending.count + (awaiting == nil ? 0 : contentBytes)
        guard bytes != bufferedBytes else { return }
        let growth = bytes - bufferedBytes
        if bufferedBytes <= worker.limits.headBytes { bufferedSince = worker.now }
        bufferedBytes = bytes
        worker.count(buffered: growth)
        if growth > 0 { worker.relieve() }
    }

    /// Whether it keeps more than a head, and nothing that is in work.
    fileprivate var mayGiveWay: Bool { bufferedBytes > worker.limits.headBytes && awaiting == nil }

    /// Content that is coming is answered 503. Who does not take an answer is cut off.
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

    /// More than the server may keep, and more than this worker's share of it: what others keep is theirs to let go.
    private var keepsTooMuch: Bool { buffered.isTooMuch && bufferedBytes > buffered.share }

    fileprivate func relieve() {
        guard keepsTooMuch else { return }
        for connection in table.all.filter(\.mayGiveWay).sorted(by: { $0.bufferedSince < $1.bufferedSince }) {
            guard keepsTooMuch else { return }
            connection.giveWay()
        }
    }
}
