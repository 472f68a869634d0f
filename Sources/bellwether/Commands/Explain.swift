internal import ArgumentParser
internal import BellwetherAPI
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Foundation

/// `bellwether explain`: the explain call of the API, offline, on files (api.md 5).
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say why each message is shown, or not, and what would change that.",
        discussion: """
            The request is the body of POST /v1/apps/{app}/explain: {"surface", "context"?, "events"?, "ledger"?, \
            "enrollments"?, "now"?}. All recipes of the folder are live; a client_id is that of a client without a \
            history. Exits with 1 if a file cannot be read.
            """)

    @Option(help: ArgumentHelp("The app's manifest.", valueName: "file"))
    var manifest: String

    @Option(help: ArgumentHelp("A folder of {locale}.json.", valueName: "dir"))
    var strings: String?

    @Option(help: ArgumentHelp("A folder of {slug}.json.", valueName: "dir"))
    var recipes: String?

    @Option(help: ArgumentHelp("The question.", valueName: "file"))
    var request: String

    @Flag(help: "The API's answer, as JSON.")
    var json = false

    func run() throws {
        let files = files()
        let report = CheckReport(FileCatalog(app: "app", files))
        guard !report.hasFaults, let edition = FileEdition(files).edition else {
            report.complain()
            throw ExitCode(1)
        }
        let question = try question(under: edition.manifest)
        let explanation = question.explanation(state: ClientState(), edition: edition)
        if json {
            StandardOutput.writeLine(explanation.json.text)
        } else {
            for line in ExplanationTree(explanation, question).lines { StandardOutput.writeLine(line) }
        }
    }

    private func files() -> FileCatalog.App {
        var app = FileCatalog.App()
        app.manifest = FileCatalog.File(path: manifest, text: [UInt8](readingIfThere: manifest))
        app.strings = documents(in: strings)
        app.recipes = documents(in: recipes)
        return app
    }

    /// By name, without the ending.
    private func documents(in folder: String?) -> [String: FileCatalog.File] {
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        var files: [String: FileCatalog.File] = [:]
        for name in names where name.hasSuffix(".json") && !name.hasPrefix(".") {
            let path = URL(fileURLWithPath: folder ?? "").appendingPathComponent(name).path
            files[String(name.dropLast(".json".count))] = FileCatalog.File(
                path: path, text: [UInt8](readingIfThere: path))
        }
        return files
    }

    private func question(under manifest: Manifest) throws -> ExplainQuestion {
        let findings = Findings()
        let value: JSONValue
        do {
            value = try JSONValue(parsing: [UInt8](readingIfThere: request))
        } catch {
            StandardError.write("\(request): \(error.message)")
            throw ExitCode(1)
        }
        let question = ExplainQuestion(
            JSONReader(value, findings: findings), .init(manifest: manifest, now: Clock.system.now()))
        for fault in findings.faults + [question.excess].compactMap(\.self) {
            StandardError.write("\(request): \(fault.pointer): \(fault.message) [\(fault.code)]")
        }
        if !findings.faults.isEmpty || question.excess != nil { throw ExitCode(1) }
        return question
    }
}

extension [UInt8] {
    /// Nothing, where there is no such file: what is empty is no JSON, and told as that.
    fileprivate init(readingIfThere path: String) {
        self.init(FileManager.default.contents(atPath: path) ?? Data())
    }
}
