internal import HTTPWire

extension Connection {
    /// When this connection must be called at the latest.
    var deadline: Int64 {
        switch phase {
        case .closed: .max
        case .lingering: lingerDeadline
        case .open, .closing:
            if !pending.isEmpty {
                min(writeDeadline, parkDeadline)
            } else {
                awaiting == nil ? readDeadline : parkDeadline
            }
        }
    }

    /// Deadlines for reading are absolute: single bytes do not extend them.
    func setReadDeadline() {
        guard mayParse else { return }
        let limits = worker.limits
        if parser.isReadingContent {
            if reading != .content { contentStart = worker.now }
            reading = .content
            // The size of a chunked message is not known in advance: it must arrive at the lowest rate that is allowed.
            let bytes = parser.announcedLength ?? parser.decodedLength
            readDeadline = contentStart + limits.contentSeconds.milliseconds + limits.transferMilliseconds(bytes)
        } else if held.isEmpty && parser.isAtStart {
            reading = .idle
            let seconds = worker.isDraining ? limits.drainIdleSeconds : limits.idleSeconds
            readDeadline = worker.now + seconds.milliseconds
        } else if reading != .head {
            reading = .head
            readDeadline = worker.now + limits.headSeconds.milliseconds
        }
    }

    /// The deadline has passed.
    func expire() {
        if phase == .lingering { return close() }
        if !pending.isEmpty && writeDeadline <= worker.now {
            worker.counters.reject("write_timeout")
            return close()
        }
        if awaiting != nil {
            if let parkedID { worker.unpark(parkedID) { $0.expire() } }
            return
        }
        switch reading {
        case .idle: closeIfIdle()
        case .head: turn { refuse(.headTimeout) }
        case .content: turn { refuse(.contentTimeout) }
        }
    }
}
