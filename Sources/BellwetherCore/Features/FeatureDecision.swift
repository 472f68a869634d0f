public import BellwetherBase
public import BellwetherJSON

/// The result of evaluating features for a client: its branches, the effects to record, and the time until which both
/// hold.
public struct FeatureDecision: Sendable {
    public let branches: BranchVector
    public let effects: DecisionEffects
    /// Exclusive: before this time the same query of the same state has the same result.
    public let validUntil: Timestamp
    /// See `Decision.enrollmentsUntil`.
    public let enrollmentsUntil: Timestamp
}

extension CompiledApp {
    /// Decides which variation of its features a client has. The enrollments are evolved as in a poll, so that features
    /// and messages use the same branches. The function is pure, as `decide` is.
    ///
    /// `evaluated` contains the features that the client requests; each may record an exposure. The query's surfaces
    /// are ignored. `settledUntil` has the same meaning as in `decide`.
    public func evaluate(
        _ evaluated: [CompiledFeature], for query: PollQuery, state: ClientState, settledUntil: Timestamp? = nil
    ) -> FeatureDecision {
        let clock = DecisionClock(at: query.now)
        var effects = DecisionEffects()
        effects.enrollments = evolved(query, state: state, memo: nil, clock: clock, settledUntil: settledUntil)
        let enrollmentsUntil = clock.settledUntil
        let packed = effects.enrollments.map { state.enrollments.replacing($0) } ?? state.enrollments
        let branches = experiments.vector(of: packed)
        if features.recordsExposures {
            effects.exposures = exposures(evaluated, branches).filter { !state.exposures.contains($0) }
        }
        return FeatureDecision(
            branches: branches, effects: effects, validUntil: clock.validUntil, enrollmentsUntil: enrollmentsUntil)
    }

    private func exposures(_ features: [CompiledFeature], _ branches: BranchVector) -> [FeatureExposure] {
        features.compactMap { feature in
            guard feature.declaration.recordsExposure else { return nil }
            return feature.exposure(in: feature.variation(of: branches)).map {
                FeatureExposure(branch: $0, featureID: feature.id)
            }
        }
    }

    /// The value of a flag for a client in these branches; nil if the manifest declares no such flag.
    public func evaluation(of key: Identifier, in branches: BranchVector) -> FlagEvaluation? {
        guard let flag = features.flag(key) else { return nil }
        return flag.feature.evaluations(in: flag.feature.variation(of: branches))[flag.index]
    }
}

/// The first evaluation of a feature by a client in a branch of an experiment.
public struct FeatureExposure: Sendable, Hashable {
    public let branch: EnrolledBranch
    public let featureID: Identifier

    /// Whether both have the same recipe and feature.
    func isSame(as other: FeatureExposure) -> Bool {
        branch.slug == other.branch.slug && featureID == other.featureID
    }
}

/// The exposures that evaluations have recorded for a client. They ensure that each is recorded once.
public struct ExposureLedger: Sendable, Hashable {
    public private(set) var entries: [FeatureExposure] = []

    public init() {}

    init(entries: [FeatureExposure]) { self.entries = entries }

    public var isEmpty: Bool { entries.isEmpty }

    func contains(_ exposure: FeatureExposure) -> Bool { entries.contains { $0.isSame(as: exposure) } }

    /// Adds an exposure, and removes the exposures of recipes that the client is no longer in.
    mutating func note(_ exposure: FeatureExposure, enrolled: [Enrollment]) {
        entries.removeAll { entry in !enrolled.contains { $0.slug == entry.branch.slug } }
        entries.append(exposure)
    }
}
