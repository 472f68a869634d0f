internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Onboarding flows, as respondents meet them (docs/reference/http-api.md#flows).
enum FlowRoutes {
    static let all = [
        Endpoint(.get, "/v1/apps/{app}/flows/{slug}", .scope(.client), handle: fetch).admittingOwners,
        Endpoint(.post, "/v1/apps/{app}/flows/{slug}/runs", .scope(.client), handle: start).admittingOwners,
        Endpoint(.get, "/v1/apps/{app}/runs/{run_id}", .scope(.client), handle: show).admittingOwners,
        Endpoint(.post, "/v1/apps/{app}/runs/{run_id}/advance", .scope(.client), handle: AdvanceRoute.post)
            .admittingOwners.takingFiles,
        Endpoint(.post, "/v1/apps/{app}/runs/{run_id}/dismiss", .scope(.client), handle: dismiss).admittingOwners,
        Endpoint(.get, "/v1/apps/{app}/flows", .scope(.owner), handle: export),
    ]

    /// The definition without hooks. Live flows only.
    @Sendable private static func fetch(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        let attributes = try queryAttributes(flow)
        let recipe = try flow.recipe(for: attributes)
        guard recipe.isLive, let content = recipe.flow else {
            throw .notFound("The flow \"\(recipe.stored.slug)\" is not live.")
        }
        let tag = "\"\(Digest.hex(Digest.sha256(Array("\(recipe.stored.slug) \(content.revision)".utf8)).prefix(12)))\""
        let isKnown = call.request.header(.ifNoneMatch).map { EntityTag.matches(ifNoneMatch: $0, etag: tag) } ?? false
        var document = content.definition.publicDocument
        document["slug"] = .string(recipe.stored.slug)
        document["revision"] = .integer(Int64(content.revision))
        var response = isKnown ? Response(304) : .json(200, ["flow": .object(document)])
        response.add("ETag", tag)
        response.add("Cache-Control", "private, no-cache")
        return .now(response)
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
        guard recipe.isLive else { throw .inactiveFlow }
        let access = RunAccess(call, body.ids, responseID: nil)
        let wait = WebAccess(call)?.waitForResponse ?? 0
        var request = StartFlow.Request(body.ids, body.start, newID: SurveyCall.randomID())
        (request.message, request.mayBegin) = (body.message, wait == 0)
        request.mayResume = { access.mayRead($0) }
        request.recordsAnswers = call.worker.settings.events.recordsAnswers
        guard let start = StartFlow(request, of: recipe, in: flow.app, now: call.arrived) else {
            return .now(.unexpected)
        }
        let store = call.services.persistence
        return call.detached.park { (ticket: Ticket<Result<TransactionResult, StoreError>>) in
            RunLimit.submit(start.transaction, to: store) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let outcome = try outcome.orThrow()
            if case .runLimit = outcome { throw .tooManyRuns }
            guard case .startedFlow(let result) = outcome else { return .now(.unexpected) }
            switch result {
            case .started(let run):
                WebAccess(call)?.countResponse()
                return try flow.withFlow(of: run) { .now(answer(201, $0.json(run))) }
            case .open(let run): return try flow.withFlow(of: run) { .now(answer(200, $0.json(run))) }
            case .mayNotBegin: throw call.worker.rates.refusal(.webRespondents, wait: wait)
            }
        }
    }

    @Sendable private static func show(_ call: Call) throws(APIError) -> Handling {
        try FlowCall(call).withRun(call.parameter("run_id")) { run, flow in .now(answer(200, flow.json(run))) }
    }

    @Sendable private static func dismiss(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        return flow.withRun(call.parameter("run_id")) { run, content in
            var request = AdvanceFlow.Request(.dismiss, of: RunReference(app: flow.app.name, id: run.id))
            request.recordsAnswers = call.worker.settings.events.recordsAnswers
            return AdvanceRoute.submit(request, content, claim: nil, call)
        }
    }

    static func answer(_ status: Int, _ run: JSONValue) -> Response {
        var response = Response.json(status, run)
        response.add("Cache-Control", "private, no-store")
        return response
    }

    /// All flows in AppDNA's form, as `POST …/recipes` takes them.
    @Sendable private static func export(_ call: Call) throws(APIError) -> Handling {
        .now(.json(200, FlowBundle.export(try call.app())))
    }
}

/// `POST …/runs/{run_id}/advance`.
enum AdvanceRoute {
    /// Bytes of a response, without its images.
    private static let responseBytes = 65_536

    private struct Body {
        let action: FlowAction
        /// The same id is answered the same.
        let id: String?
        let attributes: JSONObject
    }

    @Sendable static func post(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        let body = try read(flow)
        return flow.withRun(call.parameter("run_id")) { (run, content) throws(APIError) in
            guard flow.app.recipes[run.slug]?.isLive == true else { throw .inactiveFlow }
            let reference = RunReference(app: flow.app.name, id: run.id)
            var request = AdvanceFlow.Request(.action(body.action), of: reference)
            request.attributes = body.attributes
            request.recordsAnswers = call.worker.settings.events.recordsAnswers
            if call.services.hooks == nil { request.hook = .proceed(data: [:]) }
            return submit(request, content, claim: body.id.map { claim($0, call) }, call)
        }
    }

    private static func read(_ flow: FlowCall) throws(APIError) -> Body {
        let findings = Findings()
        let reader = JSONReader(try flow.call.json(), findings: findings)
        let step = reader.required("step_id")?.string(length: 1...200)
        let kind = reader.optional("action").map { $0.choice(FlowAction.Kind.self) } ?? .next
        let response = reader.optional("response").map { $0.object() } ?? [:]
        let id = reader.optional("id")?.identifier()
        let attributes = reader.optional("attributes").map {
            ContextReading(app: flow.app, call: flow.call).read($0).attributes
        }
        guard findings.faults.isEmpty, let step, let kind, let response else { throw .badRequest(findings.faults) }
        let answers = JSONValue.object(response)
        guard answers.encoded.count - answers.fileBytes <= responseBytes else {
            throw .invalid(
                "length", "a response has at most 64 KiB beside its images", at: JSONPointer(tokens: ["response"]))
        }
        let key = flow.call.request.header(.idempotencyKey).map { String(decoding: $0, as: UTF8.self) }
        return Body(
            action: FlowAction(kind, at: step, response), id: id ?? key.flatMap { $0.isIdentifier ? $0 : nil },
            attributes: JSONObject((attributes ?? [:]).map { ($0.key, $0.value) }))
    }

    /// No digest of the body is kept: it may have a password.
    private static func claim(_ id: String, _ call: Call) -> IdempotencyClaim {
        IdempotencyClaim(
            token: call.principal?.name ?? "", path: String(decoding: call.request.path, as: UTF8.self), key: id,
            bodyDigest: [])
    }

    static func submit(
        _ request: AdvanceFlow.Request, _ flow: FlowContent, claim: IdempotencyClaim?, _ call: Call
    ) -> Handling {
        let transaction = AdvanceFlow(request, flow, now: call.arrived).transaction(claim) { run, banner in
            flow.json(run, banner: banner).encoded
        }
        let store = call.services.persistence
        return call.park { (ticket: Ticket<Result<TransactionResult, StoreError>>) in
            store.submit(transaction) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .advancedFlow(.advanced(let run, let banner)):
                return .now(FlowRoutes.answer(200, flow.json(run, banner: banner)))
            case .advancedFlow(.refused(let refusal, let run)):
                throw .refusedAction(refusal, run: flow.json(run))
            case .advancedFlow(.needs(let exchange, let run)): return ask(exchange, of: run, request, flow, claim, call)
            case .advancedFlow(.unknownRun): throw .noRun
            case .replayed(let earlier): return .now(Idempotency.response(earlier.status, earlier.body))
            default: return .now(.unexpected)
            }
        }
    }

    /// Asks the step's hook, and goes on with what it says.
    private static func ask(
        _ exchange: FlowExchange, of run: Run, _ request: AdvanceFlow.Request, _ flow: FlowContent,
        _ claim: IdempotencyClaim?, _ call: Call
    ) -> Handling {
        guard let hooks = call.services.hooks else { return .now(.unexpected) }
        let app = request.run.app
        return call.park { (ticket: Ticket<HookCaller.Answer>) in
            hooks.call(exchange, of: run, in: flow.definition, app: app) { ticket.complete($0) }
        } resume: { (answer) throws(APIError) in
            var next = request
            (next.hook, next.hookEvents) = (answer.result, answer.events)
            return submit(next, flow, claim: claim, call)
        }
    }
}
