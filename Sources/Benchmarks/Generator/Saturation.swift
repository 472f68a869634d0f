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

    /// Measures the capacity.
    func measure(round: Int) throws -> Sample {
        let polls = try polls(.closed)
        let sample = try LoadGenerator.sample(
            of: polls, on: LoadedServer.server(bench), seconds: bench.seconds, bench)
        if found[round] == nil { found[round] = sample.rate }
        return sample
    }
}
