internal import BellwetherJSON

extension Shape {
    /// Finds what reads as missing, and members that nobody reads, at the places where their author wrote them.
    func check(_ place: JSONReader) {
        guard place.value != .null else { return }
        switch self {
        case .anything: break
        case .string: _ = place.string()
        case .boolean: _ = place.bool()
        case .integer: _ = place.integer()
        case .word(let words, let code):
            guard let word = place.string(), !words.contains(word) else { return }
            let known = words.sorted { $0.precedes($1) }.map { "\"\($0)\"" }.joined(separator: ", ")
            place.finding(code, "\"\(word)\" is none of \(known)")
        case .list(let item):
            for element in place.elements() ?? [] {
                if element.value == .null { _ = element.string() } else { item.check(element) }
            }
        case .map(let entry): for (_, member) in place.members() ?? [] { entry.check(member) }
        case .record(let fields, let aliases):
            for (key, member) in place.members() ?? [] {
                let canonical = aliases[key] ?? key
                guard let shape = fields[canonical] else {
                    member.finding("unknown_key", "nothing reads the key \"\(key)\"")
                    continue
                }
                if !Self.isOverruled(key, by: canonical, in: place.value) { shape.check(member) }
            }
        }
    }

    /// The value with stale spellings made canonical, each with the warning `alias`
    /// (docs/reference/http-api.md#aliases). Where both spellings stand, the canonical one wins.
    func normalised(_ place: JSONReader) -> JSONValue {
        switch (self, place.value) {
        case (.map(let entry), .object):
            .object(JSONObject((place.members() ?? []).map { (key: $0.key, value: entry.normalised($0.value)) }))
        case (.record(let fields, let aliases), .object):
            .object(
                JSONObject(
                    (place.members() ?? []).compactMap { key, member in
                        let canonical = Self.canonical(key, member, in: place, aliases)
                        return canonical.map { (key: $0, value: fields[$0]?.normalised(member) ?? member.value) }
                    }))
        default: place.value
        }
    }

    /// Nil for a stale spelling that does not count.
    private static func canonical(
        _ key: String, _ member: JSONReader, in place: JSONReader, _ aliases: [String: String]
    ) -> String? {
        guard let canonical = aliases[key] else { return key }
        let isOverruled = isOverruled(key, by: canonical, in: place.value)
        member.findings.warn(
            "alias", at: member.pointer,
            isOverruled
                ? "\"\(key)\" is ignored: \"\(canonical)\" is there too"
                : "\"\(key)\" is read as \"\(canonical)\"; phones ignore this spelling")
        return isOverruled ? nil : canonical
    }

    private static func isOverruled(_ key: String, by canonical: String, in object: JSONValue) -> Bool {
        key != canonical && object.object?[canonical] != nil
    }
}
