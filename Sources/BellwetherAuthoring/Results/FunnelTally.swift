/// How far clients went with a message: the prompt was displayed, it was pressed (which opens a survey's sheet), the
/// survey was answered, or the prompt was dismissed without an answer.
///
/// An answer is recorded with a dismissal (docs/reference/messaging.md#microsurvey-lifecycle), which is no step of its
/// own.
public enum FunnelStep: String, Sendable, Hashable, CaseIterable {
    case shown, started, answered, dismissed
}

/// The log's counts of a message's clients in one branch of a recipe, or of all.
public struct FunnelTally: Sendable, Hashable {
    /// How often, and by how many clients.
    public struct Count: Sendable, Hashable {
        public let events: Int
        public let clients: Int

        public init(events: Int, clients: Int) {
            self.events = events
            self.clients = clients
        }

        static let none = Count(events: 0, clients: 0)
    }

    /// Nil: in no branch of the recipe.
    public let branch: String?
    /// In the order of `FunnelStep`'s cases.
    public private(set) var counts: [Count]

    public init(branch: String?, counts: [Count]) {
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
