package import ArgumentParser
internal import BellwetherJSON
internal import Surveys

/// `bellwether condition`: evaluates conditions without a daemon (docs/reference/surveys.md#conditions).
package struct ConditionCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "condition", abstract: "Evaluate conditions of surveys and flows.", subcommands: [Batch.self])

    package init() {}

    struct Batch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer NDJSON from standard input, a line for each line.",
            discussion: """
                Each line is {"dialect", "condition", "facts", "explain"?}, where the dialect is show_if, depends_on, \
                visibility, rules, audience or core. It is answered {"value"} or {"error"}. With "explain": true also \
                {"leaves"}: each test with the value that it read.
                """)

        func run() throws {
            try StandardOutput.answerLines { line in
                do throws(JSONError) {
                    return ConditionBatch.answer(try JSONValue(parsing: line))
                } catch {
                    return ["error": .string(error.message)]
                }
            }
        }
    }
}
