package import BellwetherJSON

/// The options of a microsurvey in the forms that authors write (docs/reference/messaging.md#message-fields).
enum MicrosurveyOptions {
    /// The texts of a list in which each object is an answer of Firefox for Android, by `ordering`; nil if an object
    /// cannot be read. Answers with the same `ordering`, and those without one, keep their order.
    static func texts(_ options: [JSONValue]) -> [JSONValue]? {
        var texts: [(value: JSONValue, ordering: Double)] = []
        for option in options {
            guard let answer = option.object else {
                texts.append((option, 0))
                continue
            }
            guard let text = answer["text"], text.string != nil else { return nil }
            let ordering = answer["ordering"] ?? .null
            guard ordering == .null || ordering.double != nil else { return nil }
            texts.append((text, ordering.double ?? 0))
        }
        let sorted = texts.enumerated().sorted {
            ($0.element.ordering, $0.offset) < ($1.element.ordering, $1.offset)
        }
        return sorted.map(\.element.value)
    }

    static func check(_ option: JSONReader, _ dialect: Dialect) {
        guard dialect == .android, option.value.object != nil else {
            _ = option.string()
            return
        }
        _ = option.required("text")?.string()
        if let ordering = option.optional("ordering") { _ = ordering.number() }
        option.refuseUnknown(keys: ["text", "ordering"])
    }
}

extension MessageDefinition {
    /// The first part of a message's document that its author wrote and that cannot be read, as a path: a default would
    /// take its place. Nil if there is none. An empty list of options is as good as none.
    package static func unreadable(in message: JSONObject) -> String? {
        if let key = unreadableText(["title", "button-label"], in: message) { return key }
        guard let config = message[MicrosurveyDefinition.key], config != .null else { return nil }
        guard let members = config.object else { return MicrosurveyDefinition.key }
        if let key = unreadableText(["icon", "utm-content"], in: members) {
            return "\(MicrosurveyDefinition.key).\(key)"
        }
        if let options = members["options"], options != .null {
            let isReadable = options.array.map { $0.isEmpty || $0.contains { $0.string != nil } } ?? false
            return isReadable ? nil : "\(MicrosurveyDefinition.key).options"
        }
        // Probably options under a key that nothing reads.
        return members.first { $0.value.array?.isEmpty == false }.map { "\(MicrosurveyDefinition.key).\($0.key)" }
    }

    private static func unreadableText(_ keys: [String], in object: JSONObject) -> String? {
        keys.first { key in object[key].map { $0 != .null && $0.string == nil } ?? false }
    }
}
