import BellwetherBase
import BellwetherJSON
import Surveys
import TestSupport
import Testing

/// Only answers of steps on the run's path count (docs/reference/flows.md#the-path).
@Suite struct FlowPathTests {
    private static let now = FlowRuleTests.now
    private let flow: FlowDefinition

    init() throws {
        func question(_ id: String, _ options: [String], _ rules: [JSONValue] = []) -> JSONValue {
            let list = JSONValue.array(options.map { ["id": .string($0)] })
            return [
                "id": .string(id), "type": "question", "config": ["options": list, "skip_enabled": true],
                "next_step_rules": .array(rules),
            ]
        }
        let document: JSONValue = [
            "steps": [
                question("s1", ["kids", "none"], [FlowRuleTests.rule("s3", "answer_equals", "none")]),
                question("s2", ["one", "two"]), question("s3", ["x"]),
            ]
        ]
        flow = try #require(FlowDefinition(JSONReader(document, findings: Findings())))
    }

    private typealias Action = (kind: FlowAction.Kind, step: Identifier, answer: String?)

    /// The move of the last action.
    private func run(_ actions: [Action], from run: FlowRun? = nil) throws -> FlowMove {
        var move = flow.start(FlowStart(), at: Self.now)
        var state = run ?? move.run
        for action in actions {
            let response = action.answer.map { text -> JSONObject in ["selected": [.string(text)]] } ?? [:]
            let advance = try flow.advance(state, FlowAction(action.kind, at: action.step, response), at: Self.now)
            guard case .moved(let next) = advance else { throw Failure("a hook was asked") }
            // A run is stored after each action.
            #expect(FlowRun(next.run.json, responses: next.run.responses) == next.run)
            (move, state) = (next, next.run)
        }
        return move
    }

    private static let left: [Action] = [
        (.next, "s1", "kids"), (.next, "s2", "two"), (.back, "s3", nil), (.back, "s2", nil),
    ]

    @Test func `Answers of a branch that was left are neither submitted nor in the event`() throws {
        let move = try run(Self.left + [(.next, "s1", "none"), (.next, "s3", "x")])
        let wanted: JSONObject = ["s1": ["selected": ["none"]], "s3": ["selected": ["x"]]]
        #expect(move.run.responses == wanted && move.run.asideResponses.isEmpty)
        #expect(flow.view(move.run)["responses"] == .object(wanted))
        #expect(move.events.last?.extra["responses"] == .object(wanted))
    }

    @Test func `A step that the respondent comes to again shows the answer, which counts after next`() throws {
        let back = try run(Self.left).run
        #expect(back.responses == ["s1": ["selected": ["kids"]]])
        let again = try run([(.next, "s1", "kids")], from: back).run
        #expect(again.responses["s2"] == nil, "a quota does not count it")
        #expect(flow.view(again)["responses"]?.object?["s2"] == ["selected": ["two"]])
        let other = try run([(.next, "s1", "none")], from: back).run
        #expect(flow.view(other)["responses"]?.object?["s2"] == nil)
        let end = try run([(.next, "s2", "one"), (.next, "s3", "x")], from: again).run
        #expect(end.responses["s2"] == ["selected": ["one"]] && end.asideResponses.isEmpty)
    }

    @Test func `A skipped step has no answer, and a dismissed run those of its path`() throws {
        let skipped = try run([(.next, "s1", "kids"), (.back, "s2", nil), (.skip, "s1", nil)]).run
        #expect(skipped.responses.isEmpty)
        #expect(flow.view(try run([(.back, "s2", nil)], from: skipped).run)["responses"]?.object?["s1"] != nil)
        let dismissed = try flow.dismiss(run(Self.left).run).run
        #expect(dismissed.responses == ["s1": ["selected": ["kids"]]] && dismissed.asideResponses.isEmpty)
    }

    @Test func `Conditions and templates read the path only`() throws {
        let back = try run(Self.left + [(.next, "s1", "none")]).run
        #expect(back.facts.steps == back.responses && back.facts.steps["s2"] == nil)
    }

    @Test func `An open run that an earlier version stored is divided by its path`() throws {
        let back = try run(Self.left).run
        var old = back.json
        old["aside"] = nil
        let all: JSONObject = ["s1": ["selected": ["kids"]], "s2": ["selected": ["two"]]]
        #expect(FlowRun(old, responses: all) == back)
    }

    @Test func `A file of a branch that was left belongs to the run until its end`() throws {
        let photo: JSONValue = ["id": "photo", "type": "image_picker"]
        let document: JSONValue = [
            "steps": [
                FlowRuleTests.steps(["a"]).array?.first ?? .null,
                ["id": "b", "type": "form", "config": ["fields": [photo]]], ["id": "c", "type": "welcome"],
            ]
        ]
        let flow = try #require(FlowDefinition(JSONReader(document, findings: Findings())))
        var run = flow.start(FlowStart(), at: Self.now).run
        let image: JSONObject = ["photo": "data:image/png;base64,AAAA"]
        for action in [
            FlowAction(.next, at: "a"), FlowAction(.next, at: "b", image), FlowAction(.back, at: "c"),
            FlowAction(.back, at: "b"),
        ] {
            guard case .moved(let move) = try flow.advance(run, action, at: Self.now) else { return }
            run = move.run
        }
        #expect(run.files.count == 1 && run.responses.isEmpty)
        #expect(try flow.dismiss(run).run.files.isEmpty)
    }
}
