internal import JEXL

/// What a context alone decides about recipes, worked out as far as polls have asked: whether its clients come as far as
/// the buckets. Small, for there are many contexts. Belongs to one thread, and to one set of recipes and context.
final class ContextGates {
    enum Verdict: UInt8 {
        case unknown
        case open
        case closed
        /// Targeting asks for what differs between clients.
        case perClient
    }

    let recipes: ExperimentSet
    /// What the context says of itself; nil leaves it to the client's id.
    private let nimbusID: String?
    private let userID: String?
    private var verdicts: [Verdict]

    init(_ recipes: ExperimentSet, _ context: TargetingContext) {
        self.recipes = recipes
        let ids = RandomizationIDs(clientID: nil, context: context)
        (nimbusID, userID) = (ids.nimbusID, ids.userID)
        verdicts = Array(repeating: .unknown, count: recipes.members.count)
    }

    func ids(of clientID: String?) -> RandomizationIDs {
        RandomizationIDs(nimbusID: nimbusID ?? clientID, userID: userID ?? clientID)
    }

    /// `gates` is of some client of the context.
    func verdict<Environment>(on member: ExperimentSet.Member, _ gates: EnrollmentGates<Environment>) -> Verdict {
        let known = verdicts[member.place]
        guard known == .unknown else { return known }
        let verdict = Self.verdict(on: member, gates)
        verdicts[member.place] = verdict
        return verdict
    }

    /// An error keeps clients out as a false value does.
    private static func verdict<Environment>(
        on member: ExperimentSet.Member, _ gates: EnrollmentGates<Environment>
    ) -> Verdict {
        if gates.mismatch(of: member.experiment) != nil { return .closed }
        guard member.isTargetingDecidedByContext else { return .perClient }
        let isTargeted = try? gates.isTargeted(by: member.experiment, isAlreadyEnrolled: false)
        return isTargeted == true ? .open : .closed
    }
}
