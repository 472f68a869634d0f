import BellwetherBase
import BellwetherJSON
import Surveys
import Testing

/// Branching, hooks, templates and languages of flows (docs/reference/flows.md#branching).
@Suite struct FlowRuleTests {
    static let now = Timestamp(seconds: 1_800_000_000)

    /// Steps with these names; `first` has further keys of the first step.
    static func steps(_ names: [String], _ first: JSONObject = [:]) -> JSONValue {
        .array(
            names.enumerated().map { index, name in
                var step: JSONObject = ["id": .string(name), "type": "welcome", "config": ["title": .string(name)]]
                if index == 0 { for member in first { step[member.key] = member.value } }
                return .object(step)
            })
    }

    static let question: JSONObject = [
        "type": "question",
        "config": ["options": [["id": "lose", "value": "by_losing"], ["id": "build"]], "selection_mode": "multi"],
    ]

    static func rule(_ target: String, _ type: String = "always", _ value: String? = nil) -> JSONValue {
        var condition: JSONObject = ["type": .string(type), "answer_key": "selected"]
        condition["value"] = value.map { .string($0) }
        return ["target_step_id": .string(target), "conditions": [.object(condition)]]
    }

    private func run(
        _ flow: JSONObject, _ response: JSONValue = ["selected": ["lose"]], _ more: JSONObject = [:]
    ) -> (runs: [JSONValue], events: [String]) {
        let first = flow["steps"]?.array?.first?.object?["id"] ?? .null
        var line: JSONObject = [
            "flow": .object(flow), "actions": [["step_id": first, "response": response, "action": "next"]],
        ]
        for member in more { line[member.key] = member.value }
        let answer = FlowBatch.answer(.object(line), now: Self.now).object ?? [:]
        let events = (answer["events"]?.array ?? []).compactMap { $0.object?["name"]?.string }
        return (answer["runs"]?.array ?? [], events)
    }

    /// The step that follows the first one with these rules, or the end of the run.
    private func target(
        _ rules: [JSONValue], of names: [String] = ["s", "s2", "s3", "s4"], nodes: JSONObject = [:],
        _ response: JSONValue = ["selected": ["lose"]]
    ) -> JSONValue? {
        var first = Self.question
        first["next_step_rules"] = .array(rules)
        let last = run(["steps": Self.steps(names, first), "graph_nodes": .object(nodes)], response).runs.last?.object
        return last?["step_id"] == .null ? last?["outcome"] : last?["step_id"]
    }

    @Test func theFirstRuleThatLeadsSomewhereWins() {
        #expect(target([Self.rule("s3", "answer_equals", "lose")]) == "s3")
        #expect(target([Self.rule("s3", "answer_equals", "build")]) == "s2")
        #expect(target([Self.rule(""), Self.rule("s4")]) == "s4")
        #expect(target([Self.rule("nowhere")]) == "s2")
        #expect(target([Self.rule("s3", "answer_equals", "build")], of: ["s"]) == ["reason": "fallback"])
        #expect(target([], of: ["s"]) == ["reason": "finished"])
    }

    @Test func aValueStandsForItsOption() {
        let byID = [Self.rule("s4", "answer_equals", "lose")]
        #expect(target(byID, ["selected": ["by_losing"]]) == "s4")
        #expect(target([Self.rule("s4", "answer_not_equals", "lose")], ["selected": ["by_losing"]]) == "s4")
        #expect(target([Self.rule("s4", "answer_not_equals", "lose")], ["selected": ["lose"]]) == "s2")
    }

    @Test func oneOfSeveralConditionsIsEnough() {
        let conditions: JSONValue = [
            ["type": "answer_equals", "answer_key": "selected", "value": "build"],
            ["type": "answer_equals", "answer_key": "selected", "value": "lose"],
        ]
        #expect(target([["target_step_id": "s4", "logic": "OR", "conditions": conditions]]) == "s4")
        #expect(target([["target_step_id": "s4", "conditions": conditions]]) == "s2")
        #expect(target([["target_step_id": "s4", "condition": ["type": "always"]]]) == "s4")
    }

    @Test(
        arguments: [
            ("permission_camera", ["reason": "permission_request", "target": "camera"]),
            ("screen_home", ["reason": "screen_present", "target": "home"]),
            ("flow_other", ["reason": "sub_flow", "target": "other"]), ("end_1", ["reason": "end_node"]),
            ("paywall_trigger_1", ["reason": "paywall", "target": "paywall_trigger_1"]),
            ("pay", ["reason": "paywall", "target": "pay"]), ("stop", ["reason": "end_node"]),
        ] as [(String, JSONValue)])
    func nodesEndTheRun(_ name: String, _ outcome: JSONValue) {
        let nodes: JSONObject = ["pay": ["type": "paywall_trigger"], "stop": ["type": "end"]]
        #expect(target([Self.rule(name)], nodes: nodes) == outcome)
    }

    @Test func eventsOfNodesAreMadeOnTheWay() {
        let nodes: JSONValue = [
            "analytics_event_1": ["type": "analytics_event", "event_name": "goal_set"],
            "a": ["type": "analytics_event", "event_name": "seen", "next_target": "b"],
            "b": ["type": "analytics_event", "event_name": "again", "next_target": "a"],
            "c": ["type": "analytics_event", "event_name": "on", "next_target": "s4"],
        ]
        func events(_ targets: [String]) -> [String] {
            var first = Self.question
            first["next_step_rules"] = .array(targets.map { Self.rule($0) })
            let steps = Self.steps(["s", "s2", "s3", "s4"], first)
            let (runs, events) = run(["steps": steps, "graph_nodes": nodes])
            return Array(events.dropFirst(3)) + [runs.last?.object?["step_id"]?.string ?? "-"]
        }
        #expect(events(["analytics_event_1", "s3"]) == ["goal_set", "onboarding_step_viewed", "s3"])
        #expect(events(["c"]) == ["on", "onboarding_step_viewed", "s4"])
        #expect(events(["a"]) == ["seen", "again", "onboarding_step_viewed", "s2"], "a circle leads nowhere")
    }

    @Test func rulesOfTheConfigCountIfOnlyTheyHaveConditions() {
        func next(_ own: JSONValue, _ config: JSONValue) -> JSONValue? {
            let first: JSONObject = ["next_step_rules": own, "layout": ["next_step_rules": config]]
            return run(["steps": Self.steps(["s", "s2", "s3", "s4"], first)], [:]).runs.last?.object?["step_id"]
        }
        let bare: JSONValue = [["target_step_id": "s3"]]
        #expect(next(bare, [Self.rule("s4")]) == "s4")
        #expect(next([Self.rule("s3")], [Self.rule("s4")]) == "s3")
        #expect(next(bare, [["target_step_id": "s4"]]) == "s3")
        #expect(next([], [["target_step_id": "s4"]]) == "s4")
    }

    @Test func whatNobodyCanReachIsToldAtPublishing() {
        func warnings(_ rules: [JSONValue], _ more: JSONObject = [:]) -> [String] {
            var first = more
            first["next_step_rules"] = .array(rules)
            let findings = Findings()
            let flow: JSONValue = ["steps": Self.steps(["s", "s2", "s3", "s4"], first)]
            _ = FlowDefinition(JSONReader(flow, findings: findings))
            #expect(findings.faults.isEmpty)
            return findings.warnings.map { "\($0.code) \($0.pointer)" }
        }
        #expect(warnings([Self.rule("s3", "answer_equals", "x")]) == [])
        #expect(warnings([Self.rule("s3")]) == ["unreachable /steps/1"])
        #expect(
            warnings([Self.rule("s3"), Self.rule("s2")]) == [
                "never /steps/0/next_step_rules/1", "unreachable /steps/1",
            ])
        #expect(warnings([Self.rule("nowhere")]) == ["unknown_target /steps/0/next_step_rules/0/target_step_id"])
        #expect(
            warnings([Self.rule("end_1")]) == ["unreachable /steps/1", "unreachable /steps/2", "unreachable /steps/3"])
        #expect(warnings([Self.rule("s3")], ["hook": ["webhook_url": "https://a.example"]]) == [])
    }

    @Test func aLoopEnds() throws {
        let steps: JSONValue = [["id": "s", "type": "welcome", "next_step_rules": [["target_step_id": "s"]]]]
        let flow = try #require(FlowDefinition(JSONReader(["steps": steps], findings: Findings())))
        var move = flow.start(FlowStart(), at: Self.now)
        var count = 1
        while move.run.outcome == nil, count < 300 {
            guard case .moved(let next) = try flow.advance(move.run, FlowAction(.next, at: "s"), at: Self.now) else {
                break
            }
            (move, count) = (next, count + 1)
        }
        #expect(move.run.outcome?.reason == .loopGuard && count == FlowDefinition.maximumVisits + 1)
        #expect(move.events.map(\.name) == ["onboarding_step_completed", "onboarding_flow_completed"])
    }

    private static let hooked: JSONValue = [
        "steps": [
            [
                "id": "form", "type": "form",
                "hook": ["webhook_url": "https://a.example/", "error_text": "Try later"],
                "config": ["fields": [["id": "a", "type": "number"], ["id": "p", "type": "password"]]],
            ],
            ["id": "b", "type": "welcome"], ["id": "c", "type": "welcome"],
        ]
    ]

    private func hook(_ reply: JSONValue) throws -> FlowMove {
        let flow = try #require(FlowDefinition(JSONReader(Self.hooked, findings: Findings())))
        let start = flow.start(FlowStart(), at: Self.now)
        let action = FlowAction(.next, at: "form", ["a": 2, "p": "hunter2"])
        guard case .needs(let exchange) = try flow.advance(start.run, action, at: Self.now) else {
            Issue.record("the hook is to be asked")
            return start
        }
        #expect(exchange.hasSecret && exchange.answers["p"] == "hunter2" && exchange.hook.timeoutMilliseconds == 10_000)
        #expect(exchange.run.responses["form"] == ["a": 2] && start.run.responses.isEmpty)
        guard case .advance(let result) = FlowHookOutcome(reply, exchange) ?? FlowHookOutcome(failureOf: exchange),
            case .moved(let move) = try flow.advance(start.run, action, at: Self.now, hook: result)
        else {
            Issue.record("it was asked")
            return start
        }
        return move
    }

    @Test func aHookDecides() throws {
        let data = try hook(["action": "proceed", "data": ["v": 1, "p": "x"]])
        #expect(data.run.responses["form"] == ["a": 2, "v": 1] && data.run.computed["v"] == 1)
        #expect(data.run.stepID == "b")
        let jump = try hook(["action": "skip_to", "target_step_id": "c"])
        #expect(jump.run.stepID == "c")
        #expect(jump.events.map(\.name) == ["onboarding_step_completed", "step_skipped", "onboarding_step_viewed"])
        for reply in [["action": "skip_to", "target_step_id": "nope"], ["action": "skip_to"], ["action": "dance"]]
            as [JSONValue]
        {
            let move = try hook(reply)
            #expect(move.run.stepID == "b" && !move.events.map(\.name).contains("step_skipped"))
        }
        for reply in [[:], "text", ["action": 1], ["action": "block"]] as [JSONValue] {
            let move = try hook(reply)
            #expect(move.run.stepID == "form" && move.events.isEmpty && move.run.responses.isEmpty)
            #expect(move.banner == FlowBanner(.error, "Try later"))
        }
        #expect(try hook(["action": "block", "message": "bad code"]).banner == FlowBanner(.error, "bad code"))
        #expect(try hook(["action": "stay", "message": "Sent"]).banner == FlowBanner(.success, "Sent"))
    }

    @Test func templatesAndLanguages() {
        let config: JSONValue = [
            "title": "{{onboarding.loc.city.name | there}}", "subtitle": "{{user.a}}{{user.b|{{user.c}}}}{{",
            "cta_text": "Go", "default_locale": "en",
            "options": [["id": "x", "label": "X {{user.a}}"]],
            "localizations": [
                "de": ["cta_text": "Los", "options.x.label": "Iks"], "de-AT": ["cta_text": "Auf"],
                "en": ["subtitle": "S"],
            ],
        ]
        let flow: JSONObject = ["steps": [["id": "s", "type": "welcome", "config": config]]]
        func step(_ locale: String) -> JSONObject {
            let attributes: JSONValue = ["a": "{{user.c}}", "c": 5]
            return run(flow, [:], ["locale": .string(locale), "attributes": attributes]).runs.first?.object?["step"]?
                .object ?? [:]
        }
        let english = step("en-GB")
        #expect(english["title"] == "there" && english["subtitle"] == "S" && english["cta_text"] == "Go")
        #expect(english["options"] == [["id": "x", "label": "X {{user.c}}"]], "a value is not expanded again")
        let german = step("de_AT")
        #expect(german["cta_text"] == "Auf" && german["options"] == [["id": "x", "label": "Iks"]])
        #expect(german["localizations"] == nil)
    }

    @Test func whatIsBetweenTheBracesIsReadToTheFirstEnd() {
        let config: JSONValue = ["title": "{{user.b | {{user.c}}}}{{", "subtitle": "a {{ }} b {{x}}"]
        let flow: JSONObject = ["steps": [["id": "s", "type": "welcome", "config": config]]]
        let step = run(flow, [:]).runs.first?.object?["step"]?.object
        #expect(step?["title"] == "{{user.c}}{{" && step?["subtitle"] == "a  b ")
    }

    @Test func hiddenStepsOfTheProgressCount() {
        let steps: JSONValue = [
            ["id": "s", "type": "welcome", "hide_progress": true], ["id": "t", "type": "welcome"],
        ]
        let runs = run(["steps": steps], [:]).runs
        #expect(runs.first?.object?["progress"] == .null && runs.last?.object?["progress"] == 1.0)
        let hidden = run(["steps": steps, "settings": ["show_progress": false]], [:]).runs
        #expect(hidden.last?.object?["progress"] == .null)
    }
}
