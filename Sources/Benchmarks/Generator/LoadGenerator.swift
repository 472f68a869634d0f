import Foundation

/// Load on a server from one thread that never waits for the server. It sends streams of requests over non-blocking
/// connections. The time of each request counts from the moment at which it should have been sent, by the
/// ``GeneratorClock``.
///
/// The thread spins while a request is due within a millisecond, so it needs its own processor.
final class LoadGenerator {
    /// The seconds of load before the counting begins.
    private static let warmUp = 0.5
    /// The longest wait for the last responses, in nanoseconds.
    private static let patience: Int64 = 10_000_000_000

    private let clock = GeneratorClock()
    private let traffics: [StreamTraffic]
    private let hostility: (any AdverseLoad)?
    /// The connections that await a response, and the matching entries for poll(2), in the same order.
    private var awaited: [StreamConnection] = []
    private var polled: [pollfd] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)

    init(port: Int, _ streams: [Stream], against hostility: (any AdverseLoad)? = nil) throws {
        traffics = try streams.map { try StreamTraffic($0, port: port) }
        self.hostility = hostility
    }

    deinit { buffer.deallocate() }

    /// Runs for a short warm-up and then for the given time. The streams count only the second part.
    /// - Parameter measured: called when the counting begins.
    /// - Returns: the seconds that passed by the monotonic clock. They exceed `seconds` by the time for which the
    ///   machine interrupted the generator.
    @discardableResult
    func run(seconds: Double, measured: () throws -> Void = {}) throws -> Double {
        try phase(seconds: Self.warmUp)
        for traffic in traffics { traffic.stream.reset() }
        try measured()
        let (away, absences) = (clock.away, clock.absences)
        try phase(seconds: seconds)
        let kept = Double(clock.away - away) / 1_000_000_000
        Progress.report(
            "the generator was put aside \(clock.absences - absences) times, for \((kept * 1_000).figure(places: 1)) ms in all"
        )
        return seconds + kept
    }

    /// Sends for the given time. Then sends the requests that were due while no connection was free, and waits for the
    /// last responses.
    private func phase(seconds: Double) throws {
        let start = clock.now
        let end = start + Int64(seconds * 1_000_000_000)
        for traffic in traffics { traffic.restart(at: start) }
        var now = start
        while now < end {
            try Interruption.check()
            for traffic in traffics { traffic.send(until: end, clock) { expect($0) } }
            now = clock.now
            hostility?.step(now: now)
            receive(waiting: min(pause(at: now, until: end), 1))
            now = clock.now
        }
        while isBusy(until: end), now < end + Self.patience {
            try Interruption.check()
            for traffic in traffics { traffic.send(until: end, clock) { expect($0) } }
            hostility?.step(now: clock.now)
            receive(waiting: 1)
            now = clock.now
        }
        for traffic in traffics { traffic.stream.fail("never sent", count: traffic.missed(until: end)) }
        while let connection = awaited.last {
            connection.traffic.stream.fail("no answer")
            release(connection)
            connection.traffic.renew(connection)
        }
    }

    private func isBusy(until end: Int64) -> Bool {
        !awaited.isEmpty || traffics.contains { $0.missed(until: end) > 0 }
    }

    /// The milliseconds until a request is due or the phase ends.
    private func pause(at now: Int64, until end: Int64) -> Int32 {
        let due = min(end, traffics.compactMap { $0.nextDue(now) }.min() ?? end)
        return Int32(clamping: (due - now) / 1_000_000)
    }

    private func expect(_ connection: StreamConnection) {
        connection.slot = awaited.count
        awaited.append(connection)
        polled.append(pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0))
    }

    private func release(_ connection: StreamConnection) {
        let slot = connection.slot
        connection.slot = -1
        let last = awaited.count - 1
        if slot != last {
            awaited[slot] = awaited[last]
            polled[slot] = polled[last]
            awaited[slot].slot = slot
        }
        awaited.removeLast()
        polled.removeLast()
    }

    /// The number of connections that have something to read.
    private func ready(within milliseconds: Int32) -> Int32 {
        let count = nfds_t(polled.count)
        return milliseconds == 0 ? poll(&polled, count, 0) : clock.waiting { poll(&polled, count, milliseconds) }
    }

    private func receive(waiting milliseconds: Int32) {
        guard ready(within: max(0, milliseconds)) > 0 else { return }
        // In reverse order: the connection that moves into a released slot has been handled already.
        for slot in polled.indices.reversed() where polled[slot].revents != 0 {
            let connection = awaited[slot]
            polled[slot].revents = 0
            switch connection.receive(into: buffer) {
            case .nothing: continue
            case .answer(let status):
                connection.traffic.stream.answered(status, after: clock.now - connection.intended)
                release(connection)
                connection.traffic.finish(connection)
            case .failure(let reason):
                connection.traffic.stream.fail(reason)
                release(connection)
                connection.traffic.renew(connection)
            }
        }
    }
}

extension LoadGenerator {
    /// Runs streams on a server.
    /// - Returns: the processor time that the server used, in microseconds, and the measured seconds.
    static func run(
        _ streams: [Stream], on server: any RunningServer, seconds: Int, against hostility: (any AdverseLoad)? = nil,
        _ bench: Workbench
    ) throws -> (used: Double, seconds: Double) {
        try bench.takeLoadCore()
        var before = 0.0
        let generator = try LoadGenerator(port: server.port, streams, against: hostility)
        let seconds = try generator.run(seconds: Double(seconds)) { before = try ProcessUsage.cpu(of: server.pid) }
        return (try ProcessUsage.cpu(of: server.pid) - before, seconds)
    }

    /// Measures one stream in which no request may fail. The server's share of its processor, in percent, shows whether
    /// the server or the generator was the limit.
    static func sample(
        of stream: Stream, on server: any RunningServer, seconds: Int, _ bench: Workbench
    ) throws -> Sample {
        let (used, seconds) = try run([stream], on: server, seconds: seconds, bench)
        guard stream.failed == 0, stream.answered > 0 else { throw Failure(stream.complaint) }
        let answered = Double(stream.answered)
        return Sample(
            cpu: used / answered, rate: answered / seconds, p99: stream.p99, quantity: used / seconds / 10_000)
    }
}
