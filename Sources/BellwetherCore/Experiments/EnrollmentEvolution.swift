internal import BellwetherBase
internal import BellwetherJSON
public import JEXL

/// Evolves a client's enrollments after a change of recipes, context or participation, or after time has passed
/// (docs/reference/experiments.md#evolution). Evolving again with the same input changes and records nothing.
///
/// A branch is chosen once: a client leaves it only by an opt-out, because it no longer qualifies, or because the
/// branch is gone. A recipe's result depends on another one's where both want the same feature, and where targeting
/// asks for the client's enrollments: it sees the results of the recipes before it.
public struct EnrollmentEvolution<Environment: EvolvingEnvironment> {
    /// How long a client's branch in a recipe that is gone is remembered: 365 days, as in the SDK.
    static var memorySeconds: Int64 { 365 * Timestamp.secondsPerDay }

    private let recipes: ExperimentSet
    private let facts: EvolvingFacts<Environment>
    private let clock: DecisionClock
    private let memo: ContextMemo?

    private var participation: Participation { facts.subject.participation }

    /// The environment is what targeting sees; `is_already_enrolled` in it is overruled, recipe by recipe. `memo` is of
    /// the recipes' catalog and the environment's context.
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

    /// The judgement of the gates for the client and one recipe, with the enrollments as they are by now.
    private func judgement(
        of member: ExperimentSet.Member, isAlreadyEnrolled: Bool, in ledger: EnrollmentLedger
    ) -> EnrollmentJudgement {
        let candidate = EnrollmentCandidate(member, isAlreadyEnrolled: isAlreadyEnrolled)
        let ofContext = contextJudgement(of: member, candidate, in: ledger)
        return ofContext == .holds ? EnrollmentGate.bucket.judge(candidate, facts) : ofContext
    }

    /// The gates before the buckets: where attributes alone decide, the memo answers.
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

    /// Targeting that reads enrollments sees what became of the recipes before this one.
    private func factsNow(for member: ExperimentSet.Member, in ledger: EnrollmentLedger) -> EvolvingFacts<Environment> {
        guard member.experiment.targeting?.readsEnrollments == true else { return facts }
        let enrollments = PackedEnrollments(ClientEnrollments(enrollments: ledger.enrollments))
        return facts.with(ClientBranches(recipes, enrollments))
    }

    /// The recipe is gone. The branches of its clients are kept for a year.
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

    /// All recipes of one kind: first those the client is in, in stored order, then chosen branches, then the rest by
    /// publication. Features are held within a kind.
    private func evolve(_ members: [ExperimentSet.Member], in ledger: inout EnrollmentLedger) {
        guard let isRollout = members.first?.experiment.isRollout else { return }
        let waiting = members.filter { $0.state == .live && !ledger.isEnrolled($0) }
        for rank in ledger.enrolledRanks where recipes.members[rank].experiment.isRollout == isRollout {
            let member = recipes.members[rank]
            guard case .enrolled(let reason, let branch)? = ledger.status(member) else { continue }
            update(member, reason, branch: branch, in: &ledger)
        }
        // Only who wants a feature that another one may hold can meet a conflict.
        let contesting = waiting.filter { !$0.exclusiveFeatures.isEmpty }
        let before = contesting.map { ledger.status($0) }
        for member in waiting { optIn(member, in: &ledger) }
        var holders = FeatureHolders(features: recipes.featureCount)
        for member in members where ledger.isEnrolled(member) { holders.add(member) }
        for member in waiting where !ledger.isEnrolled(member) && holders.holder(of: member) == nil {
            admit(member, in: &ledger)
            if ledger.isEnrolled(member) { holders.add(member) }
        }
        // Conflicts are decided only now, when the holder of each feature is known. Earlier, the result could differ
        // from the next evolution's.
        for (member, before) in zip(contesting, before) {
            noteConflict(member, holder: holders.holder(of: member), before: before, in: &ledger)
        }
    }
}

extension EnrollmentEvolution {
    /// The client is enrolled: it stays unless it opted out or no longer qualifies. Pausing does not affect it.
    private func update(
        _ member: ExperimentSet.Member, _ reason: EnrolledReason, branch: String, in ledger: inout EnrollmentLedger
    ) {
        if let optOut = participation.optOut(of: member, reason) {
            ledger.disqualify(member, optOut, branch: branch)
            return
        }
        guard member.state == .live else { return }
        if let chosen = chosenBranch(of: member) {
            let isChosen = reason == .optIn && chosen.hasSameBytes(as: branch)
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

    /// A branch that a person chose and that exists. In Firefox Labs a choice opens the gates but does not replace
    /// them.
    private func chosenBranch(of member: ExperimentSet.Member) -> String? {
        guard !member.experiment.isFirefoxLabsOptIn, let branch = participation.chosenBranch(of: member.slug),
            member.experiment.branch(branch) != nil
        else { return nil }
        return branch
    }

    /// Puts a client who chose a branch into it, whatever the gates say; an opt-out overrules that.
    private func optIn(_ member: ExperimentSet.Member, in ledger: inout EnrollmentLedger) {
        guard let branch = chosenBranch(of: member), participation.optOut(of: member, .optIn) == nil else { return }
        ledger.enroll(member, .optIn, branch: branch)
    }
}

extension EnrollmentEvolution {
    /// The client is not enrolled, and no other recipe holds the features: it may be enrolled.
    ///
    /// An experiment never enrolls a former client again. A rollout does, after a reversible disqualification and after
    /// a relaunch.
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

    /// The gates of participation.
    private func refusal(of member: ExperimentSet.Member) -> NotEnrolledReason? {
        if participation.hasOptedOut(of: member.slug) { return .optOut }
        if member.experiment.isFirefoxLabsOptIn, participation.chosenBranch(of: member.slug) == nil {
            return .firefoxLabs
        }
        let isRollout = member.experiment.isRollout
        guard !participation.includes(rollouts: isRollout) else { return nil }
        return isRollout ? .rolloutsOptOut : .experimentsOptOut
    }

    /// A branch that was chosen and does not exist.
    private func missingBranch(of member: ExperimentSet.Member) -> String? {
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

    /// A disqualified client of a rollout returns to its branch if that exists; otherwise a branch is chosen as for a
    /// new client.
    private func readmit(
        _ member: ExperimentSet.Member, branch: String, in ledger: inout EnrollmentLedger
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

    /// A feature conflict is reported before any other reason.
    ///
    /// A status that is final, or that may change once the feature is free, is kept.
    private func noteConflict(
        _ member: ExperimentSet.Member, holder: String?, before: EnrollmentStatus?, in ledger: inout EnrollmentLedger
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
    /// In stored order.
    public let enrollments: [Enrollment]
    /// In the order in which they happened.
    public let changes: [EnrollmentChange]

    /// The part that is stored. A status that follows from recipe and context alone can be computed again, and no rule
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
        // Recorded once, so it must be stored.
        case .notEnrolled(.featureConflict): true
        case .error: participation.chosenBranch(of: slug) != nil
        case .notEnrolled: false
        }
    }
}

/// Which recipe holds a feature, among those of one kind.
struct FeatureHolders {
    /// By the feature's number.
    private var holders: [ExperimentSet.Member?]

    init(features count: Int) { holders = Array(repeating: nil, count: count) }

    /// A feature keeps its first holder.
    mutating func add(_ member: ExperimentSet.Member) {
        for feature in member.exclusiveFeatures where holders[feature] == nil { holders[feature] = member }
    }

    /// Another recipe that holds one of the member's features.
    func holder(of member: ExperimentSet.Member) -> String? {
        for feature in member.exclusiveFeatures {
            if let holder = holders[feature], holder !== member { return holder.slug }
        }
        return nil
    }
}

/// The environment of targeting while enrollments evolve. Each recipe sees the results of the recipes before it.
public protocol EvolvingEnvironment: JEXLEnvironment {
    /// The same for a client that is in these branches by now.
    func with(_ branches: ClientBranches) -> Self
}
