public import BellwetherBase
public import BellwetherService
internal import Synchronization

/// The heads of the store, for tests in which several processes share it.
extension MemoryStore: SharedHeads {
    public var shared: (any SharedHeads)? { sharing == .ofOneProcess ? nil : self }

    public var clock: Clock { Clock { [self] in time.withLock { $0 } ?? Clock.system.now() } }

    /// Stops the store's clock at a time, until the next call.
    public func set(time now: Timestamp) { time.withLock { $0 = now } }

    public var clockDifference: ClockDifference { .none }

    public func heads() throws(StoreError) -> StoreHeads { try access { $0.heads } }

    public func observe(_ observer: @escaping @Sendable () -> Void) { observers.withLock { $0.append(observer) } }
}
