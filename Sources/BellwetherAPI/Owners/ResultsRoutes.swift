internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The results of a recipe.
///
/// The results are about messages: all messages that any revision of the recipe defines. If several recipes refer to a
/// message, it counts in full for each of them. Only the recipe's own branches are distinguished; all other clients
/// have no branch.
enum ResultsRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/results/{slug}", .needs(.read), handle: get)]

    @Sendable static func get(_ call: Call) throws(APIError) -> Handling {
        try call.withRecipe { (recipe, state) throws(APIError) in try results(call, recipe, state: state) }
    }

    /// - Parameter state: The recipe's state; nil if the recipe was deleted or never existed.
    private static func results(
        _ call: Call, _ recipe: LoadedRecipe?, state: RecipeState?
    ) throws(APIError) -> Handling {
        if recipe?.recipe.segment != nil { throw .notFound("A segment has no results.") }
        if let recipe, let handling = try SurveyResultsRoute.handle(call, recipe, state: state) { return handling }
        let app = try call.app()
        // Another process may have begun a period that is not known here yet.
        let isShared = call.services.persistence.feed.isShared
        let periods = isShared ? Int.max : app.periodCount(of: call.parameter("slug"))
        let (query, format, period) = try read(call, periods: periods)
        let slug = call.parameter("slug")
        guard let branch = query.branch, let recipe, !names(recipe.facts.branches, branch, of: slug) else {
            return try messages(call, query, period, format)
        }
        // The branch may belong to an earlier revision.
        let publisher = call.services.publisher
        return call.park { (ticket: Ticket<Result<[StoredDocument], PublishRefusal>>) in
            publisher.history(of: slug, in: app.name) { ticket.complete($0) }
        } resume: { (history) throws(APIError) in
            let all = recipe.facts.branches + ((try? history.get()) ?? []).flatMap(branches)
            guard names(all, branch, of: slug) else { throw unknownBranch(branch, besides: all) }
            return try messages(call, query, period, format)
        }
    }

    /// Whether the branches include a branch, which is named alone or as `RECIPE/BRANCH`. `rollout` is the branch of a
    /// recipe without branches.
    private static func names(_ branches: [Identifier], _ branch: Identifier, of slug: Identifier) -> Bool {
        (branches + ["rollout"]).contains { $0 == branch || branch == "\(slug)/\($0)" }
    }

    private static func branches(of revision: StoredDocument) -> [Identifier] {
        let document = try? JSONValue(parsing: revision.text, limits: .kept)
        return (document?.object?["branches"]?.array ?? []).compactMap { $0.object?["slug"]?.identifier }
    }

    private static func unknownBranch(_ branch: Identifier, besides all: [Identifier]) -> APIError {
        let names = Set(all).sorted().map(\.text).joined(separator: ", ")
        return .badRequest([
            Finding(
                pointer: .parameter("branch"), code: "choice",
                message: "no revision has the branch \"\(branch)\"; there are: \(names.isEmpty ? "none" : names)")
        ])
    }

    private static func messages(
        _ call: Call, _ query: ResultsQuery, _ period: Int?, _ format: ResultsFormat
    ) throws(APIError) -> Handling {
        let frame = ResultsFrame(
            app: try call.app(), slug: call.parameter("slug"), minimum: call.worker.settings.minimumCell)
        let goals = GoalQuery(frame.slug, in: frame.app, period: period, minimum: frame.minimum)
        let store = call.services.persistence
        return call.park { (ticket: Ticket<Result<[UInt8]?, StoreError>>) in
            // The report is made on the reading thread: a table for a year takes too long for a worker.
            store.readResults(query) { result in
                guard case .success(let reading) = result else { return ticket.complete(result.map { _ in nil }) }
                store.readGoals(goals) { goals in
                    ticket.complete(goals.map { frame.report(reading, $0).map(format.write) })
                }
            }
        } resume: { (outcome) throws(APIError) in
            guard let body = try outcome.orThrow() else {
                throw .notFound("There is no recipe \"\(frame.slug)\".")
            }
            var response = call.conditional(body, as: format.mediaType)
            response.add("Vary", "Accept")
            return .now(response)
        }
    }

    /// - Parameter periods: the number of periods of the recipe's goals.
    private static func read(
        _ call: Call, periods: Int
    ) throws(APIError) -> (ResultsQuery, ResultsFormat, period: Int?) {
        var query = ResultsQuery(app: call.parameter("app"), recipe: call.parameter("slug"))
        var format = ResultsFormat(call.request)
        var period: Int?
        let reader = try QueryReader(call)
        for item in reader.items where !format.read(item, reader) {
            switch item.name {
            case "period":
                period = Int(item.value)
                if !(1...max(1, periods)).contains(period ?? 0) {
                    reader.fault("range", at: item.name, "the recipe has no such period")
                }
            case "from": query.from = reader.day(item)
            case "to": query.to = reader.day(item)
            case "branch": query.branch = Identifier(item.value)
            case "locale": query.locale = Identifier(item.value)
            case "enrollment": query.countsEnrollment = reader.bool(item)
            default: reader.refuse(item.name)
            }
        }
        reader.compareDays(query.from, query.to)
        try reader.finish()
        return (query, format, period)
    }
}

/// The parameters that results of messages and results of runs share.
extension QueryReader {
    func day(_ item: QueryItem) -> CalendarDay? {
        if let day = CalendarDay(item.value) { return day }
        fault("pattern", at: item.name, "\(item.name) is a day as YYYY-MM-DD, in UTC")
        return nil
    }

    func compareDays(_ from: CalendarDay?, _ to: CalendarDay?) {
        if let from, let to, to < from { fault("range", at: "to", "to is before from") }
    }
}

/// The format of results.
struct ResultsFormat: Sendable {
    private enum Kind: String { case json, csv }

    private var kind: Kind
    /// Whether a table begins with a byte order mark, by which spreadsheets know UTF-8.
    private var hasMark = false

    /// The format that `Accept` requests; JSON by default.
    init(_ request: Request) { kind = Self.asksForCSV(request) ? .csv : .json }

    /// Reads the parameters `format` and `bom`. Returns false for another parameter.
    mutating func read(_ item: QueryItem, _ reader: QueryReader) -> Bool {
        switch item.name {
        case "format":
            if let named = Kind(rawValue: item.value) {
                kind = named
            } else {
                reader.fault("choice", at: item.name, "format is json or csv")
            }
        case "bom": hasMark = reader.bool(item)
        default: return false
        }
        return true
    }

    /// Whether `Accept` names CSV before JSON. Weights are ignored.
    private static func asksForCSV(_ request: Request) -> Bool {
        let ranges = (request.header(.accept) ?? []).split(separator: UInt8(ascii: ",")).map { range in
            String(decoding: range.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self).filter { $0 != " " }.lowercased()
        }
        return ranges.first { ["text/csv", "application/json"].contains($0) } == "text/csv"
    }

    var mediaType: String {
        switch kind {
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8; header=present"
        }
    }

    func write(_ report: ResultsReport) -> [UInt8] {
        write(json: report.json) { ResultsTable(report).bytes }
    }

    func write(json: @autoclosure () -> JSONValue, table: () -> [UInt8]) -> [UInt8] {
        switch kind {
        case .json: json().encoded
        case .csv: (hasMark ? CSV.mark : []) + table()
        }
    }
}
