public import BellwetherJSON

/// The branches that one client is in.
public struct ClientBranches: Sendable {
    /// The branches of a client without recipes.
    public static let none = ClientBranches(ExperimentSet(live: [Experiment]()), .none)

    private let experiments: ExperimentSet
    private let enrollments: PackedEnrollments

    public init(_ experiments: ExperimentSet, _ enrollments: PackedEnrollments) {
        self.experiments = experiments
        self.enrollments = enrollments
    }

    /// The client's branches, in canonical order.
    public var all: [EnrolledBranch] { experiments.branches(of: enrollments) }

    /// The client's former branches, in stored order: it was disqualified, or the recipe has ended.
    public var past: [EnrolledBranch] { enrollments.past }

    public func branch(of slug: Identifier) -> EnrolledBranch? { experiments.branch(of: slug, in: enrollments) }

    /// The client's branch in an experiment with a feature, if there is exactly one. It is nil if there are several,
    /// because no single one of them determined the feature. It is nil for a rollout, which has no exposures
    /// (docs/reference/experiments.md#exposure).
    public func onlyExperiment(with featureID: Identifier) -> EnrolledBranch? {
        experiments.onlyExperiment(with: featureID, in: enrollments)
    }

    /// Returns the variants of an app's catalog for these branches.
    public func variants(of catalog: Catalog) -> ClientVariants {
        catalog.variants(for: catalog.isVaried ? experiments.vector(of: enrollments) : .none)
    }
}

/// The branch of a client in each experiment of a set, in the set's order. It decides which variants the client sees.
public struct BranchVector: Sendable, Hashable {
    /// The branch numbers by the experiment's rank in its set: 0 if the client is in no branch, else the branch's
    /// number in the recipe, counted from 1.
    private var numbers: [UInt16]

    /// The vector of a client that is in no branch.
    public static let none = BranchVector(count: 0)

    init(count: Int) { numbers = Array(repeating: 0, count: count) }

    /// The number at a rank; 0 beyond the end of the vector.
    subscript(rank: Int) -> Int {
        get { rank < numbers.count ? Int(numbers[rank]) : 0 }
        set { numbers[rank] = UInt16(newValue) }
    }
}
