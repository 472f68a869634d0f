internal import BellwetherJSON

/// What a live recipe contributes to an app's messages, branch by branch.
struct CatalogRecipe: Sendable {
    let slug: String
    let revision: Int
    let isRollout: Bool
    /// Its place in a `BranchVector`; nil for a recipe in whose one branch every client counts as enrolled.
    let place: Int?
    let branches: [Branch]

    struct Branch: Sendable {
        let enrollment: EnrolledBranch
        /// Aliases normalised, `{experiment}` replaced (see `MessagingReading`). Empty where the branch leaves messages
        /// alone.
        let value: JSONObject
    }

    /// Of live recipes in canonical order; their experiments are members of the set.
    static func all(_ recipes: [Recipe], in experiments: ExperimentSet) -> [CatalogRecipe] {
        recipes.compactMap { recipe in
            switch recipe.kind {
            case .messaging(let value):
                let enrollment = EnrolledBranch(slug: recipe.slug, branch: Recipe.rolloutBranch)
                return CatalogRecipe(
                    slug: recipe.slug, revision: recipe.revision, isRollout: true, place: nil,
                    branches: [Branch(enrollment: enrollment, value: value)])
            case .experiment(let experiment):
                guard let place = experiments.place(of: recipe.slug) else { return nil }
                return CatalogRecipe(
                    slug: recipe.slug, revision: recipe.revision, isRollout: experiment.isRollout, place: place,
                    branches: experiment.branches.map { branch in
                        Branch(
                            enrollment: EnrolledBranch(slug: recipe.slug, branch: branch.slug),
                            value: branch.value(of: Experiment.messagingFeature) ?? [:])
                    })
            }
        }
    }
}
