internal import BellwetherJSON

/// Stale spellings, read as what their authors meant (api.md 3, "Aliases"): normalised before merging, each with a
/// warning. Where both spellings stand, the canonical one wins.
struct MessagingAliases {
    let dialect: Dialect

    func normalise(message: JSONObject, at pointer: JSONPointer, findings: Findings) -> JSONObject {
        let aliases = [("trigger", "trigger-if-all"), (dialect.foreignExclusionKey, dialect.exclusionKey)]
        var result = rename(aliases, in: message, at: pointer, findings: findings)
        if let config = result["microsurveyConfig"]?.object {
            let place = pointer.appending("microsurveyConfig")
            result["microsurveyConfig"] = .object(
                rename([("answers", "options")], in: config, at: place, findings: findings))
        }
        return result
    }

    private func rename(
        _ aliases: [(alias: String, canonical: String)], in object: JSONObject, at pointer: JSONPointer,
        findings: Findings
    ) -> JSONObject {
        guard aliases.contains(where: { object[$0.alias] != nil }) else { return object }
        var result = JSONObject()
        for (key, value) in object {
            guard let canonical = aliases.first(where: { $0.alias == key })?.canonical else {
                result[key] = value
                continue
            }
            let isOverruled = object[canonical] != nil
            findings.warn(
                "alias", at: pointer.appending(key),
                isOverruled
                    ? "\"\(key)\" is ignored: \"\(canonical)\" is there too"
                    : "\"\(key)\" is read as \"\(canonical)\"; phones ignore this spelling")
            if !isOverruled { result[canonical] = value }
        }
        return result
    }
}
