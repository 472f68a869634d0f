package import ArgumentParser
internal import BellwetherAuthoring

/// `bellwether goals`: the estimates of goals without a daemon (docs/reference/goals.md#the-command-goals).
package struct GoalsCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "goals", abstract: "Estimate goals of experiments from counts.", subcommands: [Batch.self])

    package init() {}

    struct Batch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer NDJSON from standard input, a line for each line.",
            discussion: """
                Each line is {"goal", "control", "branches", "guards"?, "minimum_cell"?}, where a branch has "branch", \
                "ratio", "n", "c", "sy", "syy", "sx", "sxx" and "sxy". It is answered {"branches", "comparisons", \
                "sample_ratio", "guards"} or {"error"}. A line {"size"} is answered as bellwether size --goal does.
                """)

        func run() throws { try StandardOutput.answerLines { GoalBatch.answer(line: $0) } }
    }
}
