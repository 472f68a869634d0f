internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

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
            request.hooks = FlowHookAnswers(areAsked: call.services.hooks != nil)
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
        let host = host(reader.optional("host"))
        let attributes = reader.optional("attributes").map {
            ContextReading(app: flow.app, call: flow.call).read($0).attributes
        }
        guard findings.faults.isEmpty, let step, let kind, let response else { throw .badRequest(findings.faults) }
        try limit(.object(response), "response")
        if let host { try limit(host.value, "host") }
        var action = FlowAction(kind, at: step, response)
        action.host = host.map { FlowHookResult($0.value) }
        let key = flow.call.request.header(.idempotencyKey).map { String(decoding: $0, as: UTF8.self) }
        return Body(
            action: action, id: id ?? key.flatMap { $0.isIdentifier ? $0 : nil },
            attributes: JSONObject((attributes ?? [:]).map { ($0.key, $0.value) }))
    }

    private enum HostAction: String, CaseIterable {
        case proceed
        case proceedWithData = "proceed_with_data"
        case block
        case stay
        case skipTo = "skip_to"
        case skipToWithData = "skip_to_with_data"
    }

    private static func limit(_ value: JSONValue, _ name: String) throws(APIError) {
        guard value.encoded.count - value.fileBytes <= responseBytes else {
            throw .invalid(
                "length", "\(name) has at most 64 KiB beside its images", at: JSONPointer(tokens: [name]))
        }
    }

    /// What the client's own hook has said, once it is found to be what a hook says.
    private static func host(_ reader: JSONReader?) -> JSONReader? {
        guard let reader, reader.object() != nil else { return nil }
        _ = reader.required("action")?.choice(HostAction.self)
        _ = reader.optional("data")?.object()
        for key in ["target_step_id", "message"] { _ = reader.optional(key)?.string(length: 0...2000) }
        return reader
    }

    /// No digest of the body is kept: it may have a password.
    static func claim(_ id: String, _ call: Call) -> IdempotencyClaim {
        IdempotencyClaim(
            token: call.principal?.name ?? "", path: String(decoding: call.request.path, as: UTF8.self), key: id,
            bodyDigest: [])
    }

    static func submit(
        _ request: AdvanceFlow.Request, _ flow: FlowContent, claim: IdempotencyClaim?, _ call: Call
    ) -> Handling {
        let kept = claim.map { claim in
            AdvanceFlow.KeptReply(claim) { run, move, budget in body(run, move, flow, &budget).encoded }
        }
        return submit(AdvanceFlow(request, flow, now: call.arrived, keeping: kept), call)
    }

    private static func submit(_ advance: AdvanceFlow, _ call: Call, judgements: Int = 0) -> Handling {
        let (store, flow) = (call.services.persistence, advance.flow)
        return call.park { (ticket: Ticket<Result<TransactionResult, StoreError>>) in
            store.submit(advance.transaction) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .advancedFlow(.advanced(let run, let move)):
                guard let exchange = move.chat?.exchange else {
                    let json = call.judging { body(run, move, flow, &$0) }
                    return .now(FlowRoutes.answer(200, json))
                }
                return ChatRoute.ask(exchange, of: run, advance.request, flow, advance.kept?.claim, call)
            case .advancedFlow(.refused(let refusal, let run)):
                throw .refusedAction(refusal, run: call.judging { flow.json(run, &$0) })
            case .advancedFlow(.needsJudgement(let run)):
                guard judgements < Call.maximumJudgements else { throw .store(.overloaded) }
                let judgement = advance.judge(run)
                call.countJudgement(judgement.overruns)
                var next = advance
                next.judgement = judgement
                return submit(next, call, judgements: judgements + 1)
            case .advancedFlow(.needs(let exchange, let run)):
                return FlowHookCall(call).ask(exchange, of: run, in: flow) { hook in
                    var next = advance.request
                    next.hooks.add(hook, to: exchange)
                    return submit(next, flow, claim: advance.kept?.claim, call)
                }
            case .advancedFlow(.unknownRun): throw .noRun
            case .replayed(let earlier): return .now(Idempotency.response(earlier.status, earlier.body))
            default: return .now(.unexpected)
            }
        }
    }

    /// RUN, or what came of an action in a conversation with it.
    private static func body(
        _ run: Run, _ move: FlowMove, _ flow: FlowContent, _ budget: inout EvaluationBudget
    ) -> JSONValue {
        let json = flow.json(run, banner: move.banner, &budget)
        guard let chat = move.chat else { return json }
        var answer = chat.json(json.object?["chat"]?.object ?? [:])
        answer["run"] = json
        return .object(answer)
    }
}

/// Asks an owner's server while the request is parked.
struct FlowHookCall {
    let call: Call

    init(_ call: Call) { self.call = call }

    /// Asks a step's hook, and goes on with what it says.
    func ask(
        _ exchange: FlowExchange, of run: Run, in flow: FlowContent,
        _ proceed: @escaping (HookCaller.Answer) throws(APIError) -> Handling
    ) -> Handling {
        guard let hooks = call.services.hooks else { return .now(.unexpected) }
        let app = call.parameter("app")
        return call.detached.park { (ticket: Ticket<HookCaller.Answer>) in
            hooks.call(exchange, of: run, in: flow.definition, app: app) { ticket.complete($0) }
        } resume: { (answer) throws(APIError) in
            try proceed(answer)
        }
    }
}
