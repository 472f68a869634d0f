public import BellwetherJSON

/// The resolved action of a message: its URL with the client's attributes and parameters in it.
public struct ResolvedAction: Sendable, Hashable {
    /// The action's name; nil if the message contains the URL itself.
    public let name: Identifier?
    public let url: String
    /// The uuid, if the URL contains `{uuid}`.
    public let uuid: String?

    /// Whether the URL contains anything that depends on the client or its context.
    public static func isPersonal(_ message: Message) -> Bool {
        guard let action = message.action else { return false }
        return action.url.utf8.contains(UInt8(ascii: "{"))
            || message.definition.actionParameters.contains { $0.value.utf8.contains(UInt8(ascii: "{")) }
    }

    public static func wantsUUID(_ message: Message) -> Bool {
        guard let action = message.action else { return false }
        return ActionLink.wantsUUID(template: action.url, parameters: parameters(message))
    }

    /// Resolves the action; nil if the message has no action, or if no valid URL results.
    public init?(
        _ message: Message, manifest: Manifest, value: (String) -> JSONValue?, uuid: () -> String
    ) {
        guard let action = message.action, !message.facts.isControl else { return nil }
        let uuid = Self.wantsUUID(message) ? uuid() : nil
        guard
            let url = ActionLink(
                template: action.url, parameters: Self.parameters(message), scheme: manifest.deepLinkScheme,
                dialect: manifest.dialect
            ).url(uuid: uuid, value: value)
        else { return nil }
        name = action.name
        self.url = url
        self.uuid = uuid
    }

    private static func parameters(_ message: Message) -> [(name: String, value: String)] {
        message.definition.actionParameters.map { (name: $0.name, value: $0.value) }
    }
}
