internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// `POST …/runs/{run_id}/advance`.
enum AdvanceRoute {
    /// The maximum bytes of a response, without its images.
    private static let responseBytes = 65_536

    private struct Body {
        let action: FlowAction
        /// The id of the action. A repeated id gets the same response.
        let id: Identifier?
        let attributes: JSONObject
    }

    @Sendable static func post(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        let body = try read(flow)
        return flow.withRun(call.parameter("run_id")) { (run, content) throws(APIError) in
            guard flow.app.recipes[run.slug]?.isLive == true else { throw .inactiveFlow }
            let reference = RunReference(app: flow.app.name, id: run.id)
            var request = AdvanceFlow.Request(.action(body.action), of: reference, webhookID: WebhookID.make())
            request.attributes = body.attributes
            return try submit(request, of: run, in: content, id: body.id, call)
        }
    }

    private static func read(_ flow: FlowCall) throws(APIError) -> Body {
        let findings = Findings()
        let reader = JSONReader(try flow.call.json(), findings: findings)
        let step = reader.required("step_id")?.identifier(length: 1...200)
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
        action.host = host.flatMap { FlowHookResult($0.value) }
        let key = flow.call.request.header(.idempotencyKey).map { String(decoding: $0, as: UTF8.self) }
        return Body(
            action: action, id: id ?? key.flatMap { $0.isIdentifier ? Identifier($0) : nil },
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
            throw .tooLarge("The member \"\(name)\" has more than 64 KiB beside its images.")
        }
    }

    /// The result of the client's own hook; nil if it is not an object. Faults in its form are reported.
    private static func host(_ reader: JSONReader?) -> JSONReader? {
        guard let reader, reader.object() != nil else { return nil }
        _ = reader.required("action")?.choice(HostAction.self)
        _ = reader.optional("data")?.object()
        for key in ["target_step_id", "message"] { _ = reader.optional(key)?.string(length: 0...2000) }
        return reader
    }

    /// - Parameter id: The id of the action. A repeated id gets the same response.
    static func submit(
        _ request: AdvanceFlow.Request, of run: Run, in flow: FlowContent, id: Identifier?, _ call: Call
    ) throws(APIError) -> Handling {
        var request = request
        request.recordsAnswers = call.worker.settings.events.recordsAnswers
        request.publicURL = call.worker.settings.publicURL
        var advance = AdvanceFlow(request, slug: run.slug, flow, in: try call.app(), now: call.arrived)
        advance.claim = id.map { claim($0, call) }
        let repeats = FlowCall.repeats(run, in: try call.app())
        advance.reply = { run, move, budget in body(run, move, flow, repeats: repeats, &budget).encoded }
        let (driver, requester) = (call.services.actions, call.requester)
        return call.park { [advance] (ticket: Ticket<Result<AdvanceFlow.Outcome, StoreError>>) in
            advance.run(by: driver, for: requester) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .advanced(_, let reply): return .now(.run(200, reply))
            case .refused(let refusal, let run):
                return try call.judging {
                    flow.json(run, repeats: repeats, &$0)
                } then: { (run) throws(APIError) in
                    throw .refusedAction(
                        refusal.faults(in: flow.definition.language), isConflict: refusal.isConflict, run: run)
                }
            case .unknownRun: throw .noRun
            case .inactive: throw .inactiveFlow
            case .replayed(let earlier): return .now(Idempotency.response(earlier.status, earlier.body))
            }
        }
    }

    /// The claim has no digest of the body, which may contain a password.
    private static func claim(_ id: Identifier, _ call: Call) -> IdempotencyClaim {
        IdempotencyClaim(
            token: call.principal?.name ?? "", path: Identifier(String(decoding: call.request.path, as: UTF8.self)),
            key: id,
            bodyDigest: [])
    }

    /// The run, or the response to a chat action with the run in it.
    private static func body(
        _ run: Run, _ move: FlowMove, _ flow: FlowContent, repeats: Bool, _ budget: inout EvaluationBudget
    ) -> JSONValue {
        let json = flow.json(run, repeats: repeats, banner: move.banner, &budget)
        guard let chat = move.chat else { return json }
        var answer = chat.json(json.object?["chat"]?.object ?? [:])
        answer["run"] = json
        return .object(answer)
    }
}
