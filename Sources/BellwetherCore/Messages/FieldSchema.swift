internal import BellwetherJSON

/// The type that the SDK's generated code expects of a field. A value of another type reads as missing
/// (docs/reference/messaging.md#wrong-types).
indirect enum FieldSchema: Sendable {
    /// A value that the daemon does not read.
    case anything
    case string
    case boolean
    case integer
    /// One of some words. Another word reads as missing too, and is reported with this code.
    case word(Set<String>, code: String)
    /// Items of another type are dropped. `orElse` is a sentence that says what follows for a message whose value is no
    /// list.
    case list(FieldSchema, orElse: String? = nil)
    /// Entries of another type are dropped.
    case map(FieldSchema)
    /// Members by name. Stale spellings lead to the canonical one. Other members are not read; `homes` says where some
    /// of them belong.
    case record([String: FieldSchema], aliases: [String: String] = [:], homes: [String: String] = [:])

    /// The value without the parts that read as missing; nil if the value itself reads as missing. A null stays,
    /// because it deletes a value of a lower layer. A null in a list is dropped.
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

    /// Whether no part of the value reads as missing.
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
