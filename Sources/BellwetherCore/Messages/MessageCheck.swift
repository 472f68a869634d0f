internal import BellwetherJSON

/// Warnings about one message of a value: wrong types, and names that nothing defines.
struct MessageCheck {
    static let fields: Set<String> = [
        "action", "action-params", "title", "text", "is-control", "button-label", "style", "trigger-if-all",
        "except-if-any", "exclude-if-any", "surface", "experiment", "microsurveyConfig",
    ]

    let vocabulary: MessagingVocabulary
    /// The value over the layers below: where names are looked up.
    let merged: JSONObject

    func check(_ message: JSONReader, key: String) {
        guard message.object() != nil else { return }
        message.refuseUnknown(keys: Self.fields)
        for field in ["title", "button-label", "experiment"] { _ = message.optional(field)?.string() }
        for (_, parameter) in message.optional("action-params")?.members() ?? [] { _ = parameter.presentString() }
        checkText(message)
        checkStyle(message)
        checkAction(message)
        checkSurface(message)
        checkTriggers(message.optional("trigger-if-all"))
        checkTriggers(message.optional(vocabulary.dialect.exclusionKey))
        checkMicrosurvey(message.optional("microsurveyConfig"))
    }

    private func checkText(_ message: JSONReader) {
        let isControl = message.optional("is-control")?.bool() ?? false
        guard let place = message.optional("text"), let text = place.string(), !isControl else { return }
        if vocabulary.dialect.isEmpty(text) { place.finding("empty_text", "a message without text is malformed") }
    }

    private func checkStyle(_ message: JSONReader) {
        guard let place = message.optional("style"), let name = place.string() else { return }
        if merged["styles"]?.object?[name] == nil { place.finding("unknown_style", "there is no style \"\(name)\"") }
    }

    private func checkAction(_ message: JSONReader) {
        guard let place = message.optional("action"), let name = place.string() else { return }
        guard merged["actions"]?.object?[name]?.string == nil else { return }
        let isURL = vocabulary.dialect == .ios && name.contains("://")
        if !isURL { place.finding("unknown_action", "there is no action \"\(name)\"") }
    }

    private func checkSurface(_ message: JSONReader) {
        guard let place = message.optional("surface"), let name = place.string() else { return }
        if !vocabulary.surfaces.contains(name) {
            place.finding("unknown_surface", "the manifest has no surface \"\(name)\"")
        }
    }

    private func checkTriggers(_ reader: JSONReader?) {
        for place in reader?.elements() ?? [] {
            guard let name = place.string() else { continue }
            if merged["triggers"]?.object?[name]?.string == nil {
                place.finding("unknown_trigger", "there is no trigger \"\(name)\"")
            }
        }
    }

    private func checkMicrosurvey(_ config: JSONReader?) {
        guard let config, config.object() != nil else { return }
        config.refuseUnknown(keys: ["utm-content", "icon", "options"])
        _ = config.optional("utm-content")?.string()
        _ = config.optional("icon")?.string()
        for option in config.optional("options")?.elements() ?? [] { _ = option.string() }
    }
}

extension Dialect {
    /// Whether a text counts as none: on iOS the empty one, on Android also one of white space alone
    /// (nimbus-messaging.md A, "Malformed rules" 1).
    func isEmpty(_ text: String) -> Bool {
        switch self {
        case .ios: text.isEmpty
        case .android: text.allSatisfy(\.isWhitespace)
        }
    }
}
