/// A stream while it runs: its connections, and what is due.
final class StreamTraffic {
    let stream: Stream
    private(set) var connections: [StreamConnection] = []
    /// A ring of those without a request under way, so that all take their turns.
    private var free: [StreamConnection] = []
    private var firstFree = 0
    private var count = 0
    private var buffer: [UInt8] = []
    /// Nanoseconds from one arrival to the next; 0 where connections ask as they can.
    private let interval: Double
    private var start: Int64 = 0
    private var arrivals = 0

    init(_ stream: Stream, port: Int) throws {
        self.stream = stream
        if case .rate(let rate) = stream.arrivals { interval = 1_000_000_000 / rate } else { interval = 0 }
        connections = try (0..<stream.connections).map { _ in try StreamConnection(to: port, of: self) }
        free = connections
    }

    /// When the next request should be sent, if a connection is free.
    private func due(_ now: Int64) -> Int64 { interval == 0 ? now : start + Int64(Double(arrivals) * interval) }

    /// Sends what should have been sent by now, as far as connections are free.
    func send(until end: Int64, _ clock: GeneratorClock, _ sent: (StreamConnection) -> Void) {
        while firstFree < free.count {
            let now = clock.now
            guard due(now) <= now, due(now) < end else { break }
            let connection = free[firstFree]
            firstFree += 1
            buffer.removeAll(keepingCapacity: true)
            stream.request(count, &buffer)
            let intended = due(now)
            count += 1
            arrivals += 1
            if connection.send(buffer, intended: intended) {
                sent(connection)
            } else {
                stream.fail("not taken")
                renew(connection)
            }
        }
        guard firstFree > 1_024 || firstFree == free.count else { return }
        free.removeFirst(firstFree)
        firstFree = 0
    }

    /// When there is something to send again; nil: when an answer has come.
    func nextDue(_ now: Int64) -> Int64? { firstFree < free.count ? due(now) : nil }

    func finish(_ connection: StreamConnection) { free.append(connection) }

    /// A connection that failed is replaced; a server that takes none is the end of the stream's requests there.
    func renew(_ connection: StreamConnection) {
        if (try? connection.replace()) != nil { finish(connection) }
    }

    /// The requests that were due and never sent.
    func missed(until end: Int64) -> Int {
        guard interval > 0, due(end) < end else { return 0 }
        return max(1, Int(Double(end - start) / interval) - arrivals)
    }

    /// The numbers of requests go on, so that none is sent twice.
    func restart(at start: Int64) {
        self.start = start
        arrivals = 0
    }
}
