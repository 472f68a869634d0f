public import HTTPWire

/// A box for an exchange that waits: no collection holds values that cannot be copied.
public final class ParkedExchange {
    public var exchange: Exchange?

    public init(_ exchange: consuming Exchange) { self.exchange = .some(exchange) }

    /// Answers, unless that has already been done.
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
