internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// A request about a flow (docs/reference/http-api.md#flows).
struct FlowCall {
    let call: Call
    let app: AppSnapshot

    init(_ call: Call) throws(APIError) {
        self.call = call
        app = try call.app()
    }

    /// The name that stands for a slug: the flow whose audience the respondent matches, else the active flow.
    private static let active = "active"

    /// Continues with the flow in the path, in any state. A flow that was never live is not found.
    func withRecipe(
        for attributes: JSONObject, of ids: RespondentIDs,
        _ proceed: @escaping (LoadedRecipe) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        let slug = call.parameter("slug")
        guard slug == Self.active else {
            guard let recipe = app.recipes[slug], recipe.flow != nil, recipe.stored.state != .draft else {
                throw .noContent(.flow, slug, in: app)
            }
            return try proceed(recipe)
        }
        func proceedChosen(_ state: ClientState) throws(APIError) -> Handling {
            let segments = app.segments(of: ids.clientID, attributes, state, at: call.arrived)
            guard let chosen = app.activeFlow(for: attributes, in: segments, with: state.facts) else {
                throw .notFound("No flow is for this respondent.")
            }
            return try proceed(chosen)
        }
        guard app.readsSegments || app.audiencesReadFacts else { return try proceedChosen(ClientState()) }
        if ids.userID != nil {
            let store = call.services.persistence
            return call.park { (ticket: Ticket<Result<ClientState, StoreError>>) in
                PersonState.read(ids, in: store) { ticket.complete($0) }
            } resume: { (outcome) throws(APIError) in
                try proceedChosen(try outcome.orThrow())
            }
        }
        guard let clientID = ids.clientID else { return try proceedChosen(ClientState()) }
        return try call.withState(of: ClientReference(app: app.name, id: clientID), proceedChosen)
    }

    /// Reads the run in the path and the revision of its flow, then continues with both.
    func withRun(
        _ id: Identifier, _ proceed: @escaping (Run, FlowContent) throws(APIError) -> Handling
    ) -> Handling {
        let store = call.services.persistence
        let reference = RunReference(app: app.name, id: id)
        return call.park { (ticket: Ticket<Result<Run?, StoreError>>) in
            store.readRun(reference) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            guard let run = try outcome.orThrow(), run.deletedAt == nil, run.flow != nil else { throw .noRun }
            return try withFlow(of: run) { (flow) throws(APIError) in try proceed(run, flow) }
        }
    }

    /// Whether the same person may answer the run's flow again.
    static func repeats(_ run: Run, in app: AppSnapshot) -> Bool { app.recipes[run.slug]?.recipe.repeats != nil }

    /// The response with a run.
    func answer(
        _ status: Int, _ run: Run, of flow: FlowContent, banner: FlowBanner? = nil
    ) throws(APIError) -> Handling {
        try call.judging { [repeats = Self.repeats(run, in: app)] in
            flow.json(run, repeats: repeats, banner: banner, &$0)
        } then: { run in
            .now(.run(status, run.encoded))
        }
    }

    /// A run keeps the revision and the language with which it began.
    func withFlow(
        of run: Run, _ proceed: @escaping (FlowContent) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        let revisions = call.worker.flows
        let language = FlowLanguage(run.flow?.locale, in: app)
        if let flow = revisions.find(run, in: app) { return try proceed(flow.speaking(language)) }
        let publisher = call.services.publisher
        return call.park { (ticket: Ticket<Result<[StoredDocument], PublishRefusal>>) in
            publisher.history(of: run.slug, in: app.name) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(let documents):
                guard let flow = revisions.compile(run, in: app, from: documents) else { throw .noRun }
                return try proceed(flow.speaking(language))
            case .failure(let refusal): throw APIError(refusal)
            }
        }
    }
}

extension APIError {
    static let noRun = APIError.notFound("There is no such run.")
    /// The error contains no fact about the run (docs/reference/http-api.md#public-tokens).
    static let openRun = APIError.conflict(
        code: "run_open",
        "The client has an open run of this flow, which is not given out by a client_id that can be guessed.")
    static let inactiveFlow = APIError.conflict(code: "inactive", "The flow takes no answers at the moment.")

    /// The flow has reached a limit, or a quota is full.
    static func closedFlow(_ reason: FetchRun.Ineligibility) -> APIError {
        .conflict(code: reason.rawValue, "The flow has as many respondents as it may have.")
    }
}

extension Response {
    /// The response with a run, as JSON, which only its client may keep.
    static func run(_ status: Int, _ run: [UInt8]) -> Response {
        var response = Idempotency.response(status, run)
        response.add("Cache-Control", "private, no-store")
        return response
    }
}

extension FlowLanguage {
    fileprivate init(_ locale: String?, in app: AppSnapshot) {
        self.init(app.strings.localizer(for: locale.flatMap { LanguageTag($0) }), shortName: app.manifest.shortName)
    }
}

extension FlowContent {
    /// The run in the form that clients receive (docs/reference/flows.md#runs).
    func json(
        _ run: Run, repeats: Bool, banner: FlowBanner? = nil, _ budget: inout EvaluationBudget
    ) -> JSONValue {
        var json: JSONObject = ["run_id": .string(run.id), "revision": .integer(Int64(revision))]
        if repeats || run.round ?? 1 > 1 { json["round"] = JSONValue(run.round) }
        guard let progress = run.flow else { return .object(json) }
        for member in definition.view(progress, banner: banner, &budget) { json[member.key] = member.value }
        return .object(json)
    }
}

/// The body of a request that starts a run.
struct FlowStartBody {
    let ids: RespondentIDs
    let start: FlowStart
    let message: Identifier?
    private let document: JSONReader

    private static let contextBytes = 16_384
    /// A key for trials of a flow, allowed with `--dev` or with an owner's token.
    private static let overrideKey = "experimentOverrides"

    init(_ flow: FlowCall) throws(APIError) {
        let (call, app) = (flow.call, flow.app)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        ids = reader.respondent(in: app)
        let proof = reader.userProof
        message = reader.optional("message")?.identifier(length: 1...1000)
        document = JSONReader(reader.value, findings: Findings())
        let attributes = reader.optional("attributes").map { ContextReading(app: app, call: call).read($0).attributes }
        var start = FlowStart()
        start.attributes = JSONObject((attributes ?? [:]).map { ($0.key, $0.value) })
        start.context = Self.context(reader.optional("context"), mayOverride: Self.mayOverride(call))
        let locale = reader.optional("locale")?.languageTag()
        start.locale = (locale ?? ContextReading.acceptedLanguage(call, in: app))?.text
        start.platform = Self.platform(start.context, reader.optional("attributes")?.value)
        if findings.faults.isEmpty, ids.clientID == nil, ids.userID == nil {
            findings.fault("required", at: .root, "client_id or user_id is missing")
        }
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        self.start = start
        try call.requireProof(of: ids.userID, proof, in: app)
        if let id = ids.clientID { try call.limit(client: id, of: app) }
    }

    /// The round that the client was told; nil if the flow does not repeat.
    func round(of recipe: LoadedRecipe) throws(APIError) -> Int? {
        guard recipe.recipe.repeats != nil else { return nil }
        let round = document.round
        guard document.findings.faults.isEmpty else { throw .badRequest(document.findings.faults) }
        return round
    }

    /// The client's platform, even from an attribute that the manifest does not declare; nil if the client does not
    /// name it.
    private static func platform(_ context: JSONObject, _ attributes: JSONValue?) -> String? {
        context["platform"]?.string ?? attributes?.object?["platform"]?.string
    }

    private static func mayOverride(_ call: Call) -> Bool {
        call.principal != nil && call.mayDo(.publish) || call.worker.settings.isOpen
    }

    private static func context(_ reader: JSONReader?, mayOverride: Bool) -> JSONObject {
        guard let reader, var context = reader.object() else { return [:] }
        for key in ["source", "campaign", "referrer", "platform"] { _ = reader.optional(key)?.string(length: 0...1000) }
        _ = reader.optional("userProperties")?.object()
        for (_, variant) in reader.optional(overrideKey)?.members() ?? [] { _ = variant.string() }
        if !mayOverride { context[overrideKey] = nil }
        if JSONValue.object(context).encoded.count > contextBytes {
            reader.finding("length", "a context has at most 16 KiB")
        }
        return context
    }
}
