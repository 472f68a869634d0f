public import BellwetherCore

/// What a poll answers, and what it wants recorded.
public struct Delivery: Sendable {
    public let offers: [Offer]
    public let effects: DeliveryEffects
}

/// A message that a client may see now.
public struct Offer: Sendable {
    public let message: Message
    /// How often the client has seen it.
    public let displayCount: Int
}

/// What a poll changes: nothing, as a rule (api.md 2.1).
public struct DeliveryEffects: Sendable {
    /// Controls that count as shown, in order.
    public var controls: [MessageFacts] = []
    /// Messages to report as malformed, when that was not done for this client and catalog.
    public var malformed: [MessageFacts] = []

    public var isEmpty: Bool { controls.isEmpty && malformed.isEmpty }
}

/// One client's question.
public struct Poll: Sendable {
    public let app: AppSnapshot
    public let client: ClientReference
    /// Each once, in the order of the answer.
    public let surfaces: [String]
    public let context: TargetingContext
    public let now: Timestamp

    public init(
        app: AppSnapshot, client: ClientReference, surfaces: [String], context: TargetingContext, now: Timestamp
    ) {
        self.app = app
        self.client = client
        self.surfaces = surfaces
        self.context = context
        self.now = now
    }
}
