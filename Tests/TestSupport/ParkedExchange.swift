public import HTTPWire

/// A box for an exchange that waits. Collections cannot hold values that cannot be copied, so they hold this box.
public final class ParkedExchange {
    public var exchange: Exchange?

    public init(_ exchange: consuming Exchange) { self.exchange = .some(exchange) }

    /// Replies, unless the exchange has a reply already.
    public func reply(_ response: Response) {
        guard let exchange = take() else { return }
        exchange.reply(response)
    }

    /// Takes the exchange out of the box.
    public func take() -> Exchange? {
        var taken: Exchange?
        swap(&taken, &exchange)
        return taken
    }
}
