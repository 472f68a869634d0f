/// The state of a stream while it runs: its connections and its due requests.
final class StreamTraffic {
    let stream: Stream
    private(set) var connections: [StreamConnection] = []
    /// The connections without a request under way, as a queue, so that all are used in turn.
    private var free: [StreamConnection] = []
    private var firstFree = 0
    private var count = 0
    private var buffer: [UInt8] = []
    /// The nanoseconds from one arrival to the next; 0 if connections send without a rate.
    private let interval: Double
    private var start: Int64 = 0
    private var arrivals = 0

    init(_ stream: Stream, port: Int) throws {
        self.stream = stream
        if case .rate(let rate) = stream.arrivals { interval = 1_000_000_000 / rate } else { interval = 0 }
        connections = try (0..<stream.connections).map { _ in try StreamConnection(to: port, of: self) }
        free = connections
    }

    /// The time at which the next request should be sent, if a connection is free.
    private func due(_ now: Int64) -> Int64 { interval == 0 ? now : start + Int64(Double(arrivals) * interval) }

    /// Sends all due requests, as long as connections are free.
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

    /// The time of the next send; nil if no connection is free before a response arrives.
    func nextDue(_ now: Int64) -> Int64? { firstFree < free.count ? due(now) : nil }

    func finish(_ connection: StreamConnection) { free.append(connection) }

    /// Replaces a failed connection. If the server does not accept the new one, the stream has one connection less.
    func renew(_ connection: StreamConnection) {
        if (try? connection.replace()) != nil { finish(connection) }
    }

    /// The number of requests that were due and never sent.
    func missed(until end: Int64) -> Int {
        guard interval > 0, due(end) < end else { return 0 }
        return max(1, Int(Double(end - start) / interval) - arrivals)
    }

    /// Restarts the schedule. The numbers of requests continue, so no request is sent twice.
    func restart(at start: Int64) {
        self.start = start
        arrivals = 0
    }
}
