package import BellwetherJSON

/// The `offer` of a questionnaire or survey as a messaging value. It has one message, whose key is the recipe's slug
/// and which presents the recipe (docs/reference/surveys.md#recipes).
package struct OfferMessaging {
    package let messaging: JSONObject

    /// Reads the offer; nil for a recipe without one.
    package init?(_ document: JSONReader, slug: String) {
        guard let offer = document.optional("offer"), var message = offer.value.object else { return nil }
        if let trigger = message["trigger"], trigger.object != nil {
            message["trigger"] = nil
            message[LaunchTrigger.key] = trigger
        }
        message["presents"] = .string(slug)
        messaging = ["messages": .object([slug: .object(message)])]
    }

    /// The place in a recipe where a key of an offer belongs; nil if it is no such key.
    package static func home(of key: String) -> String? {
        if LaunchTrigger.keys.contains(key) { return "offer.trigger" }
        if Pacing.keys.contains(key) { return "offer.pacing" }
        return ["button-label", "pacing", "style", "surface", "trigger"].contains(key) ? "offer" : nil
    }

    /// The location in the recipe that corresponds to a location in the messaging value.
    package static func location(of pointer: JSONPointer) -> JSONPointer {
        var tokens = Array(pointer.tokens.dropFirst(2))
        if tokens.first == LaunchTrigger.key { tokens[0] = "trigger" }
        return JSONPointer(tokens: ["offer"] + tokens)
    }
}
