import ArgumentParser
import Foundation

/// `make bench`: the daemon beside the reference programs, in interleaved rounds on loopback, as one table.
///
/// Read server CPU first: it holds on a shared machine, while requests per second and p99 move with the neighbours. Ratios
/// are taken round by round, within this run only.
@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks", abstract: "Measures bellwether beside the reference programs.")

    @Option(help: "The daemon's program, a release build.")
    var server = ".build/release/bellwether"

    @Option(help: "Folder of the built reference programs; what is not there is left out.")
    var references = ".bench"

    @Option(help: "Folder of the wrk scripts.")
    var scripts = "Bench"

    @Option(help: "App folder whose manifest and string tables are served.")
    var app = "config/apps/firefox-ios"

    @Option(help: "Where databases and files of this run live; emptied at the start, removed at the end.")
    var work = ".bench/work"

    @Option(help: "Rounds; each row is measured once a round.")
    var rounds = 3

    @Option(help: "Seconds of load in each measurement.")
    var seconds = 3

    @Option(help: "Connections of the load generator.")
    var connections = 64

    @Option(help: "Only rows whose name contains this; may repeat. Rows that they are compared with are taken too.")
    var only: [String] = []

    func validate() throws {
        guard rounds > 0, seconds > 0, connections > 0 else {
            throw ValidationError("rounds, seconds and connections are at least 1")
        }
    }

    func run() throws {
        Interruption.watch()
        let bench = try Workbench(self)
        defer { bench.close() }
        let chosen = Plan.choose(from: Plan.families.flatMap { $0(bench) }, only: only)
        guard !chosen.isEmpty else { throw Failure("no row to measure: is \(references) built, is --only right?") }
        print(bench.heading)
        var rounds = Rounds(chosen)
        try rounds.prepare()
        for round in 1...self.rounds { try rounds.run(round) }
        print(Table(rounds.results).text)
    }
}
