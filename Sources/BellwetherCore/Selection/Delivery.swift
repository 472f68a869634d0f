/// One client's question: what may it see now?
public struct PollQuery: Sendable {
    /// Nil in a hypothetical question without a client.
    public let clientID: String?
    /// Each once, in the order of the answer.
    public let surfaces: [String]
    public let context: TargetingContext
    public let now: Timestamp

    public init(clientID: String?, surfaces: [String], context: TargetingContext, now: Timestamp) {
        self.clientID = clientID
        self.surfaces = surfaces
        self.context = context
        self.now = now
    }
}

/// What a poll answers, and what it wants recorded.
public struct Delivery: Sendable {
    public let offers: [Offer]
    public let effects: DeliveryEffects

    public init(offers: [Offer], effects: DeliveryEffects) {
        self.offers = offers
        self.effects = effects
    }
}

/// A message that a client may see now.
public struct Offer: Sendable {
    public let message: Message
    /// How often the client has seen it.
    public let displayCount: Int
}

/// What a poll changes: nothing, as a rule (api.md 2.1).
public struct DeliveryEffects: Sendable {
    /// The client's enrollments as they are now, and what is to be told of it; nil when they stay as they were.
    public var enrollments: EvolvedEnrollments?
    /// Controls that count as shown, in order.
    public var controls: [MessageFacts] = []
    /// Messages to report as malformed, when that was not done for this client and catalog.
    public var malformed: [MessageFacts] = []

    public init() {}

    public var isEmpty: Bool { enrollments == nil && controls.isEmpty && malformed.isEmpty }
}

/// Whether a client's enrollments are known to be up to date.
public enum EnrollmentStanding: Sendable {
    /// Nothing that they depend on has changed since they were looked at.
    case settled
    case unsettled
}
