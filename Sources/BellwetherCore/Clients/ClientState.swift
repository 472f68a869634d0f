/// Everything the daemon remembers of one client. A client never seen is an empty one.
///
/// It changes only through pure functions that a store applies, one transaction at a time (architecture.md 2,
/// "Client state").
public struct ClientState: Sendable, Hashable {
    /// Behaviour event counters (nimbus-messaging.md E).
    public var behavior = BehaviorHistory()
    public var ledger = DisplayLedger()
    /// The catalog revision whose malformed messages were reported for this client; 0: none yet (api.md 2.1).
    public var reportedRevision: UInt64 = 0
    /// Where the client stands with experiments and rollouts, and what it wants of them.
    public var enrollments = PackedEnrollments.none

    public init() {}
}
