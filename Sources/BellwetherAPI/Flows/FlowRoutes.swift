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
        let attributes = try queryAttributes(flow)
        let recipe = try flow.recipe(for: attributes)
        guard recipe.isLive, let content = recipe.flow else {
            throw .notFound("The flow \"\(recipe.stored.slug)\" is not live.")
        }
        let theme = Theme.merged(content.definition.theme, over: flow.app.manifest.theme)
        var facts = Array("\(recipe.stored.slug) \(content.revision)".utf8)
        if let theme { facts += JSONValue.object(theme.document).encoded }
        let tag = "\"\(Digest.hex(Digest.sha256(facts).prefix(12)))\""
        return .now(
            call.conditional(tag) {
                var document = content.definition.publicDocument
                document["slug"] = .string(recipe.stored.slug)
                document["revision"] = .integer(Int64(content.revision))
                document.add(theme)
                return .json(200, ["flow": .object(document)])
            })
    }

    private static func queryAttributes(_ flow: FlowCall) throws(APIError) -> JSONObject {
        let reader = try QueryReader(flow.call)
        var attributes = JSONObject()
        for item in reader.items {
            switch item.name {
            case "client_id", "user_id":
                if !item.value.isIdentifier {
                    reader.fault("identifier", at: item.name, "\(item.name) has 1 to 128 printable characters")
                }
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
        return attributes
    }

    @Sendable private static func start(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        let body = try FlowStartBody(flow)
        let recipe = try flow.recipe(for: body.start.attributes)
        guard recipe.isLive, let content = recipe.flow else { throw .inactiveFlow }
        let access = RunAccess(call, body.ids, responseID: nil)
        var request = StartFlow.Request(body.ids, body.start, newID: SurveyCall.randomID())
        (request.message, request.mayBegin) = (body.message, WebAccess(call) == nil)
        request.mayResume = { access.mayRead($0) }
        request.recordsAnswers = call.worker.settings.events.recordsAnswers
        return submit(request, of: recipe.stored.slug, content, flow)
    }

    /// Submits a start. With a public token, a new run first counts against the limit of the client's address.
    ///
    /// - Parameter taken: The counted request, which is given back if no run begins.
    private static func submit(
        _ request: StartFlow.Request, of slug: String, _ content: FlowContent, _ flow: FlowCall,
        taken: TakenRequest? = nil
    ) -> Handling {
        let call = flow.call
        let start = StartFlow(request, of: slug, content, in: flow.app, now: call.arrived)
        let (actions, bytes) = (call.services.flowActions, call.contentBytes)
        return call.park { (ticket: Ticket<Result<StartFlow.Outcome, StoreError>>) in
            actions.take(start, bytes: bytes) { outcome in
                if case .success(.started) = outcome {} else { taken?.giveBack() }
                ticket.complete(outcome)
            }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .started(let run, let banner):
                return try flow.withFlow(of: run) { content in
                    .now(answer(201, call.judging { content.json(run, banner: banner, &$0) }))
                }
            case .withheld: throw .openRun
            case .open(let run):
                return try flow.withFlow(of: run) { content in
                    .now(answer(200, call.judging { content.json(run, &$0) }))
                }
            case .inactive: throw .inactiveFlow
            case .closed(let reason): throw .closedFlow(reason)
            case .tooManyRuns: throw .tooManyRuns
            case .mayNotBegin:
                var next = request
                next.mayBegin = true
                return submit(next, of: slug, content, flow, taken: try WebAccess(call)?.takeResponse())
            }
        }
    }

    @Sendable private static func show(_ call: Call) throws(APIError) -> Handling {
        try FlowCall(call).withRun(call.parameter("run_id")) { run, flow in
            .now(answer(200, call.judging { flow.json(run, &$0) }))
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

    static func answer(_ status: Int, _ run: JSONValue) -> Response {
        var response = Response.json(status, run)
        response.add("Cache-Control", "private, no-store")
        return response
    }

    /// All flows in AppDNA's form, which `POST …/recipes` accepts.
    @Sendable private static func export(_ call: Call) throws(APIError) -> Handling {
        .now(.json(200, FlowBundle.export(try call.app())))
    }
}
