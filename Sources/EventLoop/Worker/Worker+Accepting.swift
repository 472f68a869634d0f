internal import CLibevent
internal import Glibc
internal import HTTPWire

extension Worker {
    /// Accepts at most so many in one turn, so that a flood of new connections does not starve the open ones.
    private static let acceptBatch = 16
    /// How long the worker stops accepting when the process has no descriptors left.
    private static let acceptPause: Int64 = 100
    /// Connections that are only told that there are too many, and then read until the client has seen it.
    static let refusedAtOnce = 32

    private enum Accepted { case connection, none, exhausted }

    /// Listens and accepts from now on.
    func startAccepting() throws(ServerError) {
        guard listener.listen(backlog: backlog), listenerEvent?.add() == true else {
            throw .resources("a listening socket")
        }
    }

    func accept() {
        readClocks()
        for _ in 0..<Self.acceptBatch {
            switch acceptOne() {
            case .connection: continue
            case .none: return settle()
            case .exhausted:
                // The listener stays readable: without a pause this loop would spin.
                counters.reject("accept_failed")
                listenerEvent?.remove()
                listenerTimer?.add(milliseconds: Self.acceptPause)
                return settle()
            }
        }
        settle()
    }

    func resumeAccepting() {
        guard !isDraining else { return }
        listenerEvent?.add()
    }

    /// Accepts the connections that the kernel has completed already, then stops listening, so that none of them is
    /// reset.
    func stopAccepting() {
        listenerEvent = nil
        // Bounded, because new ones may arrive as fast as they are accepted.
        for _ in 0..<(2 * max(backlog, 1)) where acceptOne() != .connection { break }
        listener.close()
    }

    private func acceptOne() -> Accepted {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = withUnsafeMutableBytes(of: &address) { bytes in
            accept4(listener.descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length, flags)
        }
        guard descriptor < 0 else {
            admit(descriptor, PeerAddress(address))
            return .connection
        }
        switch errno {
        case EAGAIN: return .none
        // The client closed its connection, or a signal came: there may be more connections.
        case ECONNABORTED, EINTR, EPROTO: return .connection
        default: return .exhausted
        }
    }

    private func admit(_ descriptor: Int32, _ peer: PeerAddress) {
        let isCounted = connectionCount.enter()
        if isCounted {
            counters.accepted.count()
        } else {
            counters.refused.count()
        }
        let isCrowded = !isCounted && table.count - counters.open.value >= Self.refusedAtOnce
        guard !isCrowded, let connection = try? Connection(self, descriptor, peer, isCounted: isCounted)
        else {
            _ = close(descriptor)
            if isCounted { connectionCount.leave() }
            return
        }
        table.insert(connection)
        if isCounted {
            counters.open.count()
            connection.start()
        } else {
            connection.turnAway()
        }
    }
}
