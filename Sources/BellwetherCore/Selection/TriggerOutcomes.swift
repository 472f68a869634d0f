/// What the triggers of a catalog came to in the poll at hand: each is evaluated once in it, however many messages use
/// it. One for all contexts of a thread, so that it is small and near, however many contexts poll.
public final class TriggerOutcomes {
    public let catalog: Catalog
    private var known: [KnownOutcome]
    private var polls: UInt32 = 0

    /// A trigger's last outcome, and the poll for which it holds.
    private struct KnownOutcome {
        let poll: UInt32
        let outcome: TriggerOutcome
    }

    public init(of catalog: Catalog) {
        self.catalog = catalog
        known = Self.nothing(catalog)
    }

    private static func nothing(_ catalog: Catalog) -> [KnownOutcome] {
        Array(repeating: KnownOutcome(poll: 0, outcome: .fails), count: catalog.triggers.count)
    }

    /// A number for one client's poll.
    func beginPoll() -> UInt32 {
        if polls == .max {
            // The numbers are used up: what is known is forgotten, so that none comes twice.
            known = Self.nothing(catalog)
            polls = 0
        }
        polls += 1
        return polls
    }

    /// A trigger's outcome for the client of a poll.
    func outcome(of trigger: Int, in environment: TriggerEnvironment, poll: UInt32) -> TriggerOutcome {
        let last = known[trigger]
        if last.poll == poll { return last.outcome }
        let outcome = catalog.triggers[trigger].outcome(in: environment)
        known[trigger] = KnownOutcome(poll: poll, outcome: outcome)
        return outcome
    }
}
