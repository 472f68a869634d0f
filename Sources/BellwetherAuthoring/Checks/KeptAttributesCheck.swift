public import BellwetherCore
public import BellwetherJSON

/// Warns of attributes that a recipe keeps with its responses and that no client can send
/// (docs/reference/surveys.md#kept-attributes).
public enum KeptAttributesCheck {
    public static func check(_ document: JSONValue, under manifest: Manifest, findings: Findings) {
        guard let keep = JSONReader(document, findings: Findings()).optional("keep"), keep.value.array != nil else {
            return
        }
        for element in keep.elements() ?? [] {
            guard let name = element.value.string, manifest.attributes[name] == nil else { continue }
            findings.warn(
                "unknown_attribute", at: element.pointer,
                "the manifest declares no attribute \(element.value.text): no response has it")
        }
    }
}
