import BellwetherBase
import BellwetherJSON
import Surveys

/// One step of a large flow: 50 steps with 500 conditions, from a response to the content of the next step.
enum FlowSpeed {
    private static let steps = 50
    private static let rulesOfAStep = 6
    private static let fieldsOfAStep = 4

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            InProcess("flow of 50 steps, 500 conditions: advance", unit: "µs") {
                guard let flow = FlowDefinition(JSONReader(document, findings: Findings())) else {
                    throw Failure("the flow cannot be read")
                }
                let now = Timestamp(seconds: 1_800_000_000)
                let run = flow.start(FlowStart(), at: now).run
                let response = JSONObject((0..<fieldsOfAStep).map { ("field_\($0)", .string("answer")) })
                let action = FlowAction(.next, at: "step_0", response)
                return InProcess.Work(
                    run: {
                        guard case .moved(let move) = try flow.advance(run, action, at: now) else { return 0 }
                        return flow.view(move.run).count
                    }, quantity: { $0 / 1_000 })
            }
        ]
    }

    /// Each step has six rules, all of which are false, and four fields that depend on the first.
    private static let document: JSONValue = [
        "id": "large", "steps": .array((0..<steps).map { step($0) }),
    ]

    private static func step(_ index: Int) -> JSONValue {
        let rules = (0..<rulesOfAStep).map { rule -> JSONValue in
            [
                "target_step_id": "step_0",
                "conditions": [["type": "answer_equals", "answer_key": "field_0", "value": .string("other \(rule)")]],
            ]
        }
        let fields = (0..<fieldsOfAStep).map { field -> JSONValue in
            var json: JSONObject = ["id": .string("field_\(field)"), "type": "text", "label": "A field"]
            if field > 0 { json["depends_on"] = ["field_id": "field_0", "operator": "not_empty"] }
            return .object(json)
        }
        return [
            "id": .string("step_\(index)"), "type": "form", "next_step_rules": .array(rules),
            "config": ["title": "Step {{user.name | friend}}", "fields": .array(fields)],
        ]
    }
}
