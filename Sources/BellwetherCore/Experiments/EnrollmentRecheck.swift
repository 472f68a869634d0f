internal import BellwetherJSON
internal import JEXL

/// A quick look whether an evolution would change anything about a client, for it nearly never does: nothing is
/// unpacked into books, and what the context decides is asked once a context.
///
/// Exact in one direction: where it finds nothing to change, an evolution finds the same enrollments and tells nothing.
/// What is rare it leaves to the evolution: choices that a person made, recipes that are gone, rivals for a feature,
/// clients that a rollout may take back.
struct EnrollmentRecheck<Environment: EvolvingEnvironment> {
    private let recipes: ExperimentSet
    private let context: ContextGates
    private let gates: EnrollmentGates<Environment>
    private let now: Timestamp
    /// By member's place.
    private var standings: [Standing]
    /// By claim: whether a recipe that the client is in holds the feature.
    private var isHeld: [Bool]
    /// By spread, as far as they were asked for.
    private var hashes: [UInt64?]

    /// The gates' subject wants all recipes that there are, and none in particular.
    init(_ context: ContextGates, gates: EnrollmentGates<Environment>, now: Timestamp) {
        recipes = context.recipes
        self.context = context
        self.gates = gates
        self.now = now
        standings = Array(repeating: .stranger, count: recipes.members.count)
        isHeld = Array(repeating: false, count: recipes.claimCount)
        hashes = Array(repeating: nil, count: recipes.spreadCount)
    }

    /// What is known of a client and a member of the set.
    private enum Standing: UInt8 {
        case stranger
        case enrolled
        /// Out for good, or for as long as the recipe is paused.
        case past
    }

    mutating func changesNothing(about known: [Enrollment]) -> Bool {
        // Clients meet recipes in the order in which they stand, so the next one is soon after the last one.
        var expected = 0
        for enrollment in known {
            guard let place = recipes.place(of: enrollment.slug, near: expected) else {
                guard isRemembered(enrollment.status) else { return false }
                continue
            }
            expected = place + 1
            guard standings[place] == .stranger,
                let standing = standing(enrollment.status, in: recipes.members[place])
            else { return false }
            standings[place] = standing
            if standing == .enrolled { for claim in recipes.members[place].claims { isHeld[claim] = true } }
        }
        for member in recipes.members where standings[member.place] == .stranger && member.state == .live {
            guard staysOut(of: member) else { return false }
        }
        return true
    }

    /// Of a recipe that is gone.
    private func isRemembered(_ status: EnrollmentStatus) -> Bool {
        guard case .wasEnrolled(_, let end) = status else { return false }
        return now < end.adding(seconds: EnrollmentEvolution<Environment>.memorySeconds)
    }

    /// Nil where an evolution may make another of it.
    private mutating func standing(_ status: EnrollmentStatus, in member: ExperimentSet.Member) -> Standing? {
        let mayTakeBack = member.experiment.isRollout && member.state == .live
        switch status {
        case .enrolled(.qualified, let branch):
            let stays =
                member.state == .paused
                || member.experiment.branch(branch) != nil && passes(member, isAlreadyEnrolled: true)
            return stays ? .enrolled : nil
        case .disqualified(let reason, _): return mayTakeBack && reason.isReversible ? nil : .past
        case .wasEnrolled: return mayTakeBack ? nil : .past
        case .enrolled, .notEnrolled, .error: return nil
        }
    }

    private mutating func staysOut(of member: ExperimentSet.Member) -> Bool {
        for claim in member.claims where isHeld[claim] { return false }
        let experiment = member.experiment
        return experiment.isFirefoxLabsOptIn || experiment.isEnrollmentPaused
            || !passes(member, isAlreadyEnrolled: false)
    }

    /// As `EnrollmentGates.outcome`; why somebody does not pass makes no difference here.
    private mutating func passes(_ member: ExperimentSet.Member, isAlreadyEnrolled: Bool) -> Bool {
        let experiment = member.experiment
        let verdict = context.verdict(on: member)
        if verdict.contains(.isPerClient) {
            let isTargeted = try? gates.isTargeted(by: experiment, isAlreadyEnrolled: isAlreadyEnrolled)
            guard isTargeted == true else { return false }
        } else {
            guard verdict.contains(isAlreadyEnrolled ? .keepsMembers : .admitsStrangers) else { return false }
        }
        let buckets = experiment.bucketConfig
        guard let id = gates.subject.ids.id(buckets.randomizationUnit) else { return false }
        let hash = hashes[member.spread] ?? Bucketing.enrollmentHash(id: id, namespace: buckets.namespace)
        hashes[member.spread] = hash
        return (try? buckets.isSelected(hash48: hash)) == true
    }
}
