/// Requests of one kind: how they arrive, what they are, and what became of them.
final class Stream {
    enum Arrivals {
        /// Each connection asks again as soon as it has its answer: finds what a server can do.
        case closed
        /// So many a second, whatever the server does. A request that no connection is free for waits, and its time
        /// counts from when it should have been sent: no stall is left out ("coordinated omission").
        case rate(Double)
    }

    let name: String
    let arrivals: Arrivals
    let connections: Int
    /// Statuses that are as they should be.
    let expected: Set<Int>
    /// Appends the request of a number.
    let request: (Int, inout [UInt8]) -> Void

    private(set) var latencies = Histogram()
    /// The failures, and how often each occurred.
    private(set) var failures: [String: Int] = [:]

    init(
        _ name: String, _ arrivals: Arrivals, connections: Int, expecting expected: Set<Int> = [200],
        request: @escaping (Int, inout [UInt8]) -> Void
    ) {
        self.name = name
        self.arrivals = arrivals
        self.connections = connections
        self.expected = expected
        self.request = request
    }

    var answered: Int { latencies.count }
    var failed: Int { failures.values.reduce(0, +) }
    var p99: Double { latencies.milliseconds(at: 0.99) }

    func answered(_ status: Int, after nanoseconds: Int64) {
        expected.contains(status) ? latencies.record(nanoseconds) : fail("status \(status)")
    }

    func fail(_ reason: String, count: Int = 1) {
        if count > 0 { failures[reason, default: 0] += count }
    }

    /// Nothing has happened yet.
    func reset() { (latencies, failures) = (Histogram(), [:]) }

    /// For messages: what went wrong.
    var complaint: String {
        failures.sorted { $0.key < $1.key }.map { "\(name): \($0.value) × \($0.key)" }.joined(separator: ", ")
    }
}
