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
        checkVersions(in: condition, under: manifest, findings: findings)
        for reference in all(in: condition) {
            let parts = (reference.value.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count > 1, parts[0] == "attr", manifest.attributes[String(parts[1])] == nil else { continue }
            findings.warn(
                "unknown_attribute", at: reference.pointer,
                "the manifest declares no attribute \"\(parts[1])\": no client has it, and it is always missing")
        }
    }

    /// Warns of attributes that are compared as versions, but are no texts.
    private static func checkVersions(in condition: JSONReader?, under manifest: Manifest, findings: Findings) {
        for leaf in leaves(of: condition) where leaf.optional("op")?.value.string?.hasPrefix("version_") == true {
            guard let reference = leaf.optional("ref"), let name = reference.value.string, name.hasPrefix("attr."),
                let type = manifest.attributes[String(name.dropFirst(5))], type != .string
            else { continue }
            findings.warn(
                "type_mismatch", at: reference.pointer,
                "versions are texts, and the manifest declares a \(type.rawValue): this is always false")
        }
    }

    /// The conditions of a pacing's quotas.
    static func conditions(of pacing: JSONReader?) -> [JSONReader] {
        FlowOutline.elements(pacing?.optional("quotas")).compactMap { $0.optional("when") }
    }

    /// The texts of the references in a condition.
    static func all(in condition: JSONReader?) -> [JSONReader] {
        leaves(of: condition).flatMap { leaf in ["ref", "value_ref"].compactMap { leaf.optional($0) } }
            .filter { $0.value.string != nil }
    }

    /// The condition and all conditions in it, the inner ones first.
    private static func leaves(of condition: JSONReader?) -> [JSONReader] {
        guard let condition, condition.value.object != nil else { return [] }
        let parts = ["all", "any"].flatMap { FlowOutline.elements(condition.optional($0)) }
        return (parts + [condition.optional("not")]).flatMap { leaves(of: $0) } + [condition]
    }
}
