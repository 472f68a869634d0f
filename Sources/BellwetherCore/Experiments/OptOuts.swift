/// Leaves the recipes that a client does not want, which takes neither its context nor the others: the rest of an
/// evolution follows at its next poll.
struct OptOuts {
    let recipes: ExperimentSet
    let participation: Participation

    func apply(to previous: [Enrollment]) -> EvolvedEnrollments {
        var book = EnrollmentLedger(previous, of: recipes)
        for enrollment in previous {
            guard case .enrolled(let reason, let branch) = enrollment.status,
                let member = recipes.member(enrollment.slug),
                let optOut = participation.optOut(of: member, reason)
            else { continue }
            book.disqualify(member, optOut, branch: branch)
        }
        return EvolvedEnrollments(enrollments: book.enrollments, changes: book.changes)
    }
}

extension Participation {
    /// Why a client that is in a recipe leaves it by its own wish; nil: it stays.
    func optOut(of member: ExperimentSet.Member, _ reason: EnrolledReason) -> DisqualifiedReason? {
        if hasOptedOut(of: member.slug) { return reason == .firefoxLabsOptIn ? .firefoxLabsOptOut : .optOut }
        let isRollout = member.experiment.isRollout
        guard !includes(rollouts: isRollout) else { return nil }
        return isRollout ? .rolloutsOptOut : .experimentsOptOut
    }
}
