internal import ArgumentParser
internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// `bellwether explain`: the API's explain request, without a daemon, on files
/// (docs/reference/http-api.md#the-command-explain).
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say why each message is shown, or not, and what would change that.",
        discussion: """
            The request is the body of POST /v1/apps/{app}/explain: {"surface", "context"?, "events"?, "ledger"?, \
            "answered"?, "enrollments"?, "now"?}. In "ledger" a message has "display_count", "dismissed", "clicked", \
            "expired", "last_displayed_at" and "dismissed_at"; in "answered" a recipe has "rounds" and "at". Recipes \
            of the folder are live between their dates; a client_id is that of a client without a history. Exits \
            with 1 if a file cannot be read.
            """)

    @Option(help: ArgumentHelp("The app's manifest.", valueName: "file"), completion: .file(extensions: ["json"]))
    var manifest: String

    @Option(help: ArgumentHelp("A folder of {locale}.json.", valueName: "dir"), completion: .directory)
    var strings: String?

    @Option(help: ArgumentHelp("A folder of {slug}.json.", valueName: "dir"), completion: .directory)
    var recipes: String?

    @Option(help: ArgumentHelp("The question.", valueName: "file"), completion: .file(extensions: ["json"]))
    var request: String

    @Flag(help: "The API's answer, as JSON.")
    var json = false

    private static let app: Identifier = "app"

    func run() throws {
        let files = files()
        let report = CheckReport(files)
        let now = Clock.system.now()
        let app = files.apps[Self.app].map { FileApp($0, at: now) }
        guard !report.hasFaults, let app, let compiledApp = app.compiledApp else {
            report.complain()
            throw ExitCode(1)
        }
        let question = try question(under: compiledApp.manifest, at: now)
        var explanation = question.explanation(state: ClientState(), compiledApp: compiledApp)
        explanation.unserved = app.unserved
        if json {
            try StandardOutput.writeLine(explanation.json.text)
        } else {
            for line in ExplanationTree(explanation, question).lines {
                let line = line.plain.replacing("✓", with: Terminal.tinted("✓", .good))
                try StandardOutput.writeLine(line.replacing("✗", with: Terminal.tinted("✗", .bad)))
            }
        }
    }

    private func files() -> FileCatalog {
        var files = FileCatalog()
        var app = FileCatalog.App()
        app.manifest = FileAccess.file(manifest, &files.failures)
        app.strings = documents(in: strings, &files.failures)
        app.recipes = documents(in: recipes, &files.failures)
        files.apps[Self.app] = app
        return files
    }

    /// The documents by name, without the file extension.
    private func documents(in folder: String?, _ failures: inout [String]) -> [Identifier: FileCatalog.File] {
        guard let folder, let names = FileAccess.entries(of: folder, &failures) else { return [:] }
        var files: [Identifier: FileCatalog.File] = [:]
        for name in names {
            guard let stem = FileAccess.stem(name) else { continue }
            files[Identifier(stem)] = FileAccess.file(FileAccess.joined(folder, name), &failures)
        }
        return files
    }

    private func question(under manifest: Manifest, at now: Timestamp) throws -> ExplainRequest {
        var failures: [String] = []
        let text = FileAccess.file(request, &failures)?.text ?? []
        let findings = Findings()
        var question: ExplainRequest?
        do throws(JSONError) {
            let reader = JSONReader(try JSONValue(parsing: text), findings: findings)
            let asked = ExplainRequest(reader, .init(manifest: manifest, now: now))
            for fault in findings.faults + asked.excess {
                failures.append("\(request): \(fault.pointer): \(fault.message) [\(fault.code)]")
            }
            question = asked
        } catch {
            if failures.isEmpty { failures.append("\(request): \(error.message)") }
        }
        for failure in failures { StandardError.write(failure.plain) }
        guard failures.isEmpty, let question else { throw ExitCode(1) }
        return question
    }
}
