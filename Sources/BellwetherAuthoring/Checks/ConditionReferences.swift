public import BellwetherCore
public import BellwetherJSON

/// The references in conditions of quotas and notifications, and their locations
/// (docs/reference/messaging.md#quotas).
public enum ConditionReferences {
    /// Warns of undeclared attributes in a recipe's offer and notification: no client can send them.
    public static func checkAttributes(of recipe: JSONValue, under manifest: Manifest, findings: Findings) {
        let reader = JSONReader(recipe, findings: Findings())
        checkAttributes(of: reader.optional("offer")?.optional("pacing"), under: manifest, findings: findings)
        checkAttributes(in: reader.optional("notify")?.optional("when"), under: manifest, findings: findings)
    }

    /// Warns of undeclared attributes in one `pacing`.
    static func checkAttributes(of pacing: JSONReader?, under manifest: Manifest, findings: Findings) {
        for condition in conditions(of: pacing) {
            checkAttributes(in: condition, under: manifest, findings: findings)
        }
    }

    private static func checkAttributes(in condition: JSONReader?, under manifest: Manifest, findings: Findings) {
        for reference in all(in: condition) {
            let parts = (reference.value.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count > 1, parts[0] == "attr", manifest.attributes[String(parts[1])] == nil else { continue }
            findings.warn(
                "unknown_attribute", at: reference.pointer,
                "the manifest declares no attribute \"\(parts[1])\": no client has it, and it is always missing")
        }
    }

    /// The conditions of a pacing's quotas.
    static func conditions(of pacing: JSONReader?) -> [JSONReader] {
        FlowOutline.elements(pacing?.optional("quotas")).compactMap { $0.optional("when") }
    }

    /// The texts of the references in a condition.
    static func all(in condition: JSONReader?) -> [JSONReader] {
        guard let condition, condition.value.object != nil else { return [] }
        let parts = ["all", "any"].flatMap { FlowOutline.elements(condition.optional($0)) }
        let own = ["ref", "value_ref"].compactMap { condition.optional($0) }
        return (parts + [condition.optional("not")]).flatMap { all(in: $0) } + own.filter { $0.value.string != nil }
    }
}
