/// The branches that one client is in.
public struct ClientBranches: Sendable {
    /// For a client without recipes.
    public static let none = ClientBranches(ExperimentSet(live: [Experiment]()), .none)

    private let experiments: ExperimentSet
    private let enrollments: PackedEnrollments

    public init(_ experiments: ExperimentSet, _ enrollments: PackedEnrollments) {
        self.experiments = experiments
        self.enrollments = enrollments
    }

    /// In canonical order.
    public var all: [EnrolledBranch] { experiments.branches(of: enrollments) }

    /// Former branches: the client was disqualified, or the recipe has ended. In stored order.
    public var past: [EnrolledBranch] { enrollments.past }

    public func branch(of slug: String) -> EnrolledBranch? { experiments.branch(of: slug, in: enrollments) }

    /// The one experiment with a feature in which the client is; nil where there are several, for then none of them
    /// alone made the feature what it is, and for a rollout, which has no exposures
    /// (docs/reference/experiments.md#exposure).
    public func onlyExperiment(with featureID: String) -> EnrolledBranch? {
        experiments.onlyExperiment(with: featureID, in: enrollments)
    }

    /// Returns the variants of an app's catalog for these branches.
    public func variants(of catalog: Catalog) -> ClientVariants {
        catalog.variants(for: catalog.isVaried ? experiments.vector(of: enrollments) : .none)
    }
}
