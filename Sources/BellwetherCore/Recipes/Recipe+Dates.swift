/// When a recipe has its say, by its own dates (nimbus-messaging.md G; api.md 3 leaves them to the daemon's clock). A
/// date without a time is midnight, UTC. Bare messaging values have none.
extension Recipe {
    /// Nothing of it is offered before.
    public var start: Timestamp? { experiment?.dates.start }

    /// It is gone from then on.
    public var end: Timestamp? { experiment?.dates.end }

    public func hasStarted(at now: Timestamp) -> Bool { start.map { $0 <= now } ?? true }

    public func hasEnded(at now: Timestamp) -> Bool { end.map { $0 <= now } ?? false }

    /// When that will next be otherwise.
    public func nextChange(after now: Timestamp) -> Timestamp? {
        [start, end].compactMap(\.self).filter { $0 > now }.min()
    }
}
