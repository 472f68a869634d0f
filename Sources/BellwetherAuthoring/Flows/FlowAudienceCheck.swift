internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL
internal import Surveys

/// Checks the audience of a flow for attributes that no client has, and for conditions that cannot hold together
/// (docs/findings.md#flows). `OperandCheck` judges the operands when the conditions are read.
struct FlowAudienceCheck {
    let manifest: Manifest
    let findings: Findings

    func check(_ rules: JSONReader?) {
        let conditions = FlowOutline.elements(rules) + FlowOutline.elements(rules?.optional("conditions"))
        for condition in conditions { check(condition: condition) }
        if rules?.value.object?["match_mode"] != "any" { checkTogether(conditions) }
    }

    private func warn(_ code: String, _ location: JSONReader, _ message: String) {
        findings.warn(code, at: location.pointer, message)
    }

    private static func trait(_ condition: JSONReader) -> JSONReader? {
        condition.optional("trait") ?? condition.optional("field")
    }

    /// Whether the trait is a segment or a fact.
    private static func isOfAudience(_ trait: String) -> Bool {
        guard let (word, _) = AudienceScope.parts(of: trait) else { return false }
        return word == .segment || word == .answer
    }

    private func check(condition: JSONReader) {
        if let location = Self.trait(condition), let name = location.value.string, manifest.attributes[name] == nil,
            !Self.isOfAudience(name)
        {
            warn(
                "unknown_attribute", location,
                "the manifest declares no attribute \"\(name)\": no client has it, and the condition fails")
        }
    }

    /// Reports an attribute that must equal two different texts.
    private func checkTogether(_ conditions: [JSONReader]) {
        var wanted: [String: JSONValue] = [:]
        for condition in conditions {
            guard let operation = condition.value.object?["operator"]?.string, ["eq", "equals"].contains(operation),
                let name = Self.trait(condition)?.value.string, let value = condition.optional("value")?.value
            else { continue }
            if let other = wanted[name], other != value {
                return warn(
                    "never_true", condition, "\"\(name)\" is never \(other.text) and \(value.text) at once")
            }
            wanted[name] = value
        }
    }
}
