internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// `GET …/results/{slug}` of a questionnaire or survey (docs/reference/surveys.md#results), or of a flow
/// (docs/reference/flows.md#results).
enum SurveyResultsRoute {
    private typealias Reading = Result<Counted, StoreError>

    private enum Counted: Sendable {
        case counted(JSONObject)
        /// The query names an attribute or a branch that does not exist.
        case refused([Finding])
    }

    /// Handles the request; nil if the recipe is for messages.
    ///
    /// - Parameter state: The recipe's state; nil if it was deleted.
    static func handle(_ call: Call, _ recipe: LoadedRecipe, state: RecipeState?) throws(APIError) -> Handling? {
        let frame: JSONObject = [
            "slug": .string(recipe.stored.slug), "kind": .string(recipe.recipe.content?.rawValue ?? ""),
            "revision": .integer(Int64(recipe.recipe.revision)),
            "state": state.map { .string($0.rawValue) } ?? .null,
        ]
        guard let published = recipe.published else { return nil }
        let app = try call.app()
        let texts = SurveyTexts(LanguageTag(app.manifest.defaultLocale), in: app).texts
        return try count(
            call, frame, published.results(text: texts.resolve),
            keeping: published.keep.names + (published.kind == .flow ? Run.attributionKeys : []))
    }

    private static func count(
        _ call: Call, _ frame: JSONObject, _ results: some RunResults, keeping kept: [Identifier]
    ) throws(APIError) -> Handling {
        let app = try call.app()
        let slug = frame["slug"]?.identifier ?? ""
        var query = RunResultsQuery(app: app.name, slug: slug)
        query.isDevelopment = false
        var countsEnrollment = false
        let format = try read(call, &query, &countsEnrollment, kept)
        var frame = frame
        if countsEnrollment { frame["enrollment"] = noEnrollment }
        let names = ResultNames(query, kept: kept, in: app)
        let store = call.services.persistence
        return call.park { [query, frame] (ticket: Ticket<Reading>) in
            names.check(in: store, results) { unknown in
                guard case .success([]) = unknown else { return ticket.complete(unknown.map { .refused($0) }) }
                store.readResults(query, into: results) { outcome in
                    guard case .success(let results) = outcome else {
                        return ticket.complete(outcome.map { .counted($0.json) })
                    }
                    // The JSON is made on the reading thread, because a worker has other requests.
                    var json = frame
                    for member in results.json { json[member.key] = member.value }
                    store.readLimits(of: slug, in: app) { [json] levels in
                        ticket.complete(levels.map { .counted(with($0, json)) })
                    }
                }
            }
        } resume: { [format] (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .refused(let faults): throw .badRequest(faults)
            case .counted(let json):
                var shown = WithheldCounts(for: call)?.applied(to: json) ?? json
                shown["minimum_cell"] = .integer(Int64(call.worker.settings.minimumCell))
                return .now(answer(shown, call, format))
            }
        }
    }

    /// Questionnaires, surveys and flows have no enrollment: clients enroll in experiments, which have their own
    /// recipes.
    private static let noEnrollment: JSONValue = ["branches": [], "since": .null, "is_complete": true]

    private static func with(_ levels: LimitLevels, _ json: JSONObject) -> JSONObject {
        func level(_ level: LimitLevels.Level) -> JSONObject {
            ["taken": .integer(Int64(level.taken)), "limit": .integer(Int64(level.limit))]
        }
        var json = json
        json["quotas"] = .array(
            levels.quotas.map { name, taken in
                .object(JSONObject([("name", .string(name))] + level(taken).map { ($0.key, $0.value) }))
            })
        json["response_limit"] = levels.responses.map { .object(level($0)) } ?? .null
        return json
    }

    private static func answer(_ json: JSONObject, _ call: Call, _ format: ResultsFormat) -> Response {
        let body = format.write(json: .object(json)) { SurveyResultsTable(json).bytes }
        var response = call.conditional(body, as: format.mediaType)
        response.add("Vary", "Accept")
        return response
    }
}

/// The parameters of the query.
extension SurveyResultsRoute {
    /// The prefix of a parameter that names an attribute.
    private static let attribute = "attr."

    private enum DataMode: String, CaseIterable { case production, development, all }

    private static func read(
        _ call: Call, _ query: inout RunResultsQuery, _ countsEnrollment: inout Bool, _ kept: [Identifier]
    ) throws(APIError) -> ResultsFormat {
        var format = ResultsFormat(call.request)
        let reader = try QueryReader(call)
        for item in reader.items where !format.read(item, reader) {
            if item.name.hasPrefix(attribute) {
                if query.attribute != nil {
                    reader.fault("conflict", at: item.name, "results are filtered by one attribute at a time")
                }
                query.attribute = ResultAttribute(
                    name: Identifier(item.name.dropFirst(attribute.count)), value: item.value)
            } else if item.name == "enrollment" {
                countsEnrollment = reader.bool(item)
            } else if item.name == "by" {
                query.breakdown = breakdown(item.value, kept)
            } else {
                read(item, reader, &query)
            }
        }
        reader.compareDays(query.from, query.to)
        if query.attribute != nil, case .attribute? = query.breakdown {
            reader.fault("conflict", at: "by", "results of one value of an attribute can be broken down by branch only")
        }
        if query.breakdown == .round, query.attribute != nil || query.branch != nil {
            reader.fault("conflict", at: "by", "results by round are those of all branches and values")
        }
        try reader.finish()
        return format
    }

    /// The fact that `by` names. A kept attribute of that name comes first.
    private static func breakdown(_ name: String, _ kept: [Identifier]) -> RunResultsQuery.Breakdown {
        let attribute = Identifier(name)
        if kept.contains(attribute) { return .attribute(attribute) }
        if let period = ResultPeriod(rawValue: name) { return .period(period) }
        return switch name {
        case "branch": .branch
        case "round": .round
        default: .attribute(attribute)
        }
    }

    private static func read(_ item: QueryItem, _ reader: QueryReader, _ query: inout RunResultsQuery) {
        switch item.name {
        case "submitted_only": query.isSubmittedOnly = reader.bool(item)
        case "is_dev": query.isDevelopment = reader.bool(item)
        case "imported": query.isImported = reader.bool(item)
        case "branch": query.branch = Identifier(item.value)
        case "from": query.from = reader.day(item)
        case "to": query.to = reader.day(item)
        case "data_mode":
            switch DataMode(rawValue: item.value) {
            case .production: query.isDevelopment = false
            case .development: query.isDevelopment = true
            case .all: query.isDevelopment = nil
            case nil: reader.fault("choice", at: "data_mode", "data_mode is production, development or all")
            }
        default: reader.refuse(item.name)
        }
    }
}
