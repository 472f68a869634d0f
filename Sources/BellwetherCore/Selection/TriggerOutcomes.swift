/// What the triggers of a catalog came to in the poll at hand. One for all contexts of a thread, so that it is small
/// and near, however many contexts poll.
public final class TriggerOutcomes {
    public let catalog: Catalog
    var current: PollOutcomes

    public init(of catalog: Catalog) {
        self.catalog = catalog
        current = PollOutcomes(catalog.triggers)
    }
}

/// The outcomes of one client's poll: each trigger is evaluated once in it, however many messages use it.
struct PollOutcomes {
    /// A trigger's last outcome, and the poll for which it holds.
    struct KnownOutcome {
        let poll: UInt32
        let outcome: TriggerOutcome
    }

    private let triggers: [CompiledTrigger]
    private(set) var known: [KnownOutcome]
    private(set) var poll: UInt32 = 0

    init(_ triggers: [CompiledTrigger]) {
        self.triggers = triggers
        known = Self.nothing(triggers.count)
    }

    private static func nothing(_ count: Int) -> [KnownOutcome] {
        Array(repeating: KnownOutcome(poll: 0, outcome: .fails), count: count)
    }

    /// Nothing is known any more. The number is the poll's own.
    mutating func beginPoll() -> UInt32 {
        if poll == .max {
            // The numbers are used up.
            known = Self.nothing(known.count)
            poll = 0
        }
        poll += 1
        return poll
    }

    mutating func outcome(of trigger: Int, in environment: TriggerEnvironment) -> TriggerOutcome {
        let last = known[trigger]
        if last.poll == poll { return last.outcome }
        let outcome = triggers[trigger].outcome(in: environment)
        known[trigger] = KnownOutcome(poll: poll, outcome: outcome)
        return outcome
    }
}
