public import BellwetherJSON

/// A behaviour event as counters and goals read it.
public struct BehaviorEvent: Sendable, Hashable {
    /// An event that follows from it.
    struct Derived: Sendable, Hashable {
        let event: CountedEvent
        let count: UInt64
    }

    public let name: Identifier
    public let count: UInt64
    /// The properties that count.
    public let properties: [Identifier: JSONValue]
    private(set) var derived: [Derived] = []

    /// - Parameter events: the app's derived events.
    public init(
        name: Identifier, count: UInt64, properties: [Identifier: JSONValue] = [:],
        deriving events: DerivedEvents = .none
    ) {
        (self.name, self.count, self.properties) = (name, count, properties)
        derived = events.events(from: self)
    }
}
