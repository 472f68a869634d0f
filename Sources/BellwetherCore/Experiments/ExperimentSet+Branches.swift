internal import BellwetherBase
public import BellwetherJSON

extension ExperimentSet {
    /// The client's branches in all live recipes of the set. Paused recipes offer nothing and are left out.
    public func vector(of enrollments: PackedEnrollments) -> BranchVector {
        guard !enrollments.isEmpty, !members.isEmpty else { return .none }
        var vector = BranchVector(count: members.count)
        // Clients are usually enrolled in the order of the recipes, so the search starts after the last one.
        var expected = 0
        enrollments.forEachEnrolled { slug, branch in
            guard let rank = rank(of: slug, in: enrollments, near: expected) else { return }
            expected = rank + 1
            let member = members[rank]
            guard member.state == .live else { return }
            let branches = member.experiment.branches
            for index in branches.indices where enrollments.isSame(branch, as: branches[index].slug) {
                vector[rank] = index + 1
                break
            }
        }
        return vector
    }

    /// The number of positions that are compared before the dictionary is used.
    private static let reach = 8

    func rank(of slug: Identifier, near expected: Int) -> Int? {
        for rank in expected..<max(expected, min(expected + Self.reach, members.count))
        where members[rank].slug == slug {
            return rank
        }
        return rank(of: slug)
    }

    func rank(of slug: PackedName, in enrollments: PackedEnrollments, near expected: Int) -> Int? {
        for rank in expected..<max(expected, min(expected + Self.reach, members.count))
        where enrollments.isSame(slug, as: members[rank].slug) {
            return rank
        }
        return enrollments.text(slug).flatMap { rank(of: $0) }
    }

    /// The branches that a client is in now, in canonical order. They include the recipes in which every client counts
    /// as enrolled. They exclude paused recipes and recipes that are gone.
    public func branches(of enrollments: PackedEnrollments) -> [EnrolledBranch] {
        let vector = vector(of: enrollments)
        let own = members.enumerated().compactMap { rank, member -> (MergeOrder, EnrolledBranch)? in
            guard vector[rank] > 0 else { return nil }
            let branch = member.experiment.branches[vector[rank] - 1].slug
            return (member.experiment.mergeOrder, EnrolledBranch(slug: member.slug, branch: branch))
        }
        let others = universal.map { slug in
            (
                MergeOrder(isRollout: true, published: nil, slug: slug),
                EnrolledBranch(slug: slug, branch: Recipe.rolloutBranch)
            )
        }
        return (own + others).sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The client's branch in one recipe. An enrollment survives a pause, but not the end of the recipe.
    public func branch(of slug: Identifier, in enrollments: PackedEnrollments) -> EnrolledBranch? {
        if universal.contains(slug) {
            return EnrolledBranch(slug: slug, branch: Recipe.rolloutBranch)
        }
        guard let member = member(slug) else { return nil }
        var found: EnrolledBranch?
        enrollments.forEachEnrolled { own, branch in
            guard enrollments.isSame(own, as: slug),
                let known = member.experiment.branches.first(where: { enrollments.isSame(branch, as: $0.slug) })
            else { return }
            found = EnrolledBranch(slug: slug, branch: known.slug)
        }
        return found
    }

    func onlyExperiment(with featureID: Identifier, in enrollments: PackedEnrollments) -> EnrolledBranch? {
        let vector = vector(of: enrollments)
        let holders = members.indices.filter { rank in
            vector[rank] > 0 && !members[rank].experiment.isRollout
                && members[rank].experiment.featureIDs.contains(featureID)
        }
        guard holders.count == 1, let rank = holders.first else { return nil }
        let experiment = members[rank].experiment
        return EnrolledBranch(slug: experiment.slug, branch: experiment.branches[vector[rank] - 1].slug)
    }
}
