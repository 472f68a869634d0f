internal import BellwetherBase
package import BellwetherJSON

/// The `offer` of a questionnaire, survey or flow as a messaging value. It has one message, whose key is the recipe's
/// slug and which presents the recipe (docs/reference/surveys.md#words-of-an-offer).
package struct OfferMessaging {
    /// The value with the message's words. Those that the offer does not have are the recipe's, or built in.
    package let messaging: JSONObject
    /// The value with the keys that the author wrote.
    package let written: JSONObject

    /// Reads the offer; nil for a recipe without one.
    package init?(_ document: JSONReader, slug: Identifier) {
        guard let offer = document.optional("offer"), var message = offer.value.object else { return nil }
        if let trigger = message["trigger"], trigger.object != nil {
            message["trigger"] = nil
            message[LaunchTrigger.key] = trigger
        }
        message["presents"] = .string(slug)
        written = Self.value(message, slug)
        let kind = MessageKind(surface: message["surface"]?.identifier ?? "", style: message["style"]?.identifier ?? "")
        if kind == .plain {
            for (key, text) in Self.words(of: document) where message[key] == nil { message[key] = .string(text) }
        }
        messaging = Self.value(message, slug)
    }

    private static func value(_ message: JSONObject, _ slug: Identifier) -> JSONObject {
        ["messages": .object([slug.text: .object(message)])]
    }

    /// The words of the page that asks for consent, by the key of the message.
    private static func words(of document: JSONReader) -> [(key: String, text: String)] {
        // The texts of a flow are inside its steps.
        let isFlow = document.value.object?["kind"]?.string == ContentKind.flow.rawValue
        let own = isFlow ? [:] : document.value.object ?? [:]
        func word(_ key: String) -> String { own["strings"]?.object?[key]?.string ?? InterfaceText.id(of: key) }
        let description = own["description"]?.string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        return [
            ("title", word("consentTitle")), ("text", description ?? word("consentBody")),
            ("button-label", word("consentAccept")),
        ]
    }

    /// The place in a recipe where a key of an offer belongs; nil if it is no such key.
    package static func home(of key: String) -> String? {
        if LaunchTrigger.keys.contains(Identifier(key)) { return "offer.trigger" }
        if Pacing.keys.contains(Identifier(key)) { return "offer.pacing" }
        return ["button-label", "pacing", "showsConsent", "style", "surface", "trigger"].contains(key) ? "offer" : nil
    }

    /// The location in the recipe that corresponds to a location in the messaging value.
    package static func location(of pointer: JSONPointer) -> JSONPointer {
        var tokens = Array(pointer.tokens.dropFirst(2))
        if tokens.first == LaunchTrigger.key { tokens[0] = "trigger" }
        return JSONPointer(tokens: ["offer"] + tokens)
    }
}
