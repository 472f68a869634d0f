/// The capacity of a daemon, measured by polling as fast as it responds.
final class Saturation {
    unowned let bench: Workbench
    private var found: [Int: Double] = [:]

    init(_ bench: Workbench) { self.bench = bench }

    /// The daemon's rate, measured once a round at the first call, because the speed of a shared machine varies.
    func rate(round: Int) throws -> Double {
        if let known = found[round] { return known }
        _ = try measure(round: round)
        return found[round] ?? 0
    }

    func polls(_ arrivals: Stream.Arrivals) throws -> Stream {
        try PollSource(LoadedServer.clients).stream("polls", arrivals, connections: bench.connections)
    }

    /// Runs the streams for the given time, or else for the time of a row.
    /// - Returns: the processor time that the daemon used, in microseconds, and the measured seconds.
    func run(
        _ streams: [Stream], seconds: Int? = nil, against hostility: (any AdverseLoad)? = nil
    ) throws -> (used: Double, seconds: Double) {
        let server = try LoadedServer.server(bench)
        try bench.takeLoadCore()
        var before = 0.0
        let generator = try LoadGenerator(port: server.port, streams, against: hostility)
        let seconds = try generator.run(seconds: Double(seconds ?? bench.seconds)) {
            before = try ProcessUsage.cpu(of: server.pid)
        }
        return (try ProcessUsage.cpu(of: server.pid) - before, seconds)
    }

    /// Measures the capacity. The daemon's share of its processor shows whether the daemon or the generator was the
    /// limit.
    func measure(round: Int) throws -> Sample {
        let polls = try polls(.closed)
        let (used, seconds) = try run([polls])
        guard polls.failed == 0, polls.answered > 0 else { throw Failure("polls: \(polls.complaint)") }
        let rate = Double(polls.answered) / seconds
        if found[round] == nil { found[round] = rate }
        return Sample(
            cpu: used / Double(polls.answered), rate: rate, p99: polls.p99,
            quantity: used / seconds / 10_000)
    }
}
