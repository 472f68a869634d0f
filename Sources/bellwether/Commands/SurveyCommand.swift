internal import ArgumentParser
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// `bellwether survey`: evaluates answers to a survey without a daemon (docs/reference/surveys.md#surveys).
struct SurveyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "survey", abstract: "Evaluate surveys, and bring them in and out.",
        subcommands: [Evaluate.self, Batch.self, ImportDocument.self, ExportDocument.self])

    struct Evaluate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say which questions are shown, and what is wrong with the answers.",
            discussion: "Exit status 1: the definition cannot be read, or an answer is faulty.")

        @Option(help: ArgumentHelp("The survey or questionnaire.", valueName: "file"))
        var definition: String

        @Option(help: ArgumentHelp("The answers: an object by the ids of questions.", valueName: "file"))
        var answers: String

        @Flag(help: "Also tell each question's conditions with the values that they read.")
        var explain = false

        func run() throws {
            let line: JSONValue = [
                "definition": try read(definition), "answers": try read(answers), "explain": .bool(explain),
            ]
            let answer = SurveyBatch.answer(line, at: Clock.system.now())
            guard let message = answer.object?["error"]?.string else {
                try StandardOutput.writeLine(answer.prettyText)
                if answer.object?["errors"]?.array?.isEmpty == false { throw ExitCode(1) }
                return
            }
            StandardError.write(message)
            throw ExitCode(1)
        }

        private func read(_ path: String) throws -> JSONValue {
            var failures: [String] = []
            guard let file = FileAccess.file(path, &failures) else { throw failure(failures.joined(separator: "\n")) }
            do throws(JSONError) {
                return try JSONValue(parsing: file.text)
            } catch {
                throw failure("\(path): \(error.message)")
            }
        }

        /// The exit code if nothing was evaluated. Standard error has the reason.
        private func failure(_ message: String) -> ExitCode {
            StandardError.write(message)
            return ExitCode(1)
        }
    }

    struct Batch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer NDJSON from standard input, a line for each line.",
            discussion: """
                Each line is {"definition", "answers", "now"?, "explain"?}. It is answered {"visible", "complete", \
                "errors", "ranges"} or {"error"}. With "explain": true also {"explain"}: each question, whether it is \
                shown, and the tests of its condition with the values that they read.
                """)

        func run() throws {
            try StandardOutput.answerLines { line in
                do throws(JSONError) {
                    return SurveyBatch.answer(try JSONValue(parsing: line), at: Clock.system.now())
                } catch {
                    return ["error": .string(error.message)]
                }
            }
        }
    }
}
