public import BellwetherJSON

/// The progress of clients with a message: the prompt was shown; it was pressed, which opens a survey's sheet; the
/// survey was answered; or the prompt was dismissed without an answer. `exposed` counts the exposures by the message to
/// an experiment. Of a control it is the only step: the clients who would have seen a message.
///
/// An answer also records a dismissal (docs/reference/messaging.md#microsurvey-lifecycle), which is not a separate
/// step.
public enum FunnelStep: String, Sendable, Hashable, CaseIterable {
    case shown, started, answered, dismissed, exposed
}

/// The log's counts of a message's clients, in one branch of a recipe or in all.
public struct FunnelTally: Sendable, Hashable {
    /// The number of events, and the number of clients.
    public struct Count: Sendable, Hashable {
        public let events: Int
        public let clients: Int

        public init(events: Int, clients: Int) {
            self.events = events
            self.clients = clients
        }

        static let none = Count(events: 0, clients: 0)
    }

    /// The branch; nil for clients without a branch of the recipe.
    public let branch: Identifier?
    /// The counts, in the order of `FunnelStep`'s cases.
    public private(set) var counts: [Count]

    public init(branch: Identifier?, counts: [Count]) {
        self.branch = branch
        self.counts = counts
    }

    func count(of step: FunnelStep) -> Count {
        let index = FunnelStep.allCases.firstIndex(of: step) ?? 0
        return index < counts.count ? counts[index] : .none
    }

    mutating func add(_ other: FunnelTally) {
        counts = FunnelStep.allCases.map { step in
            let (own, more) = (count(of: step), other.count(of: step))
            return Count(events: own.events + more.events, clients: own.clients + more.clients)
        }
    }
}
