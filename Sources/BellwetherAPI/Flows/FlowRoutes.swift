internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Onboarding flows, for respondents (docs/reference/http-api.md#flows).
enum FlowRoutes {
    static let all = [
        Endpoint(.get, "/v1/apps/{app}/flows/{slug}", .needs(.participate, or: .publish), handle: fetch),
        Endpoint(.post, "/v1/apps/{app}/flows/{slug}/runs", .needs(.participate, or: .publish), handle: start),
        Endpoint(.get, "/v1/apps/{app}/runs/{run_id}", .needs(.participate, or: .publish), handle: show),
        Endpoint(
            .post, "/v1/apps/{app}/runs/{run_id}/advance", .needs(.participate, or: .publish), handle: AdvanceRoute.post
        )
        .taking(.files),
        Endpoint(
            .post, "/v1/apps/{app}/runs/{run_id}/chat", .needs(.participate, or: .publish), handle: ChatRoute.post),
        Endpoint(.post, "/v1/apps/{app}/runs/{run_id}/dismiss", .needs(.participate, or: .publish), handle: dismiss),
        Endpoint(.get, "/v1/apps/{app}/flows", .needs(.read), handle: export),
    ]

    /// The definition without hooks. Only live flows are found.
    @Sendable private static func fetch(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        let (clientID, attributes) = try respondent(flow)
        // A user that is named here has not been proved.
        let ids = RespondentIDs(app: flow.app.name, clientID: clientID, userID: nil)
        return try flow.withRecipe(for: attributes, of: ids) { (recipe) throws(APIError) in
            try definition(of: recipe, flow)
        }
    }

    private static func definition(of recipe: LoadedRecipe, _ flow: FlowCall) throws(APIError) -> Handling {
        guard recipe.isLive, let content = recipe.flow else {
            throw .notFound("The flow \"\(recipe.stored.slug)\" is not live.")
        }
        let theme = Theme.merged(content.definition.theme, over: flow.app.manifest.theme)
        var facts = Array("\(recipe.stored.slug) \(content.revision)".utf8)
        if let theme { facts += JSONValue.object(theme.document).encoded }
        let tag = "\"\(Digest.hex(Digest.sha256(facts).prefix(12)))\""
        return .now(
            flow.call.conditional(tag) {
                var document = content.definition.publicDocument
                document["slug"] = .string(recipe.stored.slug)
                document["revision"] = .integer(Int64(content.revision))
                document.add(theme)
                return .json(200, ["flow": .object(document)])
            })
    }

    /// The client's id and attributes in the query.
    private static func respondent(
        _ flow: FlowCall
    ) throws(APIError) -> (clientID: Identifier?, attributes: JSONObject) {
        let reader = try QueryReader(flow.call)
        var clientID: Identifier?
        var attributes = JSONObject()
        for item in reader.items {
            switch item.name {
            case "client_id", "user_id":
                if !item.value.isIdentifier {
                    reader.fault("identifier", at: item.name, "\(item.name) has 1 to 128 printable characters")
                }
                if item.name == "client_id" { clientID = Identifier(item.value) }
            case "locale", "user_proof": break
            default:
                guard let type = flow.app.manifest.attributes[item.name] else { continue }
                if let value = type.decode(item.value) {
                    attributes[item.name] = value
                } else {
                    reader.fault("type", at: item.name, "\(item.name) is not a JSON \(type.rawValue)")
                }
            }
        }
        try reader.finish()
        return (clientID, attributes)
    }

    @Sendable private static func start(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        let body = try FlowStartBody(flow)
        return try flow.withRecipe(for: body.start.attributes, of: body.ids) { (recipe) throws(APIError) in
            try start(recipe, body, flow)
        }
    }

    private static func start(
        _ recipe: LoadedRecipe, _ body: FlowStartBody, _ flow: FlowCall
    ) throws(APIError) -> Handling {
        let call = flow.call
        guard recipe.isLive, let content = recipe.flow else { throw .inactiveFlow }
        let access = RunAccess(call, body.ids, responseID: nil)
        var request = StartFlow.Request(body.ids, body.start, newID: SurveyCall.randomID())
        (request.message, request.round) = (body.message, try body.round(of: recipe))
        request.publicURL = call.worker.settings.publicURL
        request.mayResume = { access.mayRead($0) }
        request.recordsAnswers = call.worker.settings.events.recordsAnswers
        return submit(StartFlow(request, of: recipe.stored.slug, content, in: flow.app, now: call.arrived), flow)
    }

    private static func submit(_ start: StartFlow, _ flow: FlowCall) -> Handling {
        let call = flow.call
        let (driver, requester) = (call.services.actions, call.requester)
        return call.park { (ticket: Ticket<Result<StartFlow.Outcome, StoreError>>) in
            start.run(by: driver, for: requester) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .started(let run, let banner):
                return try flow.withFlow(of: run) { (content) throws(APIError) in
                    try flow.answer(201, run, of: content, banner: banner)
                }
            case .withheld: throw .openRun
            case .open(let run):
                return try flow.withFlow(of: run) { (content) throws(APIError) in
                    try flow.answer(200, run, of: content)
                }
            case .inactive: throw .inactiveFlow
            case .closed(let reason): throw .closedFlow(reason)
            case .refused(let refusal): throw APIError(refusal, namesRound: true)
            case .tooManyRuns: throw .tooManyRuns
            case .limited(let seconds): throw call.worker.rates.refusal(.webRespondents, wait: seconds)
            }
        }
    }

    @Sendable private static func show(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        return flow.withRun(call.parameter("run_id")) { (run, content) throws(APIError) in
            try flow.answer(200, run, of: content)
        }
    }

    @Sendable private static func dismiss(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        return flow.withRun(call.parameter("run_id")) { (run, content) throws(APIError) in
            let reference = RunReference(app: flow.app.name, id: run.id)
            let request = AdvanceFlow.Request(.dismiss, of: reference, webhookID: WebhookID.make())
            return try AdvanceRoute.submit(request, of: run, in: content, id: nil, call)
        }
    }

    /// All flows in AppDNA's form, which `POST …/recipes` accepts.
    @Sendable private static func export(_ call: Call) throws(APIError) -> Handling {
        .now(.json(200, FlowBundle.export(try call.app())))
    }
}
