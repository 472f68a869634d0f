package import ArgumentParser
internal import BellwetherBase
internal import BellwetherJSON

/// `bellwether responses`: reads and edits single responses (docs/reference/http-api.md#responses).
package struct ResponsesCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "responses",
        abstract: "Read, triage, export and import responses to questionnaires, surveys and flows.",
        discussion: "Needs a token of scope owner.",
        subcommands: [
            List.self, Show.self, SetStatus.self, AddComment.self, Notes.self, Delete.self, ExportAll.self,
            ImportAll.self,
        ])

    package init() {}

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the responses to a questionnaire or survey, or the runs of a flow, newest first.")

        @OptionGroup var filter: ResponseFilter

        @Option(help: "At most so many; without it, all.")
        var limit: Int?

        @Flag(help: "The responses themselves, a JSON object a line.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: "The questionnaire, survey or flow; also one that was deleted.")
        var slug: String

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("The limit is at least 1.") }
        }

        func run() throws {
            let (daemon, app) = try remote.target()
            var items: [JSONValue] = []
            let list = try ResponseList(of: slug, in: app, daemon)
            try ResponsePages(daemon, list, filter).read(atMost: limit ?? .max) { items += $0 }
            let rounds = ResponseTable.roundColumn(of: items.compactMap(\.object))
            let columns =
                ["id", "status"] + (list.isOfFlow ? ["run_status", "step_id"] : [])
                + rounds + ["user_id", "client_id", "created_at", "submitted_at"]
            try TextTable(columns: columns, rows: items).print(asJSON: json)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show one response with its questions and comments.",
            discussion: "It has answers to sensitive questions, which no list and no export has.")

        @Flag(help: "The daemon's answer as JSON.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: ArgumentHelp("The response's id.", valueName: "response"))
        var id: String

        func run() throws {
            let (daemon, app) = try remote.target()
            let response = try daemon.json(RemoteRequest("GET", "v1", "apps", app, "responses", id))
            try StandardOutput.writeLine(
                json ? response.text : ResponseText(response).lines.joined(separator: "\n"))
        }
    }

    struct SetStatus: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Set the status of a submitted response.")

        enum Status: String, ExpressibleByArgument, CaseIterable {
            case new
            case inReview = "in_review"
            case addressed, dismissed
        }

        @Flag(help: "The response as JSON.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: ArgumentHelp("The response's id.", valueName: "response"))
        var id: String

        @Argument(help: "The new status.")
        var status: Status

        func run() throws {
            let (daemon, app) = try remote.target()
            let request = RemoteRequest("PATCH", "v1", "apps", app, "responses", id)
                .with(json: ["status": .string(status.rawValue)])
            let response = try daemon.json(request)
            let text = "\(response.object?["id"]?.string ?? id): \(response.object?["status"]?.string ?? "")".plain
            try StandardOutput.writeLine(json ? response.text : text)
        }
    }

    struct AddComment: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "comment", abstract: "Comment on a response.")

        @Flag(help: "The comment as JSON.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: ArgumentHelp("The response's id.", valueName: "response"))
        var id: String

        @Argument(help: "The comment.")
        var text: String

        func run() throws {
            let (daemon, app) = try remote.target()
            let request = RemoteRequest("POST", "v1", "apps", app, "responses", id, "comments")
                .with(json: ["body": .string(text)])
            let comment = try daemon.json(request)
            try StandardOutput.writeLine(json ? comment.text : (comment.object?["id"]?.string ?? "").plain)
        }
    }

    struct ExportAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write all responses to standard output.",
            discussion: """
                ndjson is a JSON object a line, as the API lists responses. csv has a header and a column for each \
                question; an answer that is no single text or number stands there as JSON, and a text that a spreadsheet \
                would take for a formula begins with an apostrophe. A column texts.ID has the answers in words, where \
                they are others. Responses of development are left out, unless --dev or --data-mode asks for them. Answers \
                to sensitive questions are in neither. The audit tells of each export.
                """)

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case ndjson, csv
        }

        @OptionGroup var filter: ResponseFilter

        @Option(help: "What a response is written as.")
        var format = Format.ndjson

        @Flag(help: "The CSV begins with a byte order mark, for spreadsheets.")
        var bom = false

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: "The questionnaire, survey or flow; also one that was deleted.")
        var slug: String

        func validate() throws {
            if bom, format != .csv { throw ValidationError("--bom is for --format csv.") }
        }

        func run() throws {
            let (daemon, app) = try remote.target()
            let list = try ResponseList(of: slug, in: app, daemon)
            var pages = ResponsePages(daemon, list, filter)
            pages.isExport = true
            switch format {
            case .ndjson:
                try pages.read { items in
                    var lines = items.flatMap { Array(($0.text + "\n").utf8) }
                    try StandardOutput.write(&lines, .data)
                }
            case .csv:
                var items: [JSONValue] = []
                try pages.read { items += $0 }
                var bytes = (bom ? CSV.mark : []) + ResponseTable(items, of: list).bytes
                try StandardOutput.write(&bytes, .data)
            }
        }
    }
}

/// The options that select responses.
struct ResponseFilter: ParsableArguments {
    enum Status: String, ExpressibleByArgument, CaseIterable {
        case draft, new
        case inReview = "in_review"
        case addressed, dismissed, preview
        case screenedOut = "screened_out"
    }

    @Option(help: "Only those of this status.")
    var status: Status?

    @Flag(name: [.long, .customLong("submitted-only")], help: "Only those that were submitted.")
    var submitted = false

    enum DataMode: String, ExpressibleByArgument, CaseIterable {
        case production, development, all
    }

    @Flag(help: "Only those of development.")
    var dev = false

    @Option(help: "Those of production, of development, or all; by default a list has all, an export production.")
    var dataMode: DataMode?

    @Option(help: "Only those of this user.")
    var user: String?

    @Option(help: "Only those of this client.")
    var client: String?

    @Option(help: "Only those that were begun on this day in UTC or later.")
    var from: String?

    @Option(help: "Only those that were begun on this day in UTC or before.")
    var to: String?

    @Option(help: "Only those of this branch: BRANCH, or EXPERIMENT/BRANCH.")
    var branch: String?

    @Option(help: "Only those that began with this revision.")
    var revision: Int?

    @Option(help: "Only the answers of this round, of a recipe that repeats.")
    var round: Int?

    @Option(help: "Only those with an answer to the question, or the field, of this id.")
    var question: String?

    @Option(help: ArgumentHelp("Only those with this text in an answer.", valueName: "text"))
    var search: String?

    @Option(
        help: ArgumentHelp("Only those with this kept attribute; may stand several times.", valueName: "name=value"))
    var attribute: [String] = []

    func validate() throws {
        if dev, dataMode != nil { throw ValidationError("Give --dev or --data-mode.") }
        if let round, round < 1 { throw ValidationError("The round is at least 1.") }
        if let wrong = attribute.first(where: { !$0.contains("=") || $0.hasPrefix("=") }) {
            throw ValidationError("\(wrong) is no attribute such as plan=pro.")
        }
    }

    /// The request with the selected filters.
    func apply(to request: RemoteRequest) -> RemoteRequest {
        let request =
            request.with("status", status?.rawValue).with("submitted_only", submitted ? "true" : nil)
            .with("data_mode", dev ? DataMode.development.rawValue : dataMode?.rawValue).with("user_id", user)
            .with("client_id", client).with("from", from).with("to", to).with("q", search)
            .with("branch", branch).with("revision", revision.map(String.init)).with("question", question)
            .with("round", round.map(String.init))
        return attribute.reduce(request) { request, attribute in
            let parts = attribute.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return request.with("attr.\(parts[0])", String(parts[1]))
        }
    }
}

/// The API's list of the responses to a recipe.
struct ResponseList {
    let app: String
    let slug: String
    /// The recipe's newest document.
    let recipe: JSONValue

    var isOfFlow: Bool { recipe.object?["kind"]?.string == "flow" }

    init(of slug: String, in app: String, _ daemon: RemoteDaemon) throws(RemoteFailure) {
        (self.app, self.slug) = (app, slug)
        recipe = try Self.document(["v1", "apps", app, "recipes", slug], daemon)
    }

    /// The newest document. A deleted recipe still has revisions.
    private static func document(_ path: [String], _ daemon: RemoteDaemon) throws(RemoteFailure) -> JSONValue {
        do throws(RemoteFailure) {
            return try daemon.json(RemoteRequest("GET", path: path))
        } catch {
            guard case .refused(let answer) = error, answer.status == 404 else { throw error }
            let history = try daemon.json(RemoteRequest("GET", path: path + ["revisions"]))
            let numbers = (history.object?["revisions"]?.array ?? []).compactMap { $0.object?["revision"]?.integer }
            guard let newest = numbers.max() else { throw error }
            return try daemon.json(RemoteRequest("GET", path: path + ["revisions", "\(newest)"]))
        }
    }

    var request: RemoteRequest {
        switch recipe.object?["kind"]?.string {
        case "flow": RemoteRequest("GET", "v1", "apps", app, "flows", slug, "runs")
        case "survey": RemoteRequest("GET", "v1", "apps", app, "surveys", slug, "responses")
        default: RemoteRequest("GET", "v1", "apps", app, "questionnaires", slug, "responses")
        }
    }
}

/// The daemon's list of responses, page by page.
struct ResponsePages {
    private let daemon: RemoteDaemon
    private let list: ResponseList
    private let filter: ResponseFilter
    /// Whether the audit records the request as an export.
    var isExport = false

    private static let size = 200

    init(_ daemon: RemoteDaemon, _ list: ResponseList, _ filter: ResponseFilter) {
        (self.daemon, self.list, self.filter) = (daemon, list, filter)
    }

    func read(atMost limit: Int = .max, _ take: ([JSONValue]) throws -> Void) throws {
        var (cursor, count): (String?, Int) = (nil, 0)
        repeat {
            let page = try daemon.json(request(cursor, limit: min(limit - count, Self.size))).object
            let items = page?["items"]?.array ?? []
            try take(items)
            count += items.count
            cursor = page?["cursor"]?.string
        } while cursor != nil && count < limit
    }

    /// The request for a page. Only the first page is marked as an export, so the audit records it once. All pages omit
    /// the same responses.
    private func request(_ cursor: String?, limit: Int) -> RemoteRequest {
        var filter = filter
        if isExport, !filter.dev { filter.dataMode = filter.dataMode ?? .production }
        return filter.apply(to: list.request).with("cursor", cursor).with("limit", "\(limit)")
            .with("export", isExport && cursor == nil ? "true" : nil)
    }
}
