package import BellwetherJSON

/// The `offer` of a questionnaire or survey as a messaging value: one message, whose key is the recipe's slug and which
/// presents the recipe (docs/reference/surveys.md#recipes).
package struct OfferMessaging {
    package let messaging: JSONObject

    /// Nil for a recipe without an offer.
    package init?(_ document: JSONReader, slug: String) {
        guard let offer = document.optional("offer"), var message = offer.value.object else { return nil }
        if let trigger = message["trigger"], trigger.object != nil {
            message["trigger"] = nil
            message[LaunchTrigger.key] = trigger
        }
        message["presents"] = .string(slug)
        messaging = ["messages": .object([slug: .object(message)])]
    }

    /// Where a word of an offer has its place in a recipe; nil: it is no such word.
    package static func home(of key: String) -> String? {
        if LaunchTrigger.keys.contains(key) { return "offer.trigger" }
        if Pacing.keys.contains(key) { return "offer.pacing" }
        return ["button-label", "pacing", "style", "surface", "trigger"].contains(key) ? "offer" : nil
    }

    /// Where the recipe has what is found at a location of the messaging value.
    package static func location(of pointer: JSONPointer) -> JSONPointer {
        var tokens = Array(pointer.tokens.dropFirst(2))
        if tokens.first == LaunchTrigger.key { tokens[0] = "trigger" }
        return JSONPointer(tokens: ["offer"] + tokens)
    }
}
