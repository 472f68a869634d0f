internal import BellwetherBase
public import BellwetherJSON

/// An app's declared features with the recipes that set them. It is compiled at publish.
///
/// A feature is one flag with an object as its value, and each of its variables is one flag with a value of the
/// declared type (docs/reference/features.md#flags).
public final class FeatureTable: Sendable {
    /// The features, in the order of the manifest.
    public let features: [CompiledFeature]
    /// Whether an evaluation may record an exposure.
    let recordsExposures: Bool
    private let flags: [Identifier: Flag]

    /// One value of a feature that a client can request.
    public struct Flag: Sendable {
        public let feature: CompiledFeature
        /// The index in the feature's list of flags.
        public let index: Int
    }

    init(_ declarations: [FeatureDeclaration], experiments: ExperimentSet) {
        features = declarations.map { CompiledFeature($0, experiments: experiments) }
        recordsExposures = declarations.contains(where: \.recordsExposure)
        var flags: [Identifier: Flag] = [:]
        for feature in features {
            for (index, key) in feature.keys.enumerated() {
                flags[key] = Flag(feature: feature, index: index)
            }
        }
        self.flags = flags
    }

    /// The flag with the key `feature` or `feature.variable`; nil if the manifest does not declare it.
    public func flag(_ key: Identifier) -> Flag? { flags[key] }

    public func feature(_ id: Identifier) -> CompiledFeature? { features.first { $0.id == id } }
}

/// One declared feature, and the values that the branches of recipes set for it.
public final class CompiledFeature: Sendable {
    public let declaration: FeatureDeclaration
    /// The feature's own flag first, then one for each variable.
    public let keys: [Identifier]
    /// The live recipes that set the feature, in canonical order.
    let holders: [Holder]
    /// The paused recipes that set it.
    let paused: [Holder]

    public var id: Identifier { declaration.id }

    /// A recipe that sets the feature.
    struct Holder: Sendable {
        let member: ExperimentSet.Member
        /// The values by branch, in the recipe's order. A branch that does not set the feature has an empty value.
        let values: [JSONObject]

        /// Whether a branch sets a variable. For the feature as a whole it is always true.
        func decides(_ variable: Identifier?) -> Bool {
            guard let variable else { return true }
            return values.contains { $0[variable] != nil }
        }
    }

    init(_ declaration: FeatureDeclaration, experiments: ExperimentSet) {
        self.declaration = declaration
        keys = [declaration.id] + declaration.variables.map { "\(declaration.id).\($0.name)" }
        let all = experiments.members.filter { member in
            member.experiment.featureIDs.contains(declaration.id)
        }.map { member in
            Holder(
                member: member,
                values: member.experiment.branches.map { declaration.reading($0.value(of: declaration.id) ?? [:]) })
        }
        holders = all.filter { $0.member.state == .live }
        paused = all.filter { $0.member.state == .paused }
    }

    /// Returns the feature's variation for a client's branches. Clients of equal variations have equal values.
    public func variation(of branches: BranchVector) -> FeatureVariation {
        FeatureVariation(branches: holders.map { UInt16(branches[$0.member.rank]) })
    }

    /// The client's branch in an experiment with the feature, if there is exactly one. It is nil if there are several,
    /// because no single one of them determined the feature, and nil for a rollout
    /// (docs/reference/experiments.md#exposure).
    func exposure(in variation: FeatureVariation) -> EnrolledBranch? {
        let enrolled = zip(holders, variation.branches).filter { $1 > 0 && !$0.member.experiment.isRollout }
        guard enrolled.count == 1, let (holder, number) = enrolled.first else { return nil }
        let experiment = holder.member.experiment
        return EnrolledBranch(slug: experiment.slug, branch: experiment.branches[Int(number) - 1].slug)
    }
}

/// A client's branches in the recipes that set one feature, by recipe: 0 for no branch, else the branch's number,
/// counted from 1.
public struct FeatureVariation: Sendable, Hashable {
    let branches: [UInt16]
}
