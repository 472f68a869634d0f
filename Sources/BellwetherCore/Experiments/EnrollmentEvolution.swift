internal import BellwetherBase
internal import BellwetherJSON
public import JEXL

/// Evolves a client's enrollments after a change of recipes, context or participation, or after time has passed
/// (docs/reference/experiments.md#evolution). Evolving again with the same input changes and records nothing.
///
/// A branch is chosen once. A client leaves it only if it opts out, if it no longer qualifies, or if the branch no
/// longer exists. The result of one recipe depends on others in two cases: if both want the same feature, or if
/// targeting reads the client's enrollments. Such targeting sees the results of the recipes before it.
public struct EnrollmentEvolution<Environment: EvolvingEnvironment> {
    /// The time for which a client's branch in a recipe that is gone is stored: 365 days, as in the SDK.
    static var memorySeconds: Int64 { 365 * Timestamp.secondsPerDay }

    private let recipes: ExperimentSet
    private let facts: EvolvingFacts<Environment>
    private let clock: DecisionClock
    private let memo: ContextMemo?

    private var participation: Participation { facts.subject.participation }

    /// `environment` contains the values that targeting reads; its `is_already_enrolled` is replaced for each recipe.
    /// `memo` must belong to the recipes' catalog and the environment's context.
    public init(
        recipes: ExperimentSet, subject: EnrollmentSubject, environment: Environment, clock: DecisionClock,
        memo: ContextMemo? = nil
    ) {
        self.recipes = recipes
        facts = EvolvingFacts(subject: subject, environment: environment, namespaces: recipes.namespaceCount)
        self.clock = clock
        self.memo = memo
    }

    public func evolve(_ previous: [Enrollment]) -> EvolvedEnrollments {
        var ledger = EnrollmentLedger(previous, of: recipes)
        for position in ledger.orphans { end(position, in: &ledger) }
        evolve(recipes.rollouts, in: &ledger)
        evolve(recipes.experiments, in: &ledger)
        return EvolvedEnrollments(enrollments: ledger.enrollments, changes: ledger.changes)
    }

    /// The judgement of the gates for the client and one recipe, with the enrollments evolved so far.
    private func judgement(
        of member: ExperimentSet.Member, isAlreadyEnrolled: Bool, in ledger: EnrollmentLedger
    ) -> EnrollmentJudgement {
        let candidate = EnrollmentCandidate(member, isAlreadyEnrolled: isAlreadyEnrolled)
        let ofContext = contextJudgement(of: member, candidate, in: ledger)
        return ofContext == .holds ? EnrollmentGate.bucket.judge(candidate, facts) : ofContext
    }

    /// The judgement of the gates before the buckets. If attributes alone decide, the memo caches it.
    private func contextJudgement(
        of member: ExperimentSet.Member, _ candidate: EnrollmentCandidate, in ledger: EnrollmentLedger
    ) -> EnrollmentJudgement {
        if let known = memo?.judgement(of: member.rank, isAlreadyEnrolled: candidate.isAlreadyEnrolled) {
            return known
        }
        let judgement = factsNow(for: member, in: ledger).judgement(of: candidate, by: EnrollmentGate.ofContext)
        if member.targetingBasis != .client {
            memo?.note(judgement, of: member.rank, isAlreadyEnrolled: candidate.isAlreadyEnrolled)
        }
        return judgement
    }

    /// The facts for a recipe. Targeting that reads enrollments sees the results of the recipes before this one.
    private func factsNow(for member: ExperimentSet.Member, in ledger: EnrollmentLedger) -> EvolvingFacts<Environment> {
        guard member.experiment.targeting?.readsEnrollments == true else { return facts }
        let enrollments = PackedEnrollments(ClientEnrollments(enrollments: ledger.enrollments))
        return facts.with(ClientBranches(recipes, enrollments))
    }

    /// Ends an enrollment whose recipe is gone. The client's branch is stored for a year.
    private func end(_ position: Int, in ledger: inout EnrollmentLedger) {
        switch ledger.orphan(position)?.status {
        case .enrolled(_, let branch)?, .disqualified(_, let branch)?:
            ledger.end(orphan: position, branch: branch, at: clock.time())
        case .wasEnrolled(_, let endedAt)?:
            if clock.hasReached(endedAt.adding(seconds: Self.memorySeconds)) { ledger.remove(orphan: position) }
        case .notEnrolled?, .error?: ledger.remove(orphan: position)
        case nil: break
        }
    }

    /// Evolves all recipes of one kind. First come recipes that the client is in, in stored order, then chosen
    /// branches, then the rest by publication. Features are held within a kind.
    private func evolve(_ members: [ExperimentSet.Member], in ledger: inout EnrollmentLedger) {
        guard let isRollout = members.first?.experiment.isRollout else { return }
        let waiting = members.filter { $0.state == .live && !ledger.isEnrolled($0) }
        for rank in ledger.enrolledRanks where recipes.members[rank].experiment.isRollout == isRollout {
            let member = recipes.members[rank]
            guard case .enrolled(let reason, let branch)? = ledger.status(member) else { continue }
            update(member, reason, branch: branch, in: &ledger)
        }
        // Only a recipe with a feature that another one may hold can have a conflict.
        let contesting = waiting.filter { !$0.exclusiveFeatures.isEmpty }
        let before = contesting.map { ledger.status($0) }
        for member in waiting { optIn(member, in: &ledger) }
        var holders = FeatureHolders(features: recipes.featureCount)
        for member in members where ledger.isEnrolled(member) { holders.add(member) }
        for member in waiting where !ledger.isEnrolled(member) && holders.holder(of: member) == nil {
            admit(member, in: &ledger)
            if ledger.isEnrolled(member) { holders.add(member) }
        }
        // Conflicts are decided last, when the holder of each feature is known. Otherwise the next evolution could give
        // another result.
        for (member, before) in zip(contesting, before) {
            noteConflict(member, holder: holders.holder(of: member), before: before, in: &ledger)
        }
    }
}

extension EnrollmentEvolution {
    /// Updates a client that is enrolled. It stays unless it opted out or no longer qualifies. Pausing does not affect
    /// it.
    private func update(
        _ member: ExperimentSet.Member, _ reason: EnrolledReason, branch: Identifier, in ledger: inout EnrollmentLedger
    ) {
        if let optOut = participation.optOut(of: member, reason) {
            ledger.disqualify(member, optOut, branch: branch)
            return
        }
        guard member.state == .live else { return }
        if let chosen = chosenBranch(of: member) {
            let isChosen = reason == .optIn && chosen == branch
            if !isChosen { ledger.enroll(member, .optIn, branch: chosen) }
            return
        }
        guard member.experiment.branch(branch) != nil else {
            ledger.disqualify(member, .error, branch: branch)
            return
        }
        guard reason != .optIn else { return }
        switch judgement(of: member, isAlreadyEnrolled: true, in: ledger) {
        case .holds, .unknown: break
        case .error: ledger.disqualify(member, .error, branch: branch)
        case .stops(.notSelected): ledger.disqualify(member, .notSelected, branch: branch)
        case .stops: ledger.disqualify(member, .notTargeted, branch: branch)
        }
    }

    /// The branch that a person chose, if it exists. A Firefox Labs recipe has none here: there a choice permits
    /// enrollment, but the other gates still apply.
    private func chosenBranch(of member: ExperimentSet.Member) -> Identifier? {
        guard !member.experiment.isFirefoxLabsOptIn, let branch = participation.chosenBranch(of: member.slug),
            member.experiment.branch(branch) != nil
        else { return nil }
        return branch
    }

    /// Enrolls a client in the branch that it chose, without the gates. An opt-out takes precedence.
    private func optIn(_ member: ExperimentSet.Member, in ledger: inout EnrollmentLedger) {
        guard let branch = chosenBranch(of: member), participation.optOut(of: member, .optIn) == nil else { return }
        ledger.enroll(member, .optIn, branch: branch)
    }
}

extension EnrollmentEvolution {
    /// Enrolls a client that is not enrolled, if the gates hold. No other recipe holds the features.
    ///
    /// An experiment never enrolls a former client again. A rollout does so after a reversible disqualification and
    /// after a relaunch.
    private func admit(_ member: ExperimentSet.Member, in ledger: inout EnrollmentLedger) {
        let before = ledger.status(member)
        switch before {
        case .disqualified(let reason, let branch)?:
            if member.experiment.isRollout, reason.isReversible { readmit(member, branch: branch, in: &ledger) }
        case .wasEnrolled? where !member.experiment.isRollout: break
        case nil, .notEnrolled?, .error?, .enrolled?, .wasEnrolled?:
            if let reason = refusal(of: member) {
                ledger.set(member, .notEnrolled(reason))
            } else if let missing = missingBranch(of: member) {
                ledger.fail(
                    member, .error("There is no branch \"\(missing)\""),
                    telling: EnrollmentChange(
                        .enrollFailed, slug: member.slug, branch: missing, reason: "does-not-exist"),
                    before: before)
            } else if member.experiment.isEnrollmentPaused {
                ledger.set(member, .notEnrolled(.enrollmentsPaused))
            } else {
                pass(member, in: &ledger)
            }
        }
    }

    /// The reason for which participation refuses a recipe; nil if it permits the recipe.
    private func refusal(of member: ExperimentSet.Member) -> NotEnrolledReason? {
        if participation.hasOptedOut(of: member.slug) { return .optOut }
        if member.experiment.isFirefoxLabsOptIn, participation.chosenBranch(of: member.slug) == nil {
            return .firefoxLabs
        }
        let isRollout = member.experiment.isRollout
        guard !participation.includes(rollouts: isRollout) else { return nil }
        return isRollout ? .rolloutsOptOut : .experimentsOptOut
    }

    /// The branch that a person chose, if it does not exist.
    private func missingBranch(of member: ExperimentSet.Member) -> Identifier? {
        guard let branch = participation.chosenBranch(of: member.slug), member.experiment.branch(branch) == nil else {
            return nil
        }
        return branch
    }

    private func pass(_ member: ExperimentSet.Member, in ledger: inout EnrollmentLedger) {
        let experiment = member.experiment
        switch judgement(of: member, isAlreadyEnrolled: false, in: ledger) {
        case .stops(let reason): ledger.set(member, .notEnrolled(reason))
        case .error(let text): ledger.set(member, .error(text))
        case .unknown: break
        case .holds:
            // Only Firefox Labs recipes have a chosen branch here.
            if let chosen = participation.chosenBranch(of: member.slug) {
                ledger.enroll(member, .firefoxLabsOptIn, branch: chosen)
                return
            }
            do {
                ledger.enroll(member, .qualified, branch: try facts.branch(of: experiment))
            } catch {
                ledger.set(member, .error(error.description))
            }
        }
    }

    /// Returns a disqualified client of a rollout to its branch if that exists. Otherwise a branch is chosen as for a
    /// new client.
    private func readmit(
        _ member: ExperimentSet.Member, branch: Identifier, in ledger: inout EnrollmentLedger
    ) {
        let experiment = member.experiment
        guard !participation.hasOptedOut(of: member.slug), !experiment.isFirefoxLabsOptIn else { return }
        guard participation.rollouts else {
            ledger.set(member, .disqualified(.rolloutsOptOut, branch: branch))
            return
        }
        guard judgement(of: member, isAlreadyEnrolled: false, in: ledger) == .holds else { return }
        if experiment.branch(branch) != nil {
            ledger.enroll(member, .qualified, branch: branch)
        } else if let chosen = try? facts.branch(of: experiment) {
            ledger.enroll(member, .qualified, branch: chosen)
        }
    }

    /// Records a feature conflict, which takes precedence over any other reason.
    ///
    /// A status that is final, or that may change once the feature is free, is kept.
    private func noteConflict(
        _ member: ExperimentSet.Member, holder: Identifier?, before: EnrollmentStatus?,
        in ledger: inout EnrollmentLedger
    ) {
        guard let holder else { return }
        switch ledger.status(member) {
        case .enrolled?, .disqualified?: return
        case .wasEnrolled? where !member.experiment.isRollout: return
        case nil, .notEnrolled?, .error?, .wasEnrolled?: break
        }
        if participation.hasOptedOut(of: member.slug) {
            ledger.set(member, .notEnrolled(.optOut))
            return
        }
        ledger.fail(
            member, .notEnrolled(.featureConflict(slug: holder)),
            telling: EnrollmentChange(.enrollFailed, slug: member.slug, branch: nil, reason: "feature-conflict"),
            before: before)
    }
}

/// The result of an evolution.
public struct EvolvedEnrollments: Sendable, Hashable {
    /// The client's enrollments, in stored order.
    public let enrollments: [Enrollment]
    /// The changes, in the order in which they happened.
    public let changes: [EnrollmentChange]

    /// The part that is stored. A status that follows from recipe and context alone is computed again, and no rule
    /// needs the old one.
    public func memorable(under participation: Participation) -> EvolvedEnrollments {
        EvolvedEnrollments(
            enrollments: enrollments.filter { $0.isMemorable(under: participation) }, changes: changes)
    }
}

extension Enrollment {
    fileprivate func isMemorable(under participation: Participation) -> Bool {
        switch status {
        case .enrolled, .disqualified, .wasEnrolled: true
        // It is recorded once, so it must be stored.
        case .notEnrolled(.featureConflict): true
        case .error: participation.chosenBranch(of: slug) != nil
        case .notEnrolled: false
        }
    }
}

/// The recipe that holds each feature, among recipes of one kind.
struct FeatureHolders {
    /// The holders, by the feature's number.
    private var holders: [ExperimentSet.Member?]

    init(features count: Int) { holders = Array(repeating: nil, count: count) }

    /// Records the member as the holder of its features. A feature keeps its first holder.
    mutating func add(_ member: ExperimentSet.Member) {
        for feature in member.exclusiveFeatures where holders[feature] == nil { holders[feature] = member }
    }

    /// The slug of another recipe that holds one of the member's features.
    func holder(of member: ExperimentSet.Member) -> Identifier? {
        for feature in member.exclusiveFeatures {
            if let holder = holders[feature], holder !== member { return holder.slug }
        }
        return nil
    }
}

/// The environment of targeting while enrollments evolve. Each recipe sees the results of the recipes before it.
public protocol EvolvingEnvironment: JEXLEnvironment {
    /// The same environment for a client that is now in these branches.
    func with(_ branches: ClientBranches) -> Self
}
