internal import BellwetherJSON

extension FieldSchema {
    /// Reports values that read as missing and members that are not read, at the locations where their author wrote
    /// them.
    func check(_ location: JSONReader) {
        guard location.value != .null else { return }
        switch self {
        case .anything: break
        case .string: _ = location.string()
        case .boolean: _ = location.bool()
        case .integer: _ = location.integer()
        case .word(let words, let code):
            guard let word = location.identifier(), !words.contains(word) else { return }
            let known = words.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
            location.finding(code, "\"\(word)\" is none of \(known)")
        case .list(let item, let consequence):
            for element in location.elements(orElse: consequence) ?? [] {
                if element.value == .null { _ = element.string() } else { item.check(element) }
            }
        case .options(let dialect):
            for option in location.elements() ?? [] { MicrosurveyOptions.check(option, dialect) }
        case .map(let entry): for (_, member) in location.members() ?? [] { entry.check(member) }
        case .record(let fields, let spellings, let homes):
            for (key, member) in location.members() ?? [] {
                let canonical = spellings.canonical(key)
                guard let shape = fields[canonical] else {
                    if let home = homes[key] {
                        location.refuse(key: key, home: home)
                        continue
                    }
                    location.refuse(key: key, knowing: Array(fields.keys) + Array(spellings.stale.keys))
                    continue
                }
                if !Self.isOverruled(key, by: canonical, in: location.value) { shape.check(member) }
            }
        }
    }

    /// The value with stale spellings replaced by canonical ones, each with the warning `alias`
    /// (docs/reference/http-api.md#aliases). If both spellings are present, the canonical one wins.
    func normalised(_ location: JSONReader) -> JSONValue {
        switch (self, location.value) {
        case (.map(let entry), .object):
            .object(JSONObject((location.members() ?? []).map { (key: $0.key, value: entry.normalised($0.value)) }))
        case (.options(.android), .array(let options)): .array(MicrosurveyOptions.texts(options) ?? options)
        case (.record(let fields, let spellings, _), .object):
            .object(
                JSONObject(
                    (location.members() ?? []).compactMap { key, member in
                        let canonical = Self.canonical(key, member, fields, in: location, spellings)
                        return canonical.map { (key: $0, value: fields[$0]?.normalised(member) ?? member.value) }
                    }))
        default: location.value
        }
    }

    /// The canonical key of a member; nil for a stale spelling that is ignored. If a stale member's value has the wrong
    /// type, only the wrong type is reported.
    private static func canonical(
        _ key: String, _ member: JSONReader, _ fields: [String: FieldSchema], in location: JSONReader,
        _ spellings: Spellings
    ) -> String? {
        let canonical = spellings.canonical(key)
        guard canonical != key else { return key }
        let isOverruled = isOverruled(key, by: canonical, in: location.value)
        let isOwn = spellings.own[key] != nil || fields[canonical]?.isOwnForm(of: member.value) == true
        if !isOverruled, isOwn { return canonical }
        if !isOverruled, fields[canonical]?.isList == true, member.value.array == nil { return canonical }
        member.findings.warn(
            "alias", at: member.pointer,
            isOverruled
                ? "\"\(key)\" is ignored: \"\(canonical)\" is there too"
                : "\"\(key)\" is read as \"\(canonical)\"; phones ignore this spelling")
        return isOverruled ? nil : canonical
    }

    /// Whether the value has a form that only the dialect's phones read, under whatever spelling.
    private func isOwnForm(of value: JSONValue) -> Bool {
        guard case .options(.android) = self else { return false }
        return value.array?.contains { $0.object != nil } ?? false
    }

    private var isList: Bool {
        switch self {
        case .list, .options: true
        default: false
        }
    }

    private static func isOverruled(_ key: String, by canonical: String, in object: JSONValue) -> Bool {
        key != canonical && object.object?[canonical] != nil
    }
}
