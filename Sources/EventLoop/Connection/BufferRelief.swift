internal import HTTPWire

/// The bytes that connections keep, and what ends when all connections together keep too many.
extension Connection {
    /// Counts the bytes that the daemon keeps for this connection. If all connections together keep too much, this
    /// worker closes the ones that have kept their bytes longest. A client that reads its responses is not closed.
    func countBuffered() {
        let bytes = held.count + parser.decodedLength + pending.count + (awaiting == nil ? 0 : contentBytes)
        guard bytes != bufferedBytes else { return }
        let growth = bytes - bufferedBytes
        if bufferedBytes <= worker.limits.headBytes { bufferedSince = worker.now }
        bufferedBytes = bytes
        worker.count(buffered: growth)
        if growth > 0 { worker.relieve() }
    }

    /// Whether the daemon keeps more than a head for the connection, and none of these bytes is being processed.
    fileprivate var mayGiveWay: Bool { bufferedBytes > worker.limits.headBytes && awaiting == nil }

    /// Frees the connection's bytes. A request whose content is still arriving is answered 503. A client that does not
    /// read its response is disconnected.
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

    /// Whether the server exceeds its limit and this worker exceeds its share. Other workers free their own bytes.
    private var keepsTooMuch: Bool { buffered.isTooMuch && bufferedBytes > buffered.share }

    fileprivate func relieve() {
        guard keepsTooMuch else { return }
        for connection in table.all.filter(\.mayGiveWay).sorted(by: { $0.bufferedSince < $1.bufferedSince }) {
            guard keepsTooMuch else { return }
            connection.giveWay()
        }
    }
}
