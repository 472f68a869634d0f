internal import BellwetherJSON

/// The type that the SDK's generated code expects of a field. A value of another type reads as missing
/// (docs/reference/messaging.md#wrong-types).
indirect enum FieldSchema: Sendable {
    /// Not read by the daemon.
    case anything
    case string
    case boolean
    case integer
    /// One of some words. Another reads as missing too, and is found with this code.
    case word(Set<String>, code: String)
    /// Items of another shape are dropped. The sentence says what follows for a message whose value is no list.
    case list(FieldSchema, orElse: String? = nil)
    /// Entries of another shape are dropped.
    case map(FieldSchema)
    /// Members by name; stale spellings lead to the canonical one. Other members are not read; some have their place in
    /// one of the members.
    case record([String: FieldSchema], aliases: [String: String] = [:], homes: [String: String] = [:])

    /// The value without what reads as missing; nil when it reads as missing itself. A null stays, for it deletes what
    /// it is laid over; not in a list.
    func reading(_ value: JSONValue) -> JSONValue? {
        guard !admits(value) else { return value }
        switch (self, value) {
        case (.list(let item, _), .array(let values)):
            return .array(values.compactMap { $0 == .null ? nil : item.reading($0) })
        case (.map(let entry), .object(let members)): return .object(Self.read(members) { _ in entry })
        case (.record(let fields, _, _), .object(let members)): return .object(Self.read(members) { fields[$0] })
        default: return nil
        }
    }

    private static func read(_ members: JSONObject, _ shape: (String) -> FieldSchema?) -> JSONObject {
        JSONObject(
            members.compactMap { key, value in
                guard let shape = shape(key) else { return (key: key, value: value) }
                return shape.reading(value).map { (key: key, value: $0) }
            })
    }

    /// Whether nothing of the value reads as missing.
    private func admits(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.anything, _), (_, .null), (.string, .string), (.boolean, .bool), (.integer, .integer): true
        case (.word(let words, _), .string(let word)): words.contains(word)
        case (.list(let item, _), .array(let values)): values.allSatisfy { $0 != .null && item.admits($0) }
        case (.map(let entry), .object(let members)): members.allSatisfy { entry.admits($0.value) }
        case (.record(let fields, _, _), .object(let members)):
            members.allSatisfy { fields[$0.key]?.admits($0.value) ?? true }
        default: false
        }
    }
}
