internal import BellwetherJSON

extension ExperimentSet {
    /// The branches that a client is in now, in canonical order; not those of paused recipes, nor of recipes that are
    /// gone.
    public func enrolledBranches(_ enrollments: [Enrollment]) -> [EnrolledBranch] {
        enrolled(enrollments).map { EnrolledBranch(slug: $0.member.slug, branch: $0.branch.slug) }
    }

    /// What these branches contribute to an app's messages, in canonical order: rollouts, then experiments over them.
    ///
    /// A recipe that has `messaging` in another branch only contributes an empty value, as the SDK has it: so that its
    /// clients count as enrolled where a message names it.
    public func layers(_ enrollments: [Enrollment]) -> [CatalogLayer] {
        enrolled(enrollments).compactMap { member, branch in
            guard member.touchesMessaging else { return nil }
            return CatalogLayer(
                enrollment: EnrolledBranch(slug: member.slug, branch: branch.slug),
                revision: member.experiment.revision, value: branch.value(of: Experiment.messagingFeature) ?? [:])
        }
    }

    private func enrolled(_ enrollments: [Enrollment]) -> [(member: Member, branch: Experiment.Branch)] {
        let branches = Dictionary(
            enrollments.compactMap(\.enrolledBranch).map { (ByteKey(text: $0.slug), $0.branch) },
            uniquingKeysWith: { first, _ in first })
        return members.compactMap { member in
            guard member.state == .live, let slug = branches[ByteKey(text: member.slug)],
                let branch = member.experiment.branch(slug)
            else { return nil }
            return (member, branch)
        }
    }
}
