/// Applies a client's opt-outs, which need neither the client's context nor other recipes. The rest of an evolution
/// happens at the client's next poll.
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
    /// The reason for which an opt-out removes a client from a recipe; nil if the client stays.
    func optOut(of member: ExperimentSet.Member, _ reason: EnrolledReason) -> DisqualifiedReason? {
        if hasOptedOut(of: member.slug) { return reason == .firefoxLabsOptIn ? .firefoxLabsOptOut : .optOut }
        let isRollout = member.experiment.isRollout
        guard !includes(rollouts: isRollout) else { return nil }
        return isRollout ? .rolloutsOptOut : .experimentsOptOut
    }
}
