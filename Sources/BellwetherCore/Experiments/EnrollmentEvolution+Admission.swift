internal import BellwetherJSON
internal import JEXL

extension EnrollmentEvolution {
    /// The client is not in, and nobody holds the recipe's features: it may come in.
    ///
    /// An experiment never takes anyone back; a rollout does, from a disqualification that can be undone and when it
    /// is relaunched.
    func admit(_ member: ExperimentSet.Member, in book: inout EnrollmentBook) {
        let before = book.status(member)
        switch before {
        case .disqualified(let reason, let branch)?:
            if member.experiment.isRollout, reason.isReversible { readmit(member, branch: branch, in: &book) }
        case .wasEnrolled? where !member.experiment.isRollout: break
        case nil, .notEnrolled?, .error?, .enrolled?, .wasEnrolled?:
            if let reason = refusal(of: member) {
                book.set(member, .notEnrolled(reason))
            } else if let missing = missingBranch(of: member) {
                book.fail(
                    member, .error("There is no branch \"\(missing)\""),
                    telling: EnrollmentChange(
                        .enrollFailed, slug: member.slug, branch: missing, reason: "does-not-exist"),
                    before: before)
            } else if member.experiment.isEnrollmentPaused {
                book.set(member, .notEnrolled(.enrollmentsPaused))
            } else {
                pass(member, in: &book)
            }
        }
    }

    /// Gates that ask what the person wants.
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

    private func pass(_ member: ExperimentSet.Member, in book: inout EnrollmentBook) {
        let experiment = member.experiment
        switch outcome(for: member, isAlreadyEnrolled: false, in: &book) {
        case .stopped(let reason): book.set(member, .notEnrolled(reason))
        case .failed(let text): book.set(member, .error(text))
        case .passed(let id):
            // Here a choice is left in Firefox Labs only.
            if let chosen = participation.chosenBranch(of: member.slug) {
                book.enroll(member, .firefoxLabsOptIn, branch: chosen)
                return
            }
            do {
                book.enroll(member, .qualified, branch: try gates.branch(of: experiment, id: id))
            } catch {
                book.set(member, .error(error.description))
            }
        }
    }

    /// A disqualified client of a rollout: back into its branch where that exists, else as anyone.
    private func readmit(
        _ member: ExperimentSet.Member, branch: String, in book: inout EnrollmentBook
    ) {
        let experiment = member.experiment
        guard !participation.hasOptedOut(of: member.slug), !experiment.isFirefoxLabsOptIn else { return }
        guard participation.rollouts else {
            book.set(member, .disqualified(.rolloutsOptOut, branch: branch))
            return
        }
        guard case .passed(let id) = outcome(for: member, isAlreadyEnrolled: false, in: &book) else {
            return
        }
        if experiment.branch(branch) != nil {
            book.enroll(member, .qualified, branch: branch)
        } else if let chosen = try? gates.branch(of: experiment, id: id) {
            book.enroll(member, .qualified, branch: chosen)
        }
    }

    /// Who stayed out of a recipe because another one holds its feature is told so, before any other reason.
    ///
    /// What can never come back, and what may once the feature is free, keeps its status.
    func settle(
        _ member: ExperimentSet.Member, holder: String?, before: EnrollmentStatus?, in book: inout EnrollmentBook
    ) {
        switch book.status(member) {
        case .enrolled?, .disqualified?: return
        case .wasEnrolled? where !member.experiment.isRollout: return
        case nil, .notEnrolled?, .error?, .wasEnrolled?: break
        }
        guard let holder else { return }
        if participation.hasOptedOut(of: member.slug) {
            book.set(member, .notEnrolled(.optOut))
            return
        }
        book.fail(
            member, .notEnrolled(.featureConflict(slug: holder)),
            telling: EnrollmentChange(.enrollFailed, slug: member.slug, branch: nil, reason: "feature-conflict"),
            before: before)
    }
}
