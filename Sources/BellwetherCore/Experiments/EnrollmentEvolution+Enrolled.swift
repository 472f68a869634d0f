internal import BellwetherJSON
internal import JEXL

extension EnrollmentEvolution {
    /// The client is in: it stays unless it wants out or does not qualify any more. Pausing does not touch it.
    func update(
        _ member: ExperimentSet.Member, _ reason: EnrolledReason, branch: String, in book: inout EnrollmentBook
    ) {
        if let optOut = participation.optOut(of: member, reason) {
            book.disqualify(member, optOut, branch: branch)
            return
        }
        guard member.state == .live else { return }
        if let chosen = chosenBranch(of: member) {
            let isSettled = reason == .optIn && chosen.hasSameBytes(as: branch)
            if !isSettled { book.enroll(member, .optIn, branch: chosen) }
            return
        }
        guard member.experiment.branch(branch) != nil else {
            book.disqualify(member, .error, branch: branch)
            return
        }
        guard reason != .optIn else { return }
        switch outcome(for: member, isAlreadyEnrolled: true, in: &book) {
        case .passed: break
        case .failed: book.disqualify(member, .error, branch: branch)
        case .stopped(.notSelected): book.disqualify(member, .notSelected, branch: branch)
        case .stopped: book.disqualify(member, .notTargeted, branch: branch)
        }
    }

    /// A branch that a person chose and that exists. In Firefox Labs a choice opens the gates but does not replace
    /// them.
    func chosenBranch(of member: ExperimentSet.Member) -> String? {
        guard !member.experiment.isFirefoxLabsOptIn, let branch = participation.chosenBranch(of: member.slug),
            member.experiment.branch(branch) != nil
        else { return nil }
        return branch
    }

    /// Puts a client who chose a branch into it, whatever the gates say; an opt-out overrules that.
    func optIn(_ member: ExperimentSet.Member, in book: inout EnrollmentBook) {
        guard let branch = chosenBranch(of: member), participation.optOut(of: member, .optIn) == nil else { return }
        book.enroll(member, .optIn, branch: branch)
    }
}
