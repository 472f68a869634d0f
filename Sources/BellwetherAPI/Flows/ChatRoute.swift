internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// `POST …/runs/{run_id}/chat` (docs/reference/flows.md#chats).
enum ChatRoute {
    private struct Body {
        let step: Identifier
        let action: ChatAction
        /// The id of the message. A repeated id gets the same response, and adds no second message.
        let id: Identifier?
    }

    @Sendable static func post(_ call: Call) throws(APIError) -> Handling {
        let flow = try FlowCall(call)
        let body = try read(call)
        let id = call.parameter("run_id")
        return flow.withRun(id) { (run, content) throws(APIError) in
            guard flow.app.recipes[run.slug]?.isLive == true else { throw .inactiveFlow }
            if body.action.isMessage { try WebAccess(call)?.limitChats() }
            let change = AdvanceFlow.Change.chat(body.action, step: body.step, key: body.id ?? "")
            let request = AdvanceFlow.Request(
                change, of: RunReference(app: flow.app.name, id: run.id), webhookID: WebhookID.make())
            return try AdvanceRoute.submit(request, of: run, in: content, id: body.id, call)
        }
    }

    private static func read(_ call: Call) throws(APIError) -> Body {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let step = reader.required("step_id")?.identifier(length: 1...200)
        let id = reader.optional("id")?.identifier()
        let action = ChatAction(reader)
        guard findings.faults.isEmpty, let step, let action else { throw .badRequest(findings.faults) }
        let key = call.request.header(.idempotencyKey).map { String(decoding: $0, as: UTF8.self) }
        return Body(step: step, action: action, id: id ?? key.flatMap { $0.isIdentifier ? Identifier($0) : nil })
    }
}

extension ChatAction {
    /// Whether the daemon calls the owner's server.
    fileprivate var isMessage: Bool {
        switch self {
        case .say, .choose: true
        case .rate, .end: false
        }
    }
}
