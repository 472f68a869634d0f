internal import BellwetherJSON

/// The messages that a live recipe contributes to an app, branch by branch.
struct CatalogRecipe: Sendable {
    let slug: Identifier
    let revision: Int
    let isRollout: Bool
    /// The rank in a `BranchVector`; nil for a recipe with one branch in which every client counts as enrolled.
    let rank: Int?
    let branches: [Branch]

    struct Branch: Sendable {
        let enrollment: EnrolledBranch
        /// The messaging value, with aliases normalised and `{experiment}` replaced (see `MessagingReading`). It is
        /// empty if the branch sets no messages.
        let value: JSONObject
    }

    /// Returns the live recipes in canonical order; their experiments are members of the set.
    static func all(_ recipes: [Recipe], in experiments: ExperimentSet) -> [CatalogRecipe] {
        recipes.compactMap { recipe in
            switch recipe.kind {
            case .messaging(let value):
                let enrollment = EnrolledBranch(slug: recipe.slug, branch: Recipe.rolloutBranch)
                return CatalogRecipe(
                    slug: recipe.slug, revision: recipe.revision, isRollout: true, rank: nil,
                    branches: [Branch(enrollment: enrollment, value: value)])
            case .segment: return nil
            case .experiment(let experiment):
                guard let rank = experiments.rank(of: recipe.slug) else { return nil }
                return CatalogRecipe(
                    slug: recipe.slug, revision: recipe.revision, isRollout: experiment.isRollout, rank: rank,
                    branches: experiment.branches.map { branch in
                        Branch(
                            enrollment: EnrolledBranch(slug: recipe.slug, branch: branch.slug),
                            value: branch.value(of: Experiment.messagingFeature) ?? [:])
                    })
            }
        }
    }
}
