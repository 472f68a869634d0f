import Foundation

/// The rows at half rate. They take turns of one second, at half of the closed loop's rate in the same round. So other
/// load on the machine affects all of these rows alike.
final class HalfRateIntervals {
    /// The seconds that the daemon may need to notice that the connections of adverse load are closed.
    private static let patience = 30.0
    private let saturation: Saturation
    private var rows: [HalfRateRow] = []
    private var measured: (round: Int, outcomes: [String: HalfRateOutcome])?

    init(_ saturation: Saturation) { self.saturation = saturation }

    /// Adds a row. Rows that are not chosen for a run are never added.
    func join(_ row: HalfRateRow) { rows.append(row) }

    /// Measures the rows once a round, at the first call of any of them, and returns the outcomes by row name.
    func measure(round: Int) throws -> [String: HalfRateOutcome] {
        if let measured, measured.round == round { return measured.outcomes }
        let rate = try saturation.rate(round: round) / 2
        var outcomes: [String: HalfRateOutcome] = [:]
        for turn in 0..<turns {
            for row in turn.isMultiple(of: 2) ? rows : rows.reversed() {
                let p99 = try take(&outcomes[row.name, default: HalfRateOutcome()], row, at: rate)
                Progress.report("turn \(turn + 1): \(row.name): p99 \(p99.figure(places: 2)) ms")
            }
        }
        measured = (round, outcomes)
        return outcomes
    }

    /// The number of turns, of one second each. It is odd, so that one of them is the median.
    private var turns: Int { max(5, saturation.bench.seconds | 1) }

    /// Measures one turn and returns its p99. It returns after the other load has ended, so that the next turn measures
    /// the next row only.
    private func take(_ outcome: inout HalfRateOutcome, _ row: HalfRateRow, at rate: Double) throws -> Double {
        let server = try LoadedServer.server(saturation.bench)
        let p99 = try keepCompany(&outcome, row, at: rate, server)
        if outcome.presence != nil { try awaitDeparture(from: server) }
        return p99
    }

    /// Runs the polls beside the row's other load, which ends when this returns.
    private func keepCompany(
        _ outcome: inout HalfRateOutcome, _ row: HalfRateRow, at rate: Double, _ server: BellwetherServer
    ) throws -> Double {
        var streams = [try saturation.polls(.rate(rate))]
        let before = try LoadPresence.Look(server)
        let company = try row.company(server.port)
        if case .streams(let others) = company { streams += others }
        let hostility: (any AdverseLoad)? = if case .hostile(let hostility) = company { hostility } else { nil }
        let run = try LoadGenerator.run(streams, on: server, seconds: 1, against: hostility, saturation.bench)
        if let hostility {
            let after = try withExtendedLifetime(hostility) { try LoadPresence.Look(server) }
            outcome.presence = LoadPresence(before: before, after: after)
        }
        let failed = streams.reduce(0) { $0 + $1.failed }
        if failed > 0 { Progress.report(streams.map(\.complaint).filter { !$0.isEmpty }.joined(separator: "; ")) }
        for stream in streams where stream.answered == 0 { throw Failure("\(stream.name): nothing was answered") }
        outcome.p99s.append(streams[0].p99)
        outcome.latencies.add(streams[0].latencies)
        outcome.failed += failed
        // Beside other streams, the processor time would include theirs.
        if case .nobody = company { outcome.used = (outcome.used ?? 0) + run.used }
        outcome.seconds += run.seconds
        return streams[0].p99
    }

    /// Waits until only the permanent clients are connected to the daemon.
    private func awaitDeparture(from server: BellwetherServer) throws {
        let end = MonotonicClock.now + Int64(Self.patience * 1_000_000_000)
        while try LoadPresence.Look(server).open > 1 {
            guard MonotonicClock.now < end else { throw Failure("the daemon still has connections of bad company") }
            Thread.sleep(forTimeInterval: 0.1)
        }
    }
}
