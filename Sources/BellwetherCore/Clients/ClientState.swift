/// Everything the daemon remembers of one client. A client never seen is an empty one.
///
/// It changes only through pure functions that a store applies, one transaction at a time.
public struct ClientState: Sendable, Hashable {
    /// Behaviour event counters (docs/reference/events.md#counters-and-intervals).
    public var behavior = BehaviorHistory()
    public var ledger = DisplayLedger()
    /// The catalog revision whose malformed messages were reported for this client; 0: none yet
    /// (docs/reference/messaging.md#malformed-messages).
    public var reportedRevision: UInt64 = 0
    /// Where the client stands with experiments and rollouts, and what it wants of them.
    public var enrollments = PackedEnrollments.none
    /// Stored sections that only a later version of the daemon reads. They are kept, and written again as they were.
    var unknownSections: [UnknownSection] = []

    public init() {}

    struct UnknownSection: Sendable, Hashable {
        let tag: UInt64
        let bytes: ArraySlice<UInt8>
    }
}
