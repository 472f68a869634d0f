internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Runs in the form for owners, with the texts of their answers (docs/reference/http-api.md#responses).
struct RunItems {
    private let app: AppSnapshot
    private let texts: Texts
    private let flows: FlowRevisions
    /// The recipe of the runs; nil if it was deleted and no revision of it is known.
    private let recipe: LoadedRecipe?
    /// The definitions of questionnaires and surveys at the time when a response was submitted, by revision.
    private var definitions: [Int: SurveyDefinition] = [:]
    /// Flows of earlier revisions, read for these runs.
    private var content: [Int: FlowContent] = [:]

    /// The maximum number of a flow's revisions that are read for one page. The revisions of the newest runs come
    /// first.
    private static let maximumRevisions = 16

    private init(_ call: Call, _ app: AppSnapshot, _ recipe: LoadedRecipe?) {
        (self.app, self.recipe, flows) = (app, recipe, call.worker.flows)
        texts = SurveyTexts(LanguageTag(app.manifest.defaultLocale), in: app).texts
    }

    /// Continues when the flow of every run is available.
    static func make(
        for runs: [Run], of recipe: LoadedRecipe?, _ call: Call,
        _ proceed: @escaping (RunItems) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        let app = try call.app()
        var items = RunItems(call, app, recipe)
        let missing = runs.filter { $0.kind == .flow && items.flow(of: $0) == nil }
        guard let slug = missing.first?.slug else { return try proceed(items) }
        let publisher = call.services.publisher
        return call.park { (ticket: Ticket<Result<[StoredDocument], PublishRefusal>>) in
            publisher.history(of: slug, in: app.name) { ticket.complete($0) }
        } resume: { (history) throws(APIError) in
            items.take((try? history.get()) ?? [], for: missing)
            return try proceed(items)
        }
    }

    private mutating func take(_ revisions: [StoredDocument], for runs: [Run]) {
        var tried: Set<Int> = []
        for run in runs where tried.count < Self.maximumRevisions && tried.insert(run.revision).inserted {
            content[run.revision] = flows.compile(run, in: app, from: revisions)
        }
    }

    private func flow(of run: Run) -> FlowContent? {
        if let flow = recipe?.flow, flow.revision == run.revision { return flow }
        return content[run.revision] ?? flows.find(run, in: app)
    }

    /// The definition of a run. A submitted response has the questions of its final save; any other run has the current
    /// questions.
    private mutating func definition(of run: Run) -> SurveyDefinition? {
        let current = recipe?.survey
        guard let snapshot = run.snapshot, run.revision != current?.run.revision else { return current?.definition }
        if let known = definitions[run.revision] { return known }
        let document: JSONObject = run.kind == .questionnaire ? ["schema": .object(snapshot)] : snapshot
        let definition = SurveyDefinition(JSONReader(.object(document), findings: Findings()), run.kind)
        definitions[run.revision] = definition
        return definition ?? current?.definition
    }

    private mutating func words(of run: Run, _ answers: JSONObject) -> [AnswerWords] {
        guard run.kind != .flow else {
            return (flow(of: run) ?? recipe?.flow)?.definition.words(for: answers, texts.resolve) ?? []
        }
        return definition(of: run)?.words(for: answers, texts.resolve) ?? []
    }

    /// A response in the form for owners. In a list it has no sensitive answers, no snapshot and no comments.
    mutating func json(_ run: Run, isAlone: Bool) -> JSONValue {
        var json = run.item(isAlone: isAlone, repeats: recipe?.recipe.repeats != nil)
        json["texts"] = .array(words(of: run, isAlone ? run.answers : run.openAnswers).map(\.json))
        return .object(json)
    }
}

extension Run {
    /// - Parameter repeats: Whether the recipe repeats, so that each run names its round.
    func item(isAlone: Bool, repeats: Bool) -> JSONObject {
        var json: JSONObject = [
            "id": .string(id), "slug": .string(slug), "user_id": respondent.userID.map { .string($0) } ?? .null,
            "client_id": clientID.map { .string($0) } ?? .null,
            "answers": .object(isAlone ? answers : openAnswers), "status": .string(status.rawValue),
            "is_dev": .bool(isDevelopment), "revision": .integer(Int64(revision)),
            "created_at": .string(createdAt.rfc3339), "updated_at": .string(updatedAt.rfc3339),
            "submitted_at": submittedAt.map { .string($0.rfc3339) } ?? .null,
            "comments_count": .integer(Int64(comments.count)),
        ]
        if repeats || round ?? 1 > 1 { json["round"] = JSONValue(round) }
        json["message"] = message.map { .string($0) }
        json["experiment"] = experiment.map { .string($0) }
        json["branch"] = branch.map { .string($0) }
        json["origin"] = origin.map { ["source": .string($0.source), "id": .string($0.id)] }
        for fact in facts { json[fact.key] = fact.value }
        if !attributes.isEmpty { json["attributes"] = .object(attributes) }
        if let flow {
            json["run_status"] = .string(flow.status.rawValue)
            json["outcome"] = flow.outcome?.json ?? .null
            json["step_id"] = flow.stepID.map { .string($0) } ?? .null
            json["platform"] = flow.platform.map { .string($0) }
            if !attribution.isEmpty { json["attribution"] = .object(attribution) }
        }
        if isAlone {
            json["schema_snapshot"] = snapshot.map { .object($0) } ?? .null
            json["sensitive"] = .array(sensitiveIDs.sorted().map { .string($0) })
            json["comments"] = .array(comments.map { .object($0.item(of: self)) })
        }
        return json
    }
}

extension Run.Comment {
    func item(of run: Run) -> JSONObject {
        [
            "id": .string("\(run.id).\(number)"), "body": .string(body), "author": .string(author),
            "created_at": .string(createdAt.rfc3339), "updated_at": .string(updatedAt.rfc3339),
        ]
    }
}
