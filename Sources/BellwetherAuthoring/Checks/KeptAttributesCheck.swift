public import BellwetherCore
public import BellwetherJSON

/// Warns about attributes that no client can send, if a recipe keeps them with its responses or reads them from an
/// address (docs/reference/surveys.md#kept-attributes, docs/web.md#links).
public enum KeptAttributesCheck {
    public static func check(_ document: JSONValue, under manifest: Manifest, findings: Findings) {
        let reader = JSONReader(document, findings: Findings())
        let lists = [reader.optional("keep"), reader.optional("link")?.optional("attributes")]
        for list in lists.compactMap(\.self) where list.value.array != nil {
            for element in list.elements() ?? [] {
                guard let name = element.value.string, manifest.attributes[name] == nil else { continue }
                findings.warn(
                    "unknown_attribute", at: element.pointer,
                    "the manifest declares no attribute \(element.value.text): no response has it")
            }
        }
    }
}
