internal import BellwetherCore

/// Messages as bytes, by language: what most answers are spliced from. Belongs to one thread and one snapshot.
final class RenderedMessages {
    private struct Key: Hashable {
        let message: ObjectIdentifier
        /// The language asked for: it stands in the privacy link.
        let locale: String?
    }

    private var messages: AnswerCache<Key, RenderedMessage>

    init(capacity: Int, bytes: Int) { messages = AnswerCache(capacity: capacity, bytes: bytes) }

    func removeAll() { messages.removeAll() }

    /// Messages whose action takes something from the client or its context are rendered each time.
    func message(_ message: Message, locale: String?, render: () -> RenderedMessage) -> RenderedMessage {
        guard !PressableAction.isPersonal(message) else { return render() }
        let key = Key(message: ObjectIdentifier(message), locale: locale)
        if let known = messages[key] { return known }
        let rendered = render()
        messages.keep(rendered, size: rendered.size, for: key)
        return rendered
    }
}
