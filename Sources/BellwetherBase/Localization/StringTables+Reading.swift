public import BellwetherJSON

extension StringTables {
    /// Reads one locale's document, `{table: {key: text}}`; nil when there was a fault.
    public static func read(
        _ value: JSONValue, locale: String, findings: Findings
    ) -> [String: [String: String]]? {
        let reader = JSONReader(value, findings: findings)
        let faultsBefore = findings.faults.count
        if LanguageTag(tableName: locale) == nil { reader.finding("locale", LanguageTag.refusal(of: locale)) }
        var tables: [String: [String: String]] = [:]
        for (table, entries) in reader.members() ?? [] {
            for (key, text) in entries.members() ?? [] {
                if let text = text.string(length: 0...10_000) { tables[table, default: [:]][key] = text }
            }
        }
        return findings.faults.count == faultsBefore ? tables : nil
    }
}
