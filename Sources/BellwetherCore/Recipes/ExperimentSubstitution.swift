public import BellwetherJSON

/// Replaces `{experiment}` by the recipe's slug in every string and every object key of its value. It runs before
/// merging (docs/reference/messaging.md#experiment-placeholder).
public enum ExperimentSubstitution {
    private static let placeholder = Array("{experiment}".utf8)

    /// If keys become equal, the entry stays at the index of the first one and has the last value.
    public static func apply(slug: Identifier, to value: JSONObject) -> JSONObject {
        guard occurs(in: value) else { return value }
        return JSONObject(value.map { (key: replace(in: $0.key, slug: slug), value: apply(slug: slug, to: $0.value)) })
    }

    /// Replaces every occurrence. A slug that contains the placeholder is not searched again. Without a slug, outside
    /// of recipes, the text stays unchanged.
    public static func replace(in text: String, slug: Identifier?) -> String {
        guard let slug, text.utf8.contains(UInt8(ascii: "{")) else { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if bytes[position...].starts(with: placeholder) {
                output += slug.text.utf8
                position += placeholder.count
            } else {
                output.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func apply(slug: Identifier, to value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(replace(in: text, slug: slug))
        case .array(let values): .array(values.map { apply(slug: slug, to: $0) })
        case .object(let members): .object(apply(slug: slug, to: members))
        case .null, .bool, .integer, .unsigned, .number: value
        }
    }

    /// Most values have no placeholder and are returned unchanged, without a copy.
    private static func occurs(in object: JSONObject) -> Bool {
        object.contains { isCandidate($0.key) || occurs(in: $0.value) }
    }

    private static func occurs(in value: JSONValue) -> Bool {
        switch value {
        case .string(let text): isCandidate(text)
        case .array(let values): values.contains { occurs(in: $0) }
        case .object(let members): occurs(in: members)
        case .null, .bool, .integer, .unsigned, .number: false
        }
    }

    private static func isCandidate(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "{")) }
}
