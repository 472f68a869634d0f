public import BellwetherBase
public import BellwetherJSON

/// One line of `bellwether flow batch`: a run of a flow by actions. Hooks are not called; each proceeds.
public enum FlowBatch {
    public static func answer(_ line: JSONValue, now: Timestamp) -> JSONValue {
        guard let object = line.object else { return error("expected an object") }
        let findings = Findings()
        let reader = JSONReader(object["flow"] ?? .null, at: JSONPointer.root.appending("flow"), findings: findings)
        guard let flow = FlowDefinition(reader) else {
            return error(findings.faults.first.map { "\($0.pointer): \($0.message)" } ?? "the flow has no steps")
        }
        var now = now
        if let given = object["now"], given != .null {
            guard let time = given.string.flatMap({ Timestamp(rfc3339: $0) }) else {
                return error("now is not a time such as 2026-03-15T12:00:00Z")
            }
            now = time
        }
        guard let actions = (object["actions"]?.present ?? []).array else { return error("actions is not an array") }
        var budget = EvaluationBudget.wholeSave
        var simulation = FlowSimulation(flow, start(object), at: now, &budget)
        for action in actions {
            budget = .wholeSave
            simulation.take(action, &budget)
        }
        return [
            "runs": .array(simulation.runs),
            "events": .array(simulation.events.map { ["name": .string($0.name), "extra": .object($0.extra)] }),
        ]
    }

    private static func error(_ message: String) -> JSONValue { ["error": .string(message)] }

    private static func start(_ line: JSONObject) -> FlowStart {
        var start = FlowStart()
        start.context = line["context"]?.object ?? [:]
        start.attributes = line["attributes"]?.object ?? [:]
        (start.locale, start.platform) = (line["locale"]?.string, line["platform"]?.string)
        return start
    }
}

extension FlowFault {
    /// Converts a finding about the form of an action.
    public init(_ finding: Finding) {
        (pointer, code, message) = (finding.pointer, finding.code, finding.message)
        (reason, bounds) = (nil, [:])
    }
}
