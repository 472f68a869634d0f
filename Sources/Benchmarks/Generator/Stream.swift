/// Requests of one kind: their arrivals, their bytes and their results.
final class Stream {
    enum Arrivals {
        /// Each connection sends the next request as soon as it has the response. This finds the capacity of a server.
        case closed
        /// A constant number of requests a second, whatever the server does. A request waits if no connection is free
        /// for it, and its time counts from the moment at which it should have been sent. So no stall is left out
        /// ("coordinated omission").
        case rate(Double)
    }

    let name: String
    let arrivals: Arrivals
    let connections: Int
    /// The statuses that are not failures.
    let expected: Set<Int>
    /// Appends the request with a number.
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

    /// Deletes all results.
    func reset() { (latencies, failures) = (Histogram(), [:]) }

    /// The failures, as text for messages.
    var complaint: String {
        failures.sorted { $0.key < $1.key }.map { "\(name): \($0.value) × \($0.key)" }.joined(separator: ", ")
    }
}
