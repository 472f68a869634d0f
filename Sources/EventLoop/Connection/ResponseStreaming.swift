internal import HTTPWire

/// The responses whose content follows piece by piece. Meanwhile the connection has an unanswered exchange, so it
/// parses no request, and its idle limit does not hold.
extension Connection: ResponseStream {
    var isBlocked: Bool { !pending.isEmpty }

    func begin(_ response: Response, by writer: any StreamWriter) {
        guard var context = awaiting, phase == .open, !peerHasFinished else {
            writer.streamEnded()
            return close()
        }
        context.keepsAlive = false
        (awaiting, self.writer) = (context, writer)
        put { worker.encoder.encodeOpenHead(response, context, to: &$0) }
        writer.streamBegins(self)
        if worker.isDraining { writer.serverDrains() }
    }

    func send(_ piece: [UInt8]) {
        guard writer != nil, phase == .open, !piece.isEmpty, let context = awaiting else { return }
        put { output in
            if !context.isHTTP10 { output += "\(String(piece.count, radix: 16))\r\n".utf8 }
            output += piece
            if !context.isHTTP10 { output += "\r\n".utf8 }
        }
    }

    func wake(afterMilliseconds milliseconds: Int64) {
        guard writer != nil else { return }
        parkDeadline = worker.now.addingCapped(max(milliseconds, 0))
        worker.schedule(self)
    }

    func finish() {
        guard let context = awaiting, let writer, phase == .open else { return }
        self.writer = nil
        awaiting = nil
        parkDeadline = .max
        if isBlocked {
            close()
        } else {
            phase = .closing
            put { output in if !context.isHTTP10 { output += "0\r\n\r\n".utf8 } }
        }
        writer.streamEnded()
    }

    /// Calls the writer whose time has come.
    func wakeWriter() {
        parkDeadline = .max
        turn { writer?.streamIsDue() }
    }

    /// Finishes the stream of a drain.
    func drainStream() { turn { writer?.serverDrains() } }
}
