package import ArgumentParser
internal import BellwetherBase
internal import BellwetherJSON

/// `bellwether results`: shows the results of a recipe (docs/reference/http-api.md#commands-that-ask-a-daemon).
package struct ShowResults: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "results", abstract: "Show what came back of a recipe.",
        discussion: """
            Answers by option with 95 % intervals, means where the options are a scale, how far clients went, and the \
            same by branch. --json and --csv have it by locale and day, too. Counts of few people are withheld. Of a \
            questionnaire or survey: counts and bars for each question, and where respondents stopped. Of a flow: how many \
            came to each step, and what they did there.
            """)

    @OptionGroup var remote: RemoteAppOptions

    @Flag(help: "The daemon's whole answer as JSON.")
    var json = false

    @Flag(help: "The same as CSV, one number a line.")
    var csv = false

    @Flag(help: "The CSV begins with a byte order mark, for spreadsheets.")
    var bom = false

    @Flag(help: "Of a questionnaire or survey, leave out what was imported.")
    var withoutImported = false

    @Flag(help: "Of a questionnaire, survey or flow, leave out what was not submitted.")
    var submittedOnly = false

    @Option(help: "Of a questionnaire, survey or flow: production, development or all.")
    var dataMode: String?

    @Option(help: ArgumentHelp("Leave out what began before this day (YYYY-MM-DD, UTC).", valueName: "day"))
    var from: String?

    @Option(help: ArgumentHelp("Leave out what began after this day (YYYY-MM-DD, UTC).", valueName: "day"))
    var to: String?

    @Option(help: "Only this branch: BRANCH, or EXPERIMENT/BRANCH.")
    var branch: String?

    @Option(
        help: ArgumentHelp(
            "Also for each value of a kept attribute, or branch; or in order: round, day, week, month or quarter.",
            valueName: "attribute"))
    var by: String?

    @Option(
        help: ArgumentHelp(
            "Of a questionnaire, survey or flow, only who has this value of a kept attribute.", valueName: "name=value")
    )
    var attribute: String?

    @Argument(help: "The recipe.")
    var slug: String

    package init() {}

    package func validate() throws {
        if json, csv { throw ValidationError("Give --json or --csv.") }
        if bom, !csv { throw ValidationError("--bom is for --csv.") }
        if let attribute, filter == nil {
            throw ValidationError("\(attribute.plain) is no NAME=VALUE.")
        }
    }

    private var filter: (name: String, value: String)? {
        guard let attribute, let end = attribute.firstIndex(of: "="), end > attribute.startIndex else { return nil }
        return (String(attribute[..<end]), String(attribute[attribute.index(after: end)...]))
    }

    package func run() throws {
        let (daemon, app) = try remote.target()
        let request = RemoteRequest("GET", "v1", "apps", app, "results", slug).with("format", csv ? "csv" : "json")
            .with("bom", bom ? "true" : nil)
            .with("imported", withoutImported ? "false" : nil)
            .with("submitted_only", submittedOnly ? "true" : nil).with("data_mode", dataMode)
            .with("from", from).with("to", to).with("branch", branch).with("by", by)
            .with("attr." + (filter?.name ?? ""), filter?.value)
        let answer = try daemon.send(request)
        if csv {
            var body = answer.body
            return try StandardOutput.write(&body, .data)
        }
        let results = try answer.json()
        try StandardOutput.writeLine(json ? results.text : Self.lines(results).joined(separator: "\n"))
    }

    /// Results of messages have no member `kind`.
    private static func lines(_ results: JSONValue) -> [String] {
        switch results.object?["kind"]?.string {
        case nil: ResultsText(results).lines
        case "flow": FlowResultsText(results).lines
        default: SurveyResultsText(results).lines
        }
    }
}
