internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// What came back of a recipe.
///
/// Results are of messages: those that any revision of the recipe defines. A message that several recipes touch counts
/// in full for each of them; by branch only the recipe's own branches are told apart, and everybody else is in none.
enum ResultsRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/results/{slug}", .needs(.read), handle: get)]

    @Sendable static func get(_ call: Call) throws(APIError) -> Handling {
        try call.withRecipe { (recipe, state) throws(APIError) in try results(call, recipe, state: state) }
    }

    /// - Parameter state: nil: the recipe was deleted, or never was.
    private static func results(
        _ call: Call, _ recipe: LoadedRecipe?, state: RecipeState?
    ) throws(APIError) -> Handling {
        if let recipe, let handling = try SurveyResultsRoute.handle(call, recipe, state: state) { return handling }
        return try messages(call, call.app())
    }

    private static func messages(_ call: Call, _ app: AppSnapshot) throws(APIError) -> Handling {
        let format = try ResultsFormat(call)
        let frame = ResultsFrame(app: app, slug: call.parameter("slug"), minimum: call.worker.settings.minimumCell)
        let store = call.services.persistence
        return call.detached.park { (ticket: Ticket<Result<[UInt8]?, StoreError>>) in
            // Made where it was read: a table of a year takes longer than a worker may.
            store.readResults(ResultsQuery(app: app.name, recipe: frame.slug)) { result in
                ticket.complete(result.map { frame.report($0).map(format.write) })
            }
        } resume: { (outcome) throws(APIError) in
            guard let body = try outcome.orThrow() else {
                throw .notFound("No recipe \"\(frame.slug)\" with messages was ever published.")
            }
            var response = call.conditional(body, as: format.mediaType)
            response.add("Vary", "Accept")
            return .now(response)
        }
    }
}

/// What results are written as.
enum ResultsFormat: String, CaseIterable {
    case json, csv

    /// `format`, else what `Accept` asks for, else JSON.
    init(_ call: Call) throws(APIError) {
        let reader = try QueryReader(call)
        var format: ResultsFormat?
        for item in reader.items {
            if item.name != "format" {
                reader.refuse(item.name)
            } else if let known = ResultsFormat(rawValue: item.value) {
                format = known
            } else {
                reader.fault("choice", at: item.name, "format is json or csv")
            }
        }
        try reader.finish()
        self = format ?? (Self.asksForCSV(call.request) ? .csv : .json)
    }

    /// The first of the two that is named; weights do not count.
    static func asksForCSV(_ request: Request) -> Bool {
        let ranges = (request.header(.accept) ?? []).split(separator: UInt8(ascii: ",")).map { range in
            String(decoding: range.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self).filter { $0 != " " }.lowercased()
        }
        return ranges.first { ["text/csv", "application/json"].contains($0) } == "text/csv"
    }

    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8; header=present"
        }
    }

    func write(_ report: ResultsReport) -> [UInt8] {
        switch self {
        case .json: report.json.encoded
        case .csv: ResultsTable(report).bytes
        }
    }
}
