import ArgumentParser

/// Kills the daemon at random moments under load and checks which data it still has. Exits with 1 at the first error.
struct ProveDurability: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash", abstract: "kill -9 under load, again and again: nothing lost, nothing doubled.")

    @OptionGroup var options: BenchmarkOptions

    @Option(help: "How often the daemon is killed.")
    var crashRounds = 10

    @Option(help: "Of the random moments and of the load; the same one makes the same plan.")
    var seed: UInt64 = .random(in: 1...UInt64(UInt32.max))

    func validate() throws {
        guard crashRounds > 0 else { throw ValidationError("crash-rounds is at least 1") }
    }

    func run() throws {
        try options.atWorkbench { bench in
            print("seed \(seed)")
            let crashes = try CrashRun(bench, seed: seed)
            for round in 1...crashRounds {
                try Interruption.check()
                Progress.report("crash \(round) of \(crashRounds)")
                try crashes.run(round)
            }
            Progress.report("notifications")
            try crashes.end()
            Progress.report("")
            print(crashes.summary)
        }
    }
}
