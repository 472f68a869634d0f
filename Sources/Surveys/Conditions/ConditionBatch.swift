public import BellwetherJSON

/// One line of `bellwether condition batch`: a dialect, a condition and facts. The result is true, false or an error.
public enum ConditionBatch {
    public static func answer(_ line: JSONValue) -> JSONValue {
        guard let object = line.object else { return error("expected an object") }
        guard let dialect = object["dialect"]?.string.flatMap(ConditionDialect.init(rawValue:)) else {
            let names = ConditionDialect.allCases.map(\.rawValue).joined(separator: ", ")
            return error("the dialect is one of \(names)")
        }
        let findings = Findings()
        let condition = dialect.read(
            JSONReader(object["condition"] ?? .null, at: JSONPointer.root.appending("condition"), findings: findings))
        // In other dialects a malformed condition has a value; in this one it is an error.
        if dialect == .core, let fault = findings.faults.first { return error(fault.message) }
        let facts = ConditionFacts(object["facts"]?.object ?? [:])
        var budget = EvaluationBudget.wholeSave
        var answer: JSONObject = ["value": .bool(condition.holds(for: facts, &budget))]
        if object["explain"]?.bool == true {
            answer["leaves"] = .array(condition.trace(for: facts, &budget).map(\.json))
        }
        return .object(answer)
    }

    private static func error(_ message: String) -> JSONValue { ["error": .string(message)] }
}
