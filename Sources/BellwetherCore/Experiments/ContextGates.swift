internal import BellwetherJSON
internal import JEXL

/// What a context alone decides about recipes: whether its clients come as far as the buckets. Small, for there are
/// many contexts. Immutable; of one set of recipes, one manifest and one context.
final class ContextGates {
    /// What is known of one recipe.
    struct Verdict: OptionSet {
        let rawValue: UInt8

        static let admitsStrangers = Verdict(rawValue: 1)
        /// Clients that are in the recipe may stay.
        static let keepsMembers = Verdict(rawValue: 2)
        /// Targeting asks for what differs between clients.
        static let isPerClient = Verdict(rawValue: 4)
    }

    let recipes: ExperimentSet
    /// The same for contexts that make no difference to any client's enrollments: they let it pass the same gates, and
    /// have the same values of what else any targeting asks for.
    let digest: Int
    /// What the context says of itself; nil leaves it to the client's id.
    private let nimbusID: String?
    private let userID: String?
    /// By the members' places.
    private let verdicts: [Verdict]

    /// App and channel are the manifest's.
    init(_ recipes: ExperimentSet, _ context: TargetingContext, appName: String?, channel: String?) {
        self.recipes = recipes
        let ids = RandomizationIDs(clientID: nil, context: context)
        (nimbusID, userID) = (ids.nimbusID, ids.userID)
        var judging = ContextJudging(context, appName: appName, channel: channel)
        verdicts = recipes.members.map { judging.verdict(on: $0) }
        digest = judging.digest(ids)
    }

    func ids(of clientID: String?) -> RandomizationIDs {
        RandomizationIDs(nimbusID: nimbusID ?? clientID, userID: userID ?? clientID)
    }

    func verdict(on member: ExperimentSet.Member) -> Verdict { verdicts[member.place] }
}

/// Works out the verdicts of a context, and what they rest on.
private struct ContextJudging {
    private let context: TargetingContext
    /// Of anybody: what differs between clients is not asked for.
    private let gates: EnrollmentGates<TriggerEnvironment>
    private var hasher = Hasher()

    init(_ context: TargetingContext, appName: String?, channel: String?) {
        self.context = context
        gates = EnrollmentGates(
            subject: EnrollmentSubject(
                appName: appName, channel: channel, ids: RandomizationIDs(nimbusID: nil, userID: nil),
                participation: .full),
            environment: TriggerEnvironment(
                context: context, clientID: nil, behavior: BehaviorHistory(), branches: .none,
                now: Timestamp(milliseconds: 0)))
    }

    mutating func verdict(on member: ExperimentSet.Member) -> ContextGates.Verdict {
        let verdict = judge(member)
        hasher.combine(verdict.rawValue)
        return verdict
    }

    private mutating func judge(_ member: ExperimentSet.Member) -> ContextGates.Verdict {
        if gates.mismatch(of: member.experiment) != nil { return [] }
        switch member.targetingBasis {
        case .client:
            noteAttributes(of: member)
            return .isPerClient
        case .context:
            return isTargeted(by: member, isAlreadyEnrolled: false) ? [.admitsStrangers, .keepsMembers] : []
        case .contextAndStanding:
            var verdict: ContextGates.Verdict = []
            if isTargeted(by: member, isAlreadyEnrolled: false) { verdict.insert(.admitsStrangers) }
            if isTargeted(by: member, isAlreadyEnrolled: true) { verdict.insert(.keepsMembers) }
            return verdict
        }
    }

    /// An error keeps clients out as a false value does. It is remembered with its text, though, which follows from the
    /// attributes.
    private mutating func isTargeted(by member: ExperimentSet.Member, isAlreadyEnrolled: Bool) -> Bool {
        do {
            return try gates.isTargeted(by: member.experiment, isAlreadyEnrolled: isAlreadyEnrolled)
        } catch {
            noteAttributes(of: member)
            return false
        }
    }

    /// What a recipe's targeting may read of the context.
    private mutating func noteAttributes(of member: ExperimentSet.Member) {
        for name in member.experiment.targeting?.identifiers ?? [] {
            hasher.combine(context.attributes[name] != nil)
            hasher.combine(context.value(of: name)?.encoded)
        }
    }

    func digest(_ ids: RandomizationIDs) -> Int {
        var hasher = hasher
        for id in [ids.nimbusID, ids.userID] { hasher.combine(id.map { ByteKey(text: $0) }) }
        return hasher.finalize()
    }
}
