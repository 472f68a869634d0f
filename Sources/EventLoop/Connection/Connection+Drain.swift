internal import CLibevent
internal import HTTPWire

/// How a connection ends while its worker drains (docs/decisions/0040-a-drain-waits-a-second-for-idle-connections.md):
/// requests that had arrived are all answered, and so is one that comes shortly after. The last answer says
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
