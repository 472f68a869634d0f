import ArgumentParser

/// The options of all commands: the paths of programs and files, and the duration of each measurement.
struct BenchmarkOptions: ParsableArguments {
    @Option(help: "The daemon's program, a release build.")
    var server = ".build/release/bellwether"

    @Option(help: "Folder of the built reference programs; what is not there is left out.")
    var references = ".bench"

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

    func validate() throws {
        guard rounds > 0, seconds > 0, connections > 0 else {
            throw ValidationError("rounds, seconds and connections are at least 1")
        }
    }

    /// Runs work at a workbench, which is closed even if the work fails.
    func atWorkbench(_ work: (Workbench) throws -> Void) throws {
        Interruption.watch()
        let bench = try Workbench(self)
        defer { bench.close() }
        try work(bench)
    }
}
