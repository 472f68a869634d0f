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
    private static let pageSize = 1_000

    private enum DataMode: String, CaseIterable { case production, development, all }

    /// Nil for a recipe of messages.
    ///
    /// - Parameter state: nil: the recipe was deleted.
    static func handle(_ call: Call, _ recipe: LoadedRecipe, state: RecipeState?) throws(APIError) -> Handling? {
        let frame: JSONObject = [
            "slug": .string(recipe.stored.slug), "kind": .string(recipe.recipe.content?.rawValue ?? ""),
            "revision": .integer(Int64(recipe.recipe.revision)),
            "state": state.map { .string($0.rawValue) } ?? .null,
        ]
        if let content = recipe.content {
            let app = try call.app()
            let texts = SurveyTexts(LanguageTag(app.manifest.defaultLocale), in: app).texts
            let results = SurveyResults(content.run, now: call.arrived, text: texts.resolve)
            return try fold(call, frame, into: results, { $0.add($1) }, \.json)
        }
        guard let flow = recipe.flow else { return nil }
        return try fold(call, frame, into: FlowResults(flow.definition), { $0.add($1) }, \.json)
    }

    /// Counts the runs of the recipe that the frame names, off the loop.
    private static func fold<Results: Sendable>(
        _ call: Call, _ frame: JSONObject, into results: Results,
        _ add: @escaping @Sendable (inout Results, Run) -> Void, _ content: @escaping (Results) -> JSONObject
    ) throws(APIError) -> Handling {
        var query = RunQuery(app: try call.app().name, limit: pageSize)
        query.slug = frame["slug"]?.string
        query.isDevelopment = false
        var isImported: Bool?
        var format: ResultsFormat = ResultsFormat.asksForCSV(call.request) ? .csv : .json
        let reader = try QueryReader(call)
        for item in reader.items {
            if item.name == "imported" {
                isImported = item.value == "true" || item.value == "1"
            } else {
                read(item, reader, &query, &format)
            }
        }
        try reader.finish()
        let store = call.services.persistence
        return call.detached.park { [query, isImported] (ticket: Ticket<Result<Results, StoreError>>) in
            store.foldRuns(query, into: results) { results, run in
                if isImported == nil || isImported == (run.origin != nil) { add(&results, run) }
            } _: {
                ticket.complete($0)
            }
        } resume: { [format] (outcome) throws(APIError) in
            var json = frame
            for member in content(try outcome.orThrow()) { json[member.key] = member.value }
            let isCSV = format == .csv
            var response = Response(
                200, body: .bytes(isCSV ? SurveyResultsTable(json).bytes : JSONValue.object(json).encoded))
            response.add("Content-Type", format.mediaType)
            response.add("Cache-Control", "no-store")
            response.add("Vary", "Accept")
            return .now(response)
        }
    }

    private static func read(
        _ item: QueryItem, _ reader: QueryReader, _ query: inout RunQuery, _ format: inout ResultsFormat
    ) {
        switch item.name {
        case "submitted_only": query.isSubmittedOnly = item.value == "true" || item.value == "1"
        case "is_dev": query.isDevelopment = item.value == "true" || item.value == "1"
        case "data_mode":
            switch DataMode(rawValue: item.value) {
            case .production: query.isDevelopment = false
            case .development: query.isDevelopment = true
            case .all: query.isDevelopment = nil
            case nil: reader.fault("choice", at: "data_mode", "data_mode is production, development or all")
            }
        case "format":
            if let known = ResultsFormat(rawValue: item.value) {
                format = known
            } else {
                reader.fault("choice", at: "format", "format is json or csv")
            }
        default: reader.refuse(item.name)
        }
    }
}
