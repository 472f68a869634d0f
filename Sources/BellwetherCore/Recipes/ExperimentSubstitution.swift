public import BellwetherJSON

/// `{experiment}` becomes the recipe's slug, in every string and every object key of its value, before merging
/// (nimbus-messaging.md B, "`{experiment}`").
public enum ExperimentSubstitution {
    static let placeholder = Array("{experiment}".utf8)

    public static func apply(slug: String, to value: JSONObject) -> JSONObject {
        JSONObject(value.map { (key: replace(in: $0.key, slug: slug), value: apply(slug: slug, to: $0.value)) })
    }

    static func apply(slug: String, to value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(replace(in: text, slug: slug))
        case .array(let values): .array(values.map { apply(slug: slug, to: $0) })
        case .object(let members): .object(apply(slug: slug, to: members))
        case .null, .bool, .integer, .number: value
        }
    }

    static func replace(in text: String, slug: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= placeholder.count, bytes.contains(placeholder[0]) else { return text }
        var output: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if bytes[position...].starts(with: placeholder) {
                output += slug.utf8
                position += placeholder.count
            } else {
                output.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
