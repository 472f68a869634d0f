internal import ArgumentParser
internal import BellwetherJSON

extension ForeignResponses: ExpressibleByArgument {}

extension ResponsesCommand {
    /// `bellwether responses import` (docs/reference/surveys.md#import-of-responses).
    struct ImportAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Take over responses that were given elsewhere.",
            discussion: """
                owlmetry: pages of its list of responses, or a response a line. surveynative: what apps have posted, \
                {"answers": {…}}, a list or one a line; with id, user_id and submitted_at where you have noted them. csv: \
                a header of question ids, and of id, user_id, client_id, status, created_at, submitted_at and what the \
                client said of itself. Each response is judged as one that is saved; what is refused is told with its \
                line, and the others are imported. The same file again imports nothing twice. Nobody is notified, and no \
                quota counts them. Exits with 1 if a response is refused.
                """)

        @Option(help: "Whose responses they are: owlmetry, surveynative or csv.")
        var from: ForeignResponses

        @Flag(help: "Say what would become of each, and store nothing.")
        var dryRun = false

        @Flag(help: "One JSON object a response, a line each.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: "The questionnaire or survey.")
        var slug: String

        @Argument(
            help: ArgumentHelp("What was exported; - is standard input.", valueName: "export"), completion: .file())
        var file: String

        func run() throws {
            let text = try FileAccess.text(of: file)
            let (daemon, app) = try remote.target()
            let recipe = try daemon.json(RemoteRequest("GET", "v1", "apps", app, "recipes", slug))
            let rows = ImportedRows(text, at: file, from: from, to: slug, ImportedQuestion.all(of: recipe))
            for entry in rows.leftOut {
                StandardError.write("\(file.plain): left out of \(Figure.count(entry.count)): \(entry.key.plain)")
            }
            let collection = recipe.object?["kind"]?.string == "survey" ? "surveys" : "questionnaires"
            let request = RemoteRequest("POST", "v1", "apps", app, collection, slug, "responses", "import")
            let repeats = recipe.object?["repeat"]?.object != nil
            var report = ImportReport(path: file, isJSON: json, isDryRun: dryRun, repeats: repeats)
            for fault in rows.faults { try report.refuse(fault) }
            var rest = rows.rows[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Self.batch)
                rest = rest.dropFirst(Self.batch)
                let answer = try daemon.json(
                    request.with(json: [
                        "source": .string(from.rawValue), "dry_run": .bool(dryRun),
                        "responses": .array(batch.map { .object($0.json) }),
                    ]))
                try report.report(Array(batch), answer.object?["results"]?.array ?? [])
            }
            try report.printSum()
            if report.hasRefusals { throw ExitCode(1) }
        }

        /// The maximum number of responses in one request.
        private static let batch = 100
    }
}

/// The outcomes of the responses in a file.
private struct ImportReport {
    let path: String
    let isJSON: Bool
    let isDryRun: Bool
    private var counts: [String: Int] = [:]
    /// Whether a respondent may have several answers.
    let repeats: Bool
    /// The first line of each respondent, who may have only one response, or one draft or several answers if the recipe
    /// repeats. A dry run stores nothing, so the daemon cannot find the second one.
    private var respondents: [String: (line: Int, isDraft: Bool)] = [:]

    init(path: String, isJSON: Bool, isDryRun: Bool, repeats: Bool) {
        (self.path, self.isJSON, self.isDryRun, self.repeats) = (path, isJSON, isDryRun, repeats)
    }

    var hasRefusals: Bool { counts["refused"] != nil }

    /// Reports a response that was not sent.
    mutating func refuse(_ fault: LocatedFinding) throws {
        try print(nil, line: fault.position?.line ?? 1, "refused", [fault])
    }

    mutating func report(_ rows: [ImportedRows.Row], _ results: [JSONValue]) throws {
        for (row, result) in zip(rows, results) {
            var outcome = result.object?["outcome"]?.string ?? ""
            var findings = RemoteResponse(status: 200, headers: [:], body: result.encoded).findings("errors")
            if isDryRun, outcome == "imported", let earlier = lineOfRespondent(row) {
                outcome = "refused"
                findings = [
                    Finding(
                        pointer: .root, code: "already_responded",
                        message: "the respondent has the response of line \(earlier)")
                ]
            }
            let faults = findings.map {
                LocatedFinding($0, isFault: true, path: path, position: (row.line, 1))
            }
            try print(row.id, line: row.line, outcome, faults)
        }
    }

    private mutating func lineOfRespondent(_ row: ImportedRows.Row) -> Int? {
        let user = row.json["user_id"]?.string.map { "user:" + $0 }
        guard let key = user ?? row.json["client_id"]?.string.map({ "client:" + $0 }) else { return nil }
        let isDraft = row.json["status"]?.string == "draft"
        guard let first = respondents[key] else {
            respondents[key] = (row.line, isDraft)
            return nil
        }
        return repeats && !isDraft && !first.isDraft ? nil : first.line
    }

    private mutating func print(_ id: String?, line: Int, _ outcome: String, _ faults: [LocatedFinding]) throws {
        counts[outcome, default: 0] += 1
        guard isJSON else {
            for fault in faults { try StandardOutput.writeLine(fault.tintedLine) }
            return
        }
        let json: JSONValue = [
            "line": .integer(Int64(line)), "id": id.map { .string($0) } ?? .null, "outcome": .string(outcome),
            "errors": .array(faults.map(\.json)),
        ]
        try StandardOutput.writeLine(json.text)
    }

    /// Prints a summary such as `2 imported, 1 refused`. With JSON, each line already has its outcome.
    func printSum() throws {
        guard !isJSON else { return }
        let words = [
            ("imported", isDryRun ? "would be imported" : "imported"), ("known", "known already"),
            ("refused", "refused"),
        ]
        let sums = words.compactMap { key, words in counts[key].map { "\(Figure.count($0)) \(words)" } }
        try StandardOutput.writeLine(sums.isEmpty ? "no responses" : sums.joined(separator: ", "))
    }
}
