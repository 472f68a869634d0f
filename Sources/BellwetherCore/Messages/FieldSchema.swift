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
    case word(Set<Identifier>, code: String)
    /// Items of another type are dropped. `orElse` is a sentence that says what follows for a message whose value is no
    /// list.
    case list(FieldSchema, orElse: String? = nil)
    /// The options of a microsurvey: a list of strings. In the dialect `android` it may also be a list of
    /// `{text, ordering}` (docs/reference/messaging.md#message-fields).
    case options(Dialect)
    /// Entries of another type are dropped.
    case map(FieldSchema)
    /// Members by name. Other spellings lead to the canonical one. Other members are not read; `homes` says where some
    /// of them belong.
    case record([String: FieldSchema], spellings: Spellings = Spellings(), homes: [String: String] = [:])

    /// Other spellings of the keys of an object, with the canonical ones.
    struct Spellings {
        /// Stale spellings, which phones ignore. Each is the warning `alias`.
        var stale: [String: String] = [:]
        /// Spellings of the dialect.
        var own: [String: String] = [:]

        /// The canonical spelling of a key.
        func canonical(_ key: String) -> String { stale[key] ?? own[key] ?? key }
    }

    /// The value without the parts that read as missing; nil if the value itself reads as missing. A null stays,
    /// because it deletes a value of a lower layer. A null in a list is dropped.
    func reading(_ value: JSONValue) -> JSONValue? {
        guard !admits(value) else { return value }
        switch (self, value) {
        case (.list(let item, _), .array(let values)):
            return .array(values.compactMap { $0 == .null ? nil : item.reading($0) })
        case (.options, .array(let values)): return .array(values.filter { $0.string != nil })
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
        case (.word(let words, _), .string(let word)): words.contains(Identifier(word))
        case (.list(let item, _), .array(let values)): values.allSatisfy { $0 != .null && item.admits($0) }
        case (.options, .array(let values)): values.allSatisfy { $0.string != nil }
        case (.map(let entry), .object(let members)): members.allSatisfy { entry.admits($0.value) }
        case (.record(let fields, _, _), .object(let members)):
            members.allSatisfy { fields[$0.key]?.admits($0.value) ?? true }
        default: false
        }
    }
}
