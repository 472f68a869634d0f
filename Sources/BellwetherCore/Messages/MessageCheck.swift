internal import BellwetherJSON

/// Warnings about one message of a value: names that nothing defines, and a missing text.
///
/// The rules are the same as in `Malformation`. Locations refer to the author's document, with its stale spellings.
struct MessageCheck {
    let vocabulary: MessagingVocabulary
    let names: MessagingNames
    let slug: Identifier?

    func check(_ message: JSONReader, key: String) {
        guard message.value.object != nil else { return }
        let definition = MessageDefinition(names.message(name(key)), dialect: vocabulary.dialect)
        if !definition.isControl {
            checkText(definition, message)
            if definition.kind.hasBuiltInTexts { checkContent(of: message) }
            checkAction(message)
        }
        checkStyle(message)
        message.optional("pacing").map { Pacing.check($0.own) }
        checkTriggers(field("trigger-if-all", of: message))
        checkTriggers(field(vocabulary.dialect.exclusionKey, of: message))
    }

    private func checkText(_ definition: MessageDefinition, _ message: JSONReader) {
        let written = message.optional("text")
        guard vocabulary.dialect.isEmpty(definition.text) else { return }
        if let written, written.value.string == nil {
            return written.findings.add(
                consequence: "it is left out, and a message without text is malformed", to: "type",
                at: written.pointer)
        }
        (written ?? message).finding("empty_text", "a message without text is malformed", absentKeys: ["text"])
    }

    /// Says of each part that cannot be read that the message is malformed. Its type is already reported.
    private func checkContent(of message: JSONReader) {
        guard let written = vocabulary.normalised(message: message.value).object,
            let part = MessageDefinition.unreadable(in: written)
        else { return }
        let names = part.split(separator: ".").map(String.init)
        guard var location = field(names[0], of: message) else { return }
        for name in names.dropFirst() { location = location.optional(name) ?? location.optional("answers") ?? location }
        message.findings.add(consequence: "the message is malformed", within: location.pointer)
    }

    private func checkAction(_ message: JSONReader) {
        guard let location = message.optional("action"), let name = name(location) else { return }
        guard names.action(name)?.string == nil else { return }
        let isURL = vocabulary.dialect == .ios && name.contains("://")
        if !isURL { location.finding("unknown_action", "there is no action \"\(name)\"") }
    }

    private func checkStyle(_ message: JSONReader) {
        guard let location = message.optional("style"), let name = name(location) else { return }
        if names.style(name) == nil { location.finding("unknown_style", "there is no style \"\(name)\"") }
    }

    private func checkTriggers(_ reader: JSONReader?) {
        guard let reader, reader.value.array != nil else { return }
        for location in reader.elements() ?? [] {
            guard let name = name(location) else { continue }
            if names.trigger(name) == nil { location.finding("unknown_trigger", "there is no trigger \"\(name)\"") }
        }
    }

    /// The field under the spelling that is used.
    private func field(_ canonical: String, of message: JSONReader) -> JSONReader? {
        guard message.value.object?[canonical] == nil else { return message.optional(canonical) }
        return vocabulary.dialect.otherSpellings(of: canonical).lazy.compactMap { message.optional($0) }.first
    }

    private func name(_ location: JSONReader) -> String? { location.value.string.map(name) }

    private func name(_ written: String) -> String {
        ExperimentSubstitution.replace(in: written, slug: slug)
    }
}

extension Dialect {
    /// Whether a text counts as missing. On iOS it is the empty text, on Android also a text of white space only
    /// (docs/reference/messaging.md#malformed-messages).
    package func isEmpty(_ text: String) -> Bool {
        switch self {
        case .ios: text.isEmpty
        case .android: text.allSatisfy(\.isWhitespace)
        }
    }
}
