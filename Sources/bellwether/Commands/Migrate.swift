internal import ArgumentParser
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// `bellwether migrate`: migrates the tables of a PostgreSQL database to this program's schema.
struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the tables of a PostgreSQL database to this program's schema.",
        discussion: """
            First tables expand: what this program needs is added, and daemons of the version before go on beside it. \
            Run it once with the new program, then replace the daemons one after another. Then --contract takes away \
            what only the old ones used; it refuses while one of them is connected. Each step is a transaction, and of \
            several commands that run at once one does it. An empty database needs none of it: the first daemon that \
            starts makes its tables.
            """)

    @Option(help: ArgumentHelp("The store: a postgresql: URI.", valueName: "url"))
    var store: String

    @Flag(help: "Print the steps that are due, with their statements, and change nothing.")
    var plan = false

    @Flag(help: "Also take away what only older programs use.")
    var contract = false

    @Flag(help: "What was done, as a JSON object.")
    var json = false

    func run() throws {
        let location = try StoreURL.option(store, "--store")
        do throws(StoreError) {
            let report = try location.migrate(plan ? .plan : contract ? .contract : .expand)
            try? StandardOutput.writeLine(json ? report.json.text : report.text(isPlan: plan))
        } catch {
            StandardError.write(error.sentence)
            throw ExitCode(1)
        }
    }
}

extension MigrationReport {
    fileprivate func text(isPlan: Bool) -> String {
        guard !steps.isEmpty else { return "the database has schema \(after); there is nothing to do" }
        let lines = steps.map { step in
            let title = "\(step.version) \(step.phase.rawValue): \(step.title)"
            return isPlan ? ([title] + step.statements.map { "  \($0);" }).joined(separator: "\n") : title
        }
        let end = isPlan ? "the database has schema \(before); nothing was changed" : "the database has schema \(after)"
        return (lines + [end]).joined(separator: "\n")
    }

    fileprivate var json: JSONValue {
        [
            "before": .integer(before), "after": .integer(after),
            "steps": .array(
                steps.map { step in
                    [
                        "version": .integer(step.version), "phase": .string(step.phase.rawValue),
                        "title": .string(step.title), "statements": .array(step.statements.map { .string($0) }),
                    ]
                }),
        ]
    }
}
