internal import ArgumentParser
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// `bellwether push`: uploads manifests, strings and recipes to a running daemon
/// (docs/reference/http-api.md#commands-that-ask-a-daemon).
struct Push: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Upload a manifest, strings and recipes to a running daemon.",
        discussion: """
            A path is a file, or a folder laid out as `serve` reads it: manifest.json, strings/{locale}.json and recipes, \
            {slug}.json; of a folder of apps, the one that is pushed is taken. A file may also hold {"data": [recipe, …]}. \
            All is checked first, and if there is a fault nothing is sent. Then the manifest goes first, strings and \
            recipes follow. What the daemon has already gets no new revision, so that the same push may be repeated. \
            What is pushed is remembered below $XDG_STATE_HOME/bellwether (~/.local/state/bellwether): a document that \
            somebody else has changed since your last push is refused. Needs a token of scope owner. Exits with 1 if a \
            document is refused, and if a recipe has ended and so is not served.
            """)

    @OptionGroup var remote: RemoteOptions

    @Option(help: "The app's name in the daemon.")
    var app: String

    @Flag(help: "Check, say what would change, and send nothing.")
    var dryRun = false

    @Flag(help: "Store recipes as drafts; what is served goes on.")
    var draft = false

    @Flag(help: "Put drafts live that are pushed, also those that another person has written.")
    var live = false

    @Flag(help: "Overwrite also what somebody else has changed since your last push.")
    var force = false

    @Flag(help: "Every warning is a fault.")
    var strict = false

    @Flag(help: "One JSON object a document, a line each.")
    var json = false

    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String]

    func validate() throws {
        if draft, live { throw ValidationError("--draft and --live exclude each other.") }
        if !app.isIdentifier || app.meansAllApps {
            throw ValidationError("An app's name is 1 to 128 printable characters, and not *.")
        }
    }

    func run() throws {
        let reading = PushReading(paths, app: app)
        let documents = reading.documents
        for failure in reading.failures { StandardError.write(failure.plain) }
        for note in reading.notes { StandardError.write(note.line) }
        guard reading.failures.isEmpty else { throw ExitCode(1) }
        guard !documents.isEmpty || !reading.nameless.isEmpty else {
            StandardError.write("There is nothing to push.")
            throw ExitCode(1)
        }
        let there = try RemoteApp(try remote.daemon(), Identifier(app))
        guard there.recipes != nil || documents.contains(where: { $0.name == .manifest }) else {
            StandardError.write("The daemon has no app \(app): push its manifest, too.")
            throw ExitCode(1)
        }
        let report = PushReport(documents, asJSON: json)
        let overwriting = try OverwriteGuard(documents, there, isForced: force)
        let check = try PushCheck(documents, there, overwriting, isStrict: strict)
        if check.hasFaults || !reading.nameless.isEmpty {
            try keepBack(documents, check, reading.nameless, report)
        } else if dryRun {
            let forecast = PushForecast(app: there, target: target)
            for (document, findings) in zip(documents, check.findings) {
                try report.print(forecast.row(document, findings))
            }
        } else {
            let upload = PushUpload(
                app: there, overwriting: overwriting, target: target, isStrict: strict,
                checkedManifest: checkedManifest(documents, check))
            try upload.send(documents, report)
            if let active = reading.activeFlow, report.isGood, !draft { try upload.activate(active, report) }
        }
        try report.printSum()
        if !report.isGood { throw ExitCode(1) }
    }

    private var target: PushUpload.Target { draft ? .draft : live ? .live : .usual }

    /// The findings in the manifest, if strings are also pushed.
    private func checkedManifest(_ documents: [SourceDocument], _ check: PushCheck) -> [LocatedFinding]? {
        guard documents.contains(where: { $0.name.kind == "strings" }) else { return nil }
        return documents.firstIndex { $0.name == .manifest }.map { check.findings[$0] }
    }

    private func keepBack(
        _ documents: [SourceDocument], _ check: PushCheck, _ nameless: [LocatedFinding], _ report: PushReport
    ) throws {
        for (document, findings) in zip(documents, check.findings) {
            let outcome: PushRow.Outcome = findings.contains(where: \.isFault) ? .refused : .notSent
            try report.print(PushRow(document, outcome, findings: findings))
        }
        for finding in nameless { try report.print(PushRow(nameless: finding)) }
    }
}
