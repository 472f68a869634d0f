internal import BellwetherJSON

/// The one form of options that clients get (docs/reference/flows.md#options).
enum FlowOptions {
    /// The option of a text: its id and its label.
    static func option(_ text: String) -> JSONValue { ["id": .string(text), "label": .string(text)] }

    /// A shown step whose options are objects, in the step, in its fields and in its blocks.
    static func objects(in step: JSONObject) -> JSONObject {
        var step = step
        normalize(&step)
        replace("chat_config", in: &step) { chat in
            guard var object = chat.object, let replies = object["quick_replies"]?.array else { return chat }
            object["quick_replies"] = .array(replies.map { $0.string.map { reply($0) } ?? $0 })
            return .object(object)
        }
        return step
    }

    /// The quick reply of a text: its id and its text.
    static func reply(_ text: String) -> JSONValue { ["id": .string(text), "text": .string(text)] }

    private static func normalize(_ part: inout JSONObject) {
        for key in ["options", "field_options"] {
            replace(key, in: &part) { options in
                options.array.map { .array($0.map { element in element.string.map(option) ?? element }) } ?? options
            }
        }
        for key in ["config", "field_config"] { replace(key, in: &part, by: normalized) }
        for key in ["fields", "content_blocks", "children"] {
            replace(key, in: &part) { parts in parts.array.map { .array($0.map(normalized)) } ?? parts }
        }
    }

    private static func normalized(_ value: JSONValue) -> JSONValue {
        guard var object = value.object else { return value }
        normalize(&object)
        return .object(object)
    }

    private static func replace(_ key: String, in part: inout JSONObject, by new: (JSONValue) -> JSONValue) {
        if let value = part[key] { part[key] = new(value) }
    }
}
