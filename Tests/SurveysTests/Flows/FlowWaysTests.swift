import BellwetherJSON
import Testing

@testable import Surveys

/// Steps from which no way leads to an end (docs/findings.md#flows).
@Suite struct FlowWaysTests {
    private static func rule(_ target: String, _ conditions: JSONValue...) -> JSONValue {
        ["target_step_id": .string(target), "conditions": .array(conditions)]
    }

    private static func answer(_ value: String, _ type: String = "answer_equals", of key: String = "selected")
        -> JSONValue
    {
        ["type": .string(type), "answer_key": .string(key), "value": .string(value)]
    }

    private static func question(_ id: String, _ rules: [JSONValue] = [], _ more: JSONObject = [:]) -> JSONValue {
        var config: JSONObject = ["options": [["id": "a", "label": "A"], ["id": "b", "label": "B"]]]
        for member in more { config[member.key] = member.value }
        return [
            "id": .string(id), "type": "question", "config": .object(config), "next_step_rules": .array(rules),
        ]
    }

    private static func step(_ id: String, _ rules: JSONValue...) -> JSONValue {
        ["id": .string(id), "type": "welcome", "config": ["title": "T"], "next_step_rules": .array(rules)]
    }

    private func findings(_ steps: JSONValue..., nodes: JSONValue = [:]) -> [String] {
        let findings = Findings()
        _ = FlowDefinition(
            JSONReader(["name": "F", "steps": .array(steps), "graph_nodes": nodes], findings: findings))
        #expect(findings.faults.isEmpty)
        return findings.warnings.filter { $0.code == "no_end" }.map { "\($0.pointer) \($0.message)" }
    }

    private static let always: JSONValue = ["type": "always"]

    @Test func `Two steps that lead to one another are named`() {
        let found = findings(Self.step("s1"), Self.step("s2", Self.rule("s1", Self.always)))
        #expect(
            found == [
                "/steps/0 no way leads from the steps \"s1\" and \"s2\" to an end: they lead only to one another"
            ])
    }

    @Test func `A step that leads back to itself is named`() {
        let found = findings(Self.step("s1"), Self.step("s2", Self.rule("s2")))
        #expect(found == ["/steps/1 no way leads from step \"s2\" to an end: it leads only back to itself"])
    }

    @Test func `A trap in one branch is found`() {
        let found = findings(
            Self.question("q", [Self.rule("t1", Self.answer("a")), Self.rule("end", Self.answer("b"))]),
            Self.step("t1", Self.rule("t2")), Self.step("t2", Self.rule("t1")), Self.step("end"))
        #expect(found.map { $0.prefix(8) } == ["/steps/1"])
    }

    @Test func `Rules are read together`() {
        let both = [Self.rule("q", Self.answer("a")), Self.rule("q", Self.answer("b"))]
        #expect(findings(Self.question("q", both), Self.step("end")).count == 1)
        #expect(findings(Self.question("q", [both[0]]), Self.step("end")).isEmpty)
        let skips = Self.question("q", both, ["skip_enabled": true])
        #expect(findings(skips, Self.step("end")).isEmpty, "a skipped step has no answer")
        let opposite = [Self.rule("q", Self.answer("a")), Self.rule("q", Self.answer("a", "answer_not_equals"))]
        #expect(findings(Self.question("q", opposite), Self.step("end")).count == 1)
        #expect(findings(Self.question("q", both, ["selection_mode": "multi"]), Self.step("end")).count == 1)
    }

    @Test func `The step before is known`() {
        let back = Self.rule("s1", ["type": "previous_step_equals", "value": "s1"])
        #expect(findings(Self.step("s1"), Self.step("s2", back), Self.step("end")).count == 1)
        let other = Self.rule("s1", ["type": "previous_step_equals", "value": "end"])
        #expect(findings(Self.step("s1"), Self.step("s2", other), Self.step("end")).isEmpty)
    }

    @Test func `A loop with a way out has no finding`() {
        #expect(
            findings(
                Self.question("q", [Self.rule("q", Self.answer("a"))]), Self.step("more", Self.rule("end_now"))
            ).isEmpty)
        let node: JSONValue = ["n": ["type": "end"]]
        #expect(
            findings(
                Self.question("q", [Self.rule("n", Self.answer("a")), Self.rule("q")]), Self.step("z"), nodes: node
            ).isEmpty)
        let text: JSONValue = [
            "id": "f", "type": "form",
            "config": ["fields": [["id": "t", "type": "text", "label": "T"]]],
            "next_step_rules": [Self.rule("f", ["type": "not_empty", "answer_key": "t"])],
        ]
        #expect(findings(text, Self.step("end")).isEmpty)
    }

    @Test func `A hook may lead anywhere`() {
        let step: JSONValue = [
            "id": "s2", "type": "welcome", "config": ["title": "T"], "next_step_rules": [Self.rule("s1")],
            "hook": ["webhook_url": "https://example.org/"],
        ]
        #expect(findings(Self.step("s1"), step, Self.step("s3")).isEmpty)
    }
}
