internal import BellwetherCore

/// Messages as bytes, by language: what most answers are spliced from. Belongs to one thread and one snapshot.
/// Bounded: when it is full it starts anew.
final class RenderedMessages {
    private struct Key: Hashable {
        let message: ObjectIdentifier
        /// The language asked for: it stands in the privacy link.
        let locale: String?
    }

    private let capacity: Int
    private let byteBound: Int
    private var messages: [Key: RenderedMessage] = [:]
    private var bytes = 0

    init(capacity: Int, bytes: Int) {
        self.capacity = capacity
        byteBound = bytes
    }

    func removeAll() {
        messages.removeAll()
        bytes = 0
    }

    /// Messages whose action takes something from the client or its context are rendered each time.
    func message(_ message: Message, locale: String?, render: () -> RenderedMessage) -> RenderedMessage {
        guard !PressableAction.isPersonal(message) else { return render() }
        let key = Key(message: ObjectIdentifier(message), locale: locale)
        if let known = messages[key] { return known }
        let rendered = render()
        if messages.count >= capacity || bytes > byteBound { removeAll() }
        messages[key] = rendered
        bytes += rendered.size
        return rendered
    }
}
