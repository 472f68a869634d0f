internal import CLibevent
internal import Glibc
internal import HTTPWire

extension Connection {
    /// Updates the connection after any change: its phase, the events that it waits for, and its deadlines.
    func settleState() {
        countBuffered()
        if phase == .closing && pending.isEmpty { linger() }
        if phase == .open && peerHasFinished && awaiting == nil && pending.isEmpty { close() }
        if phase == .lingering && peerHasFinished { close() }
        guard phase != .closed else { return }
        // Bytes that arrive while a request is parked are kept up to the size of a head. Further bytes stay in the
        // kernel.
        let hasRoom = mayParse || held.count < worker.limits.headBytes
        setReading(!peerHasFinished && pending.isEmpty && hasRoom)
        if isReading, tls?.mayHaveMore == true { readEvent?.activate() }
        guard setWriting(!pending.isEmpty || tls?.waitsToWrite == true) else { return close() }
        setReadDeadline()
        worker.schedule(self)
    }

    /// Whether no part of a request and no part of a response is pending.
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

    /// Returns false if the pending response can never be sent, because no event would report that the client reads
    /// again.
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

    /// Ends the sending side, and reads the client's bytes for a while. Unread bytes would make the kernel reset the
    /// connection, and the client might lose the response (RFC 9112 9.6).
    private func linger() {
        guard !peerHasFinished else { return close() }
        if let tls { worker.counters.received.count(tls.undecrypted) }
        tls?.finish()
        shutdown(descriptor, Int32(SHUT_WR))
        phase = .lingering
        held = ReceiveBuffer()
        lingerDeadline = worker.now + worker.limits.lingerSeconds.milliseconds
    }

    /// Frees everything that belongs to this connection, including its parked exchange.
    func close() {
        guard phase != .closed else { return }
        if phase == .open { tls?.finish() }
        phase = .closed
        endHandshake()
        tls = nil
        awaiting = nil
        readEvent = nil
        writeEvent = nil
        (held, pending) = (ReceiveBuffer(), PendingOutput())
        worker.count(buffered: -bufferedBytes)
        bufferedBytes = 0
        _ = Glibc.close(descriptor)
        worker.table.remove(handle)
        if isCounted {
            // In this order: whoever reads that a connection has ended finds its place free.
            worker.connectionCount.leave()
            worker.counters.open.count(-1)
        }
        if let parkedID { worker.forget(parkedID) }
        let writer = writer
        self.writer = nil
        writer?.streamEnded()
        worker.endIfDrained()
    }
}

/// The end of a connection while its worker drains
/// (docs/decisions/archive/0040-a-drain-waits-a-second-for-idle-connections.md). All requests that had arrived
/// before are answered, and so is a request that arrives shortly after. The last response says `Connection: close`.
extension Connection {
    /// Records the bytes that have already arrived. Requests within them are answered.
    func noteDrain() { bytesBeforeDrain = receivedBytes + Int(bellwether_unread_bytes(descriptor)) }

    /// Whether bytes that arrived before the drain are not parsed yet. Encrypted bytes are more than the received ones,
    /// so an encrypted connection may be kept alive until its deadline.
    var hasRequestsFromBeforeDrain: Bool {
        let unparsed = held.count + (isParsingShared ? worker.input.count : 0)
        return receivedBytes - unparsed < bytesBeforeDrain
    }

    /// Shortens the deadline of an idle connection. A client that has just received a response may already have sent
    /// its next request.
    func beginDrain() {
        guard isIdle else { return }
        let limits = worker.limits
        readDeadline += limits.drainIdleSeconds.milliseconds - limits.idleSeconds.milliseconds
        guard readDeadline > worker.now else { return closeIfIdle() }
        worker.schedule(self)
    }

    /// Closes the connection unless a request has come. A request may have arrived after the last read of the socket.
    func closeIfIdle() {
        becameReadable()
        if phase == .open && isIdle { close() }
    }
}
