/// What one client has seen of one message and done with it (nimbus-messaging.md B, "State per message id").
public struct LedgerEntry: Sendable, Hashable {
    /// The message's key. State is kept by key alone: a key used again in a later recipe inherits its counts.
    public let message: String
    public var displayCount: UInt32
    public var dismissals: UInt32
    /// Pressed in a way that ends the message: any `clicked` but the one that opens a microsurvey's sheet.
    public var isClicked: Bool
    /// Latched when a display reached the cap: raising the cap later does not revive the message.
    public var isExpired: Bool
    /// A microsurvey's answer is stored; it was `confirmation_shown` too.
    public var isAnswered: Bool

    public init(
        message: String, displayCount: UInt32 = 0, dismissals: UInt32 = 0, isClicked: Bool = false,
        isExpired: Bool = false, isAnswered: Bool = false
    ) {
        self.message = message
        self.displayCount = displayCount
        self.dismissals = dismissals
        self.isClicked = isClicked
        self.isExpired = isExpired
        self.isAnswered = isAnswered
    }

    /// The client acted on the message: it is out, whatever its cap says.
    public var isInteracted: Bool { dismissals > 0 || isClicked }

    /// Out because of displays: latched, or at the cap that the style has now.
    public func isExpired(cap: Int) -> Bool { isExpired || Int(displayCount) >= cap }
}

/// One client's entries, few enough to be searched in place.
public struct DisplayLedger: Sendable, Hashable {
    public private(set) var entries: [LedgerEntry] = []

    public init() {}

    /// Nil for a message that the client has nothing to do with yet.
    public func entry(of message: String) -> LedgerEntry? { entries.first { $0.message == message } }

    /// For what was stored; each message once.
    init(entries: [LedgerEntry]) { self.entries = entries }

    public subscript(message: String) -> LedgerEntry {
        get { entry(of: message) ?? LedgerEntry(message: message) }
        set {
            if let position = entries.firstIndex(where: { $0.message == message }) {
                entries[position] = newValue
            } else {
                entries.append(newValue)
            }
        }
    }
}
