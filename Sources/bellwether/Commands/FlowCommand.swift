internal import ArgumentParser
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// `bellwether flow`: runs flows without a daemon (docs/reference/flows.md).
struct FlowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flow", abstract: "Run onboarding flows.", subcommands: [Batch.self])

    struct Batch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer NDJSON from standard input, a line for each line.",
            discussion: """
                Each line is {"flow", "actions": [{"step_id", "response", "action"}], "context"?, "attributes"?, \
                "platform"?, "locale"?, "now"?}. It is answered {"runs", "events"} or {"error"}: the run after the \
                start and after each action, and what the log would have. Hooks are not called; each proceeds.
                """)

        func run() throws {
            try StandardOutput.answerLines { line in
                do throws(JSONError) {
                    return FlowBatch.answer(try JSONValue(parsing: line), now: Clock.system.now())
                } catch {
                    return ["error": .string(error.message)]
                }
            }
        }
    }
}
