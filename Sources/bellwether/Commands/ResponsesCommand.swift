internal import ArgumentParser
internal import BellwetherJSON

/// `bellwether responses`: what respondents answered, one by one
/// (docs/reference/http-api.md#responses).
struct ResponsesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "responses", abstract: "Read, triage, export and import responses to questionnaires and surveys.",
        discussion: "Needs a token of scope owner.",
        subcommands: [List.self, Show.self, SetStatus.self, AddComment.self, ExportAll.self, ImportAll.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the responses to a questionnaire or survey, newest first.")

        @OptionGroup var filter: ResponseFilter

        @Option(help: "At most so many; without it, all.")
        var limit: Int?

        @Flag(help: "The responses themselves, a JSON object a line.")
        var json = false

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: "The questionnaire or survey.")
        var slug: String

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("The limit is at least 1.") }
        }

        func run() throws {
            let (daemon, app) = try remote.target()
            var items: [JSONValue] = []
            try ResponsePages(daemon, app, slug, filter).read(atMost: limit ?? .max) { items += $0 }
            let columns = ["id", "status", "user_id", "client_id", "created_at", "submitted_at"]
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
                would take for a formula begins with an apostrophe. Answers to sensitive questions are in neither. The \
                audit tells of each export.
                """)

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case ndjson, csv
        }

        @OptionGroup var filter: ResponseFilter

        @Option(help: "What a response is written as.")
        var format = Format.ndjson

        @OptionGroup var remote: RemoteAppOptions

        @Argument(help: "The questionnaire or survey.")
        var slug: String

        func run() throws {
            let (daemon, app) = try remote.target()
            var pages = ResponsePages(daemon, app, slug, filter)
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
                let recipe = try daemon.json(RemoteRequest("GET", "v1", "apps", app, "recipes", slug))
                var bytes = ResponseTable(items, questions: ResponseTable.questionIDs(of: recipe)).bytes
                try StandardOutput.write(&bytes, .data)
            }
        }
    }
}

/// Which responses are meant.
struct ResponseFilter: ParsableArguments {
    enum Status: String, ExpressibleByArgument, CaseIterable {
        case draft, new
        case inReview = "in_review"
        case addressed, dismissed, preview
        case screenedOut = "screened_out"
    }

    @Option(help: "Only those of this status.")
    var status: Status?

    @Flag(help: "Only those that were submitted.")
    var submitted = false

    @Flag(help: "Only those of development; without it, of both.")
    var dev = false

    @Option(help: "Only those of this user.")
    var user: String?
}

/// The daemon's list of responses, page by page.
struct ResponsePages {
    private let daemon: RemoteDaemon
    private let app: String
    private let slug: String
    private let filter: ResponseFilter
    /// The audit tells of it.
    var isExport = false

    private static let size = 200

    init(_ daemon: RemoteDaemon, _ app: String, _ slug: String, _ filter: ResponseFilter) {
        (self.daemon, self.app, self.slug, self.filter) = (daemon, app, slug, filter)
    }

    func read(atMost limit: Int = .max, _ take: ([JSONValue]) throws -> Void) throws {
        let collection = try collection()
        var (cursor, count): (String?, Int) = (nil, 0)
        repeat {
            let page = try daemon.json(request(collection, cursor, limit: min(limit - count, Self.size))).object
            let items = page?["items"]?.array ?? []
            try take(items)
            count += items.count
            cursor = page?["cursor"]?.string
        } while cursor != nil && count < limit
    }

    /// Where the API has it: a recipe says what it is.
    private func collection() throws -> String {
        let recipe = try daemon.json(RemoteRequest("GET", "v1", "apps", app, "recipes", slug))
        return recipe.object?["kind"]?.string == "survey" ? "surveys" : "questionnaires"
    }

    private func request(_ collection: String, _ cursor: String?, limit: Int) -> RemoteRequest {
        RemoteRequest("GET", "v1", "apps", app, collection, slug, "responses")
            .with("status", filter.status?.rawValue).with("submitted_only", filter.submitted ? "true" : nil)
            .with("is_dev", filter.dev ? "true" : nil).with("user_id", filter.user).with("cursor", cursor)
            .with("limit", "\(limit)").with("export", isExport && cursor == nil ? "true" : nil)
    }
}
