import BellwetherBase
import BellwetherJSON
import Foundation
import Surveys
import Synchronization
import TestSupport
import Testing

/// Simultaneous actions on runs, with equal and different ids, compared with the same actions in sequence. Each run
/// must be the result of some order of its actions, and each response must fit that order. The owner's server must get
/// one `webhook-id` for each action (docs/reference/flows.md#one-action-after-another).
@Suite struct FlowOrderTests {
    private static let rounds = 12
    private static let runs = 3
    private static let actions = 6
    private static let batches = 3

    private let server: OwnersServer
    private let app: TestApp
    private let folder: TemporaryDirectory
    private let flow: FlowDefinition

    init() throws {
        server = try OwnersServer()
        folder = try TemporaryDirectory()
        let settings = try folder.write("webhooks: {allow_networks: [127.0.0.0/8]}\n", to: "c.yaml")
        app = try TestApp(on: Daemon(["--dev", "--workers", "4", "--config", settings], data: folder))
        let document = server.flow
        flow = try #require(FlowDefinition(JSONReader(document, findings: Findings()), slug: "tour"))
        try app.publish("tour", document)
    }

    @Test func `Actions at once are actions one after another`() throws {
        for seed in 0..<UInt64(Self.rounds) {
            var random = SeededGenerator(seed: seed)
            var tried = try (0..<Self.runs).map { try begin("u\(seed)-\($0)") }
            for _ in 0..<Self.batches {
                for index in tried.indices {
                    tried[index].plan = (0..<Self.actions).map { _ in tried[index].action(&random) }
                }
                let answers = try send(tried)
                for (index, answers) in answers.enumerated() {
                    let context = "seed \(seed): \(tried[index].plan)\n\(answers)"
                    tried[index].follow(answers, in: flow)
                    #expect(!tried[index].states.isEmpty, "no order explains \(context)")
                    let now = Shown(try app.server.get(tried[index].path))
                    tried[index].states = tried[index].states.filter { $0.shown(in: flow) == now }
                    #expect(!tried[index].states.isEmpty, "the run is not as any order leaves it: \(now), \(context)")
                }
                guard tried.allSatisfy({ !$0.states.isEmpty }) else { return }
            }
        }
        let doubled = server.ids.filter { $0.value.count > 1 }
        #expect(doubled.isEmpty, "\(doubled)")
        #expect(server.ids.count > Self.rounds * Self.runs)
    }

    private func begin(_ user: String) throws -> RunTrial {
        let started = try app.server.post(
            "\(app.path)/flows/tour/runs", ["client_id": .string(user), "user_id": .string(user)])
        let id = try #require(started.json["run_id"].string, "\(started.text)")
        return RunTrial(path: "\(app.path)/runs/\(id)", flow.start(FlowStart(), at: Respondent.now).run)
    }

    /// Sends all requests at once: the owner's server does not respond before every request is sent.
    private func send(_ tried: [RunTrial]) throws -> [[Shown]] {
        let gate = Gate(after: tried.count * Self.actions)
        server.hold(gate)
        let works = tried.flatMap { run in
            run.plan.map { action -> @Sendable () throws -> Shown in
                let (target, body) = ("\(run.path)/\(action.isChat ? "chat" : "advance")", action.body.encoded)
                return { [app] in
                    let connection = try app.server.connect()
                    try connection.send(
                        "POST", target, headers: ["Content-Type": "application/json"], body: body)
                    gate.arrive()
                    return Shown(try connection.receive())
                }
            }
        }
        let answers = try together(works)
        return tried.indices.map { Array(answers[($0 * Self.actions)..<(($0 + 1) * Self.actions)]) }
    }
}

/// An owner's server whose response depends only on the request. It stores the ids with which it was called for an
/// action.
private final class OwnersServer: Sendable {
    private final class State: Sendable {
        let ids = Mutex<[String: Set<String>]>([:])
        let gate = Mutex<Gate?>(nil)
    }

    private let state = State()
    private let receiver: WebhookReceiver

    init() throws {
        receiver = try WebhookReceiver { [state] _, arrival in
            state.gate.withLock(\.self)?.wait()
            guard let body = try? JSONValue(parsing: arrival.body) else { return .status(400) }
            let isRender = arrival.line.contains("/render")
            if !isRender, let action = Self.action(body), let id = arrival.headers["webhook-id"] {
                state.ids.withLock { _ = $0[action, default: []].insert(id) }
            }
            return .status(200, body: Self.reply(body, isRender: isRender).encoded)
        }
    }

    /// The ids of calls, by run, step and action. Render calls do not contain their action.
    var ids: [String: Set<String>] { state.ids.withLock(\.self) }

    /// Holds all responses until the gate is open.
    func hold(_ gate: Gate) { state.gate.withLock { $0 = gate } }

    private static func action(_ body: JSONValue) -> String? {
        let tag = body["step_data"]["tag"].string ?? body["conversation"]["user_message"].string
        return tag.map { "\(body["user_id"].string ?? "") \(body["step_id"].string ?? "") \($0)" }
    }

    static func reply(_ body: JSONValue, isRender: Bool = false) -> JSONValue {
        if isRender { return ["title": .string("For \(body["responses"]["a"]["tag"].string ?? "nobody")")] }
        if let message = body["conversation"]["user_message"].string {
            return ["messages": [["content": .string("re \(message)")]], "data": ["last": .string(message)]]
        }
        let code = body["step_data"]["code"].string ?? ""
        return switch code {
        case "stay": ["action": "stay", "message": "Stay"]
        case "block": ["action": "block", "message": "No"]
        case "jump": ["action": "skip_to", "target_step_id": "d", "data": ["jumped": true]]
        default: ["action": "proceed", "data": ["seen": .string(code)]]
        }
    }

    var flow: JSONValue {
        let hook: JSONValue = ["webhook_url": .string(receiver.url), "timeout_ms": 60_000]
        let render: JSONValue = ["webhook_url": .string(receiver.url + "/render"), "timeout_ms": 60_000]
        let fields: JSONValue = [["id": "tag", "type": "text"], ["id": "code", "type": "text"]]
        return [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                ["id": "a", "type": "form", "hook": hook, "config": ["fields": fields]],
                [
                    "id": "b", "type": "form", "render_hook": render,
                    "config": ["fields": fields, "skip_enabled": true],
                ],
                [
                    "id": "c", "type": "interactive_chat",
                    "config": ["skip_enabled": true, "chat_config": ["webhook": hook, "max_user_turns": 4]],
                ],
                ["id": "d", "type": "form", "hook": hook, "config": ["fields": fields, "skip_enabled": true]],
                ["id": "e", "type": "welcome", "config": ["title": "End"]],
            ],
        ]
    }
}

/// A request of a respondent.
private struct Action: Sendable, CustomStringConvertible {
    enum Kind: Hashable {
        case go(FlowAction.Kind, JSONObject)
        case chat(ChatAction)
    }

    let step: Identifier
    let kind: Kind
    let id: String?

    var isChat: Bool { if case .chat = kind { true } else { false } }

    var body: JSONValue {
        var body: JSONObject = ["step_id": .string(step)]
        body["id"] = id.map { .string($0) }
        switch kind {
        case .go(let action, let response):
            body["action"] = .string(action.rawValue)
            body["response"] = .object(response)
        case .chat(.say(let text)): body["text"] = .string(text)
        case .chat: body["end"] = true
        }
        return .object(body)
    }

    var description: String { body.text }
}

/// The content of a response, without times and ids.
private struct Shown: Hashable, CustomStringConvertible {
    let status: Int
    var code: String?
    var run: JSONValue?

    init(_ answer: HTTPResponse) {
        let json = answer.json
        let run = json["run"] == .null ? json : json["run"]
        self.init(answer.status, json["errors"][0]["code"].string, answer.status == 422 ? nil : run)
    }

    init(_ status: Int, _ code: String?, _ run: JSONValue?) {
        (self.status, self.code) = (status, status == 200 ? nil : code)
        self.run = run.map { run in
            var shown: JSONObject = [:]
            for key in ["step_id", "banner", "outcome", "can_go_back"] { shown[key] = run[key] }
            for step in ["a", "b", "d"] { shown[step] = run["responses"][step] }
            shown["title"] = run["step"]["title"]
            let conversations = [run["chat"]["messages"], run["responses"]["c"]["transcript"]]
            shown["chat"] = .array(conversations.map { .array(($0.array ?? []).map { $0["content"] }) })
            shown["turn"] = run["chat"]["turn"]
            return .object(shown)
        }
    }

    var description: String { "\(status) \(code ?? "") \(run?.text ?? "")" }
}

/// A run in the pure model, which handles one action after another.
private struct Respondent: Hashable {
    static let now = Timestamp(seconds: 1_790_000_000)

    var run: FlowRun
    /// The replies, by route and id.
    private var replies: [String: Shown] = [:]

    init(_ run: FlowRun) { self.run = run }

    func shown(in flow: FlowDefinition) -> Shown { Shown(200, nil, .object(flow.view(run))) }

    mutating func take(_ action: Action, in flow: FlowDefinition) -> Shown {
        let key = action.id.map { "\(action.isChat) \($0)" }
        if let key, let earlier = replies[key] { return earlier }
        do throws(FlowRefusal) {
            let move = try move(action, in: flow)
            run = move.run
            let shown = Shown(200, nil, .object(flow.view(run, banner: move.banner)))
            if let key { replies[key] = shown }
            return shown
        } catch {
            if case .invalid(let faults) = error { return Shown(422, faults.first?.code, nil) }
            return Shown(409, error.faults().first?.code, .object(flow.view(run)))
        }
    }

    private func move(_ action: Action, in flow: FlowDefinition) throws(FlowRefusal) -> FlowMove {
        switch action.kind {
        case .go(let kind, let response):
            return try go(FlowAction(kind, at: action.step, response), in: flow)
        case .chat(let chat):
            let move = try flow.chat(
                run, chat, at: action.step, key: action.id.map { Identifier($0) } ?? "", now: Self.now)
            guard let exchange = move.chat?.exchange,
                let reply = try? ChatReply(OwnersServer.reply(.object(exchange.body)).encoded)
            else { return move }
            return try flow.reply(
                move.run, to: exchange.turn, at: action.step, .success(reply), now: Self.now)
        }
    }

    private func go(_ action: FlowAction, in flow: FlowDefinition) throws(FlowRefusal) -> FlowMove {
        var advance = try flow.advance(run, action, at: Self.now)
        if case .needs(let exchange) = advance, case .advance(let result) = Self.answer(exchange) {
            advance = try flow.advance(run, action, at: Self.now, hook: result)
        }
        guard case .moved(var move) = advance else { throw .runEnded }
        if let exchange = move.renderExchange(flow, from: run, asked: [], secrets: FlowSecrets()),
            case .render(let override, _) = Self.answer(exchange)
        {
            move.run.override(exchange.step.id, with: override)
        }
        return move
    }

    private static func answer(_ exchange: FlowHookCall) -> FlowHookOutcome {
        let body: JSONValue = [
            "step_data": .object(exchange.answers), "responses": .object(exchange.run.responses),
        ]
        return FlowHookOutcome(OwnersServer.reply(body, isRender: exchange.occasion == .render), exchange)
            ?? FlowHookOutcome(failureOf: exchange)
    }
}

/// A run of the daemon, and its possible states.
private struct RunTrial {
    let path: String
    var plan: [Action] = []
    var states: Set<Respondent>
    private var number = 0

    init(path: String, _ run: FlowRun) { (self.path, states) = (path, [Respondent(run)]) }

    /// An action that is likely to have an effect.
    mutating func action(_ random: inout SeededGenerator) -> Action {
        number += 1
        let step = (states.first?.run.stepID).map { current in
            Int.random(in: 0..<5, using: &random) == 0
                ? Self.steps.randomElement(using: &random) ?? current : current
        }
        let id = Bool.random(using: &random) ? "i\(Int.random(in: 0..<6, using: &random))" : nil
        let tag = id ?? "n\(number)"
        return Action(step: step ?? "a", kind: Self.kind(step ?? "a", tag, &random), id: id)
    }

    private static let steps: [Identifier] = ["a", "b", "c", "d", "e"]

    private static func kind(_ step: Identifier, _ tag: String, _ random: inout SeededGenerator) -> Action.Kind {
        let code = ["go", "go", "go", "stay", "block", "jump"].randomElement(using: &random) ?? "go"
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .go(.back, [:])
        case 1: return .go(.skip, [:])
        case 2...5 where step == "c": return .chat(.say(tag))
        case 6 where step == "c": return .chat(.end)
        default:
            return .go(
                .next,
                (["a", "b", "d"] as [Identifier]).contains(step) ? ["tag": .string(tag), "code": .string(code)] : [:])
        }
    }

    /// Keeps the states of those orders in which each action gets its actual response.
    mutating func follow(_ answers: [Shown], in flow: FlowDefinition) {
        var reached: [Set<Int>: Set<Respondent>] = [[]: states]
        for _ in plan {
            var next: [Set<Int>: Set<Respondent>] = [:]
            for (done, states) in reached {
                for index in plan.indices where !done.contains(index) {
                    for var state in states where state.take(plan[index], in: flow) == answers[index] {
                        next[done.union([index]), default: []].insert(state)
                    }
                }
            }
            reached = next
        }
        states = reached.values.reduce(into: []) { $0.formUnion($1) }
    }
}
