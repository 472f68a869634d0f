internal import HTTPWire

extension Connection {
    /// Counts what this connection makes the daemon keep. Beyond the limit on all of them one that grew, and has more
    /// than a head, gives way: together they must not take all memory, however slowly each sends or takes what it may.
    func countBuffered() {
        let bytes = held.count + pending.count + (awaiting == nil ? 0 : contentBytes)
        guard bytes != bufferedBytes else { return }
        let growth = bytes - bufferedBytes
        bufferedBytes = bytes
        let isWithinLimit = worker.buffered.add(growth)
        if !isWithinLimit && growth > 0 && bytes > worker.limits.headBytes { giveWay() }
    }

    /// What is in work is finished.
    private func giveWay() {
        guard awaiting == nil else { return }
        worker.counters.reject("overload")
        guard pending.isEmpty && phase == .open else { return close() }
        held = ReceiveBuffer()
        finish(with: .problem(Problem(503, "Too much is being received.").adding("Retry-After", "1")))
    }
}
