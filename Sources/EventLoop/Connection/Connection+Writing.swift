internal import Glibc
internal import HTTPWire

extension Connection {
    /// A buffer that grew for an unusually large answer is not kept.
    private static let keptOutput = 1 << 20

    /// Sends the answers given in this turn; what the kernel does not take waits with the connection.
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
