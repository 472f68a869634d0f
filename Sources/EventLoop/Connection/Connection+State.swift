internal import CLibevent
internal import Glibc
internal import HTTPWire

extension Connection {
    /// Decides which events to wait for, after any change.
    func settleState() {
        countBuffered()
        if phase == .closing && pending.isEmpty { linger() }
        if phase == .open && peerHasFinished && awaiting == nil && pending.isEmpty { close() }
        if phase == .lingering && peerHasFinished { close() }
        guard phase != .closed else { return }
        // Bytes that the client of a parked request sends meanwhile are kept up to the size of a head, then stay in the
        // kernel.
        let hasRoom = mayParse || held.count < worker.limits.headBytes
        setReading(!peerHasFinished && pending.isEmpty && hasRoom)
        guard setWriting(!pending.isEmpty) else { return close() }
        setReadDeadline()
        worker.schedule(self)
    }

    /// Whether neither a part of a request nor a part of a response is pending.
    var isIdle: Bool { mayParse && held.isEmpty && parser.isAtStart }

    private func setReading(_ wanted: Bool) {
        guard wanted != isReading else { return }
        isReading = wanted
        if wanted {
            readEvent?.add()
        } else {
            readEvent?.remove()
        }
    }

    /// False if the pending response could never be sent, because no event would report that the client reads again.
    private func setWriting(_ wanted: Bool) -> Bool {
        guard wanted != isWriting else { return true }
        isWriting = wanted
        writeEvent = nil
        guard wanted else { return true }
        writeEvent = try? Event(worker.base, .write(descriptor), context: self) { _, _, context in
            Connection.from(context)?.becameWritable()
        }
        return writeEvent?.add() ?? false
    }

    /// Ends the sending side. The client's bytes are read for a while: unread ones would make the kernel reset the
    /// connection, and the client might lose the response (RFC 9112 9.6).
    private func linger() {
        guard !peerHasFinished else { return close() }
        shutdown(descriptor, Int32(SHUT_WR))
        phase = .lingering
        held = ReceiveBuffer()
        lingerDeadline = worker.now + worker.limits.lingerSeconds.milliseconds
    }

    /// Frees everything of this connection, including its parked exchange.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        awaiting = nil
        readEvent = nil
        writeEvent = nil
        (held, pending) = (ReceiveBuffer(), PendingOutput())
        worker.count(buffered: -bufferedBytes)
        bufferedBytes = 0
        _ = Glibc.close(descriptor)
        worker.table.remove(handle)
        if isCounted {
            worker.counters.open.count(-1)
            worker.connectionCount.leave()
        }
        if let parkedID { worker.forget(parkedID) }
        worker.endIfDrained()
    }
}

/// How a connection ends while its worker drains (docs/decisions/0040-a-drain-waits-a-second-for-idle-connections.md):
/// requests that had arrived are all answered, and so is one that comes shortly after. The last response says
/// `Connection: close`.
extension Connection {
    /// Notes which bytes had arrived: requests within them are answered.
    func noteDrain() { bytesBeforeDrain = receivedBytes + Int(bellwether_unread_bytes(descriptor)) }

    /// Whether bytes that arrived before the drain are not parsed yet.
    var hasRequestsFromBeforeDrain: Bool {
        let unparsed = held.count + (isParsingShared ? worker.input.count : 0)
        return receivedBytes - unparsed < bytesBeforeDrain
    }

    /// Brings the deadline of an idle connection forward. A client that was answered just now may have sent its next
    /// request already.
    func beginDrain() {
        guard isIdle else { return }
        let limits = worker.limits
        readDeadline += limits.drainIdleSeconds.milliseconds - limits.idleSeconds.milliseconds
        guard readDeadline > worker.now else { return closeIfIdle() }
        worker.schedule(self)
    }

    /// Closes unless a request has come: one may have arrived after the last look at the socket.
    func closeIfIdle() {
        becameReadable()
        if phase == .open && isIdle { close() }
    }
}
