internal import BellwetherBase
public import BellwetherJSON

/// An Xcode string catalog, `.xcstrings`, with all languages of one table
/// (docs/reference/http-api.md#the-command-strings).
public enum StringCatalog {
    public static let maximumBytes = 16 << 20

    /// Reads the texts by locale and key. Nil after a fault; the findings list all faults.
    public static func read(_ value: JSONValue, findings: Findings) -> [String: [(key: String, text: String)]]? {
        let faultsBefore = findings.faults.count
        let reader = JSONReader(value, findings: findings)
        let source = reader.required("sourceLanguage")?.string(length: 1...100)
        var texts: [String: [(key: String, text: String)]] = [:]
        for (key, entry) in reader.required("strings")?.members() ?? [] {
            guard entry.object() != nil else { continue }
            if key.isEmpty { continue }
            var locales = entry.optional("localizations")?.members() ?? []
            if entry.value.object?["shouldTranslate"]?.bool == false { locales.removeAll { $0.key != source } }
            for (locale, localization) in locales {
                guard LanguageTag(tableName: locale) != nil else {
                    localization.finding("locale", LanguageTag.refusal(of: locale))
                    continue
                }
                if let text = text(of: localization) { texts[locale, default: []].append((key, text)) }
            }
            // A catalog omits a text of the source language that equals its key.
            if let source, !locales.contains(where: { $0.key == source }) {
                texts[source, default: []].append((key, key))
            }
        }
        return findings.faults.count == faultsBefore ? texts : nil
    }

    /// The text; nil if it is not yet translated.
    private static func text(of localization: JSONReader) -> String? {
        guard localization.object() != nil else { return nil }
        if let unit = localization.optional("stringUnit") { return text(ofUnit: unit) }
        guard let variations = localization.optional("variations") else { return nil }
        findings(of: variations)
        return other(variations)
    }

    private static func findings(of variations: JSONReader) {
        variations.findings.warn(
            "variations", at: variations.pointer,
            "a text has no variations by number or device here: the one for \"other\" is taken")
    }

    private static func text(ofUnit unit: JSONReader) -> String? {
        guard unit.object() != nil else { return nil }
        if unit.value.object?["state"]?.string == "new" { return nil }
        return unit.required("value")?.string(length: 0...StringsFile.maximumText)
    }

    /// The text of `plural.other` or `device.other`, which may be nested.
    private static func other(_ variations: JSONReader) -> String? {
        for kind in ["plural", "device"] {
            guard let other = variations.optional(kind)?.optional("other") else { continue }
            if let unit = other.optional("stringUnit") { return text(ofUnit: unit) }
            if let below = other.optional("variations") { return self.other(below) }
        }
        variations.finding("required", "there is no variation for \"other\"")
        return nil
    }
}
