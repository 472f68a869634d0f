import BellwetherBase
internal import BellwetherJSON
internal import Surveys

/// Any document as a flow: it is read, and run by actions that follow from its bytes. The check tests the invariants of
/// every run.
///
/// The first byte chooses the respondent's actions and answers.
public enum FlowCheck: FuzzCheck {
    private static let actions = 24

    public static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome {
        guard let choice = bytes.first, let value = try? JSONValue(parsing: bytes.dropFirst()) else { return .refused }
        let findings = Findings()
        let flow = FlowDefinition(JSONReader(value, findings: findings), slug: "slug")
        for finding in findings.faults + findings.warnings { _ = finding.pointer.description }
        guard let flow else { return .refused }
        _ = JSONValue.object(flow.publicDocument).encoded
        try walk(flow, choice)
        return .taken
    }

    private static func walk(_ flow: FlowDefinition, _ choice: UInt8) throws(Violation) {
        var start = FlowStart()
        (start.locale, start.platform) = ("de-AT", choice & 1 == 0 ? "ios" : "android")
        start.attributes = ["age": 18, "city": "{{user.city}}"]
        var now = Timestamp(seconds: 1_800_000_000)
        var move = flow.start(start, at: now)
        for turn in 0..<actions {
            try checkRun(move, flow)
            guard let step = move.run.stepID else { break }
            now = now.adding(milliseconds: 250)
            if flow.step(step)?.kind == .interactiveChat {
                try talk(in: flow, &move, Int(choice) + turn, now)
                try checkRun(move, flow)
            }
            let kind: FlowAction.Kind = [.next, .next, .skip, .back][(Int(choice) + turn) % 4]
            let action = FlowAction(kind, at: step, response(to: flow.step(step), choice))
            do throws(FlowRefusal) {
                let hook: FlowHookResult? = choice & 2 == 0 ? .proceed(data: ["v": 1]) : nil
                guard case .moved(let next) = try flow.advance(move.run, action, at: now, hook: hook) else { break }
                move = next
            } catch {
                try require(!error.faults().isEmpty, "a refusal without a fault")
                guard case .invalid = error else { continue }
                guard let next = try? flow.dismiss(move.run) else { break }
                move = next
            }
        }
    }

    private static let replies = [
        #"{"messages": [{"content": "a"}], "data": {"k": 1}, "quick_replies": [{"id": "q", "text": "Q"}]}"#,
        #"{"messages": 5, "force_complete": true, "completion_message": "c"}"#, #"{"action": "error"}"#, "no JSON",
    ]

    /// One action in a conversation, and the response of the owner's server.
    private static func talk(
        in flow: FlowDefinition, _ move: inout FlowMove, _ choice: Int, _ now: Timestamp
    ) throws(Violation) {
        let step = move.run.stepID ?? ""
        let action: ChatAction = [.say("text"), .choose("q"), .rate(3), .say("text"), .end][choice % 5]
        do throws(FlowRefusal) {
            move = try flow.chat(move.run, action, at: step, key: "\(choice)", now: now)
            guard let exchange = move.chat?.exchange else { return }
            _ = JSONValue.object(exchange.body).encoded
            let bytes = Array(replies[choice % replies.count].utf8)
            let reply = Result { () throws(ChatFailure) in try ChatReply(bytes) }
            move = try flow.reply(move.run, to: exchange.turn, at: step, reply, now: now)
        } catch {
            try require(!error.faults().isEmpty, "a refusal without a fault")
        }
    }

    private static let answers: [JSONValue] = [
        "text", 5, true, ["a"], ["low": 1, "high": 2], "2026-03-01", "a@b.c", "#123456", ["city": "Oslo"],
    ]

    private static func response(to step: FlowStep?, _ choice: UInt8) -> JSONObject {
        JSONObject(
            (step?.fields ?? []).enumerated().map { index, field in
                (field.id.text, answers[(Int(choice) + index) % answers.count])
            })
    }

    private static func checkRun(_ move: FlowMove, _ flow: FlowDefinition) throws(Violation) {
        let run = move.run
        let view = flow.view(run, banner: move.banner)
        try require((run.outcome == nil) == (view["step"] != .null), "a run that has ended shows a step, or one not")
        try require(view["progress"].flatMap(\.double).map { (0...1).contains($0) } ?? true, "progress beyond 0 to 1")
        try require(FlowRun(run.json, responses: run.responses) == run, "a run that is not what was stored")
        let secrets = flow.steps.flatMap { step in step.fields.filter(\.type.isSecret).map { (step.id, $0.id) } }
        for (step, field) in secrets {
            try require(run.responses[step]?.object?[field] == nil, "the run has a password")
        }
    }
}
