public import BellwetherBase
internal import BellwetherJSON

/// The result of evaluating features for a client: its branches, the effects to record, and until when both hold.
public struct FeatureDecision: Sendable {
    public let branches: BranchVector
    public let effects: DecisionEffects
    /// Exclusive: before this time the same query of the same state is decided in the same way.
    public let validUntil: Timestamp
    /// As that of a poll's `Decision`.
    public let enrollmentsUntil: Timestamp
}

extension CompiledApp {
    /// Decides which variation of its features a client has: its enrollments are brought up to date as by a poll, so
    /// that a client is in the same branches whichever way it asks. Pure, as `decide` is.
    ///
    /// `evaluated` are the features that the client asks for: each of them may record an exposure. The query's surfaces
    /// do not matter. `settledUntil` is what it is for `decide`.
    public func evaluate(
        _ evaluated: [CompiledFeature], for query: PollQuery, state: ClientState, settledUntil: Timestamp? = nil
    ) -> FeatureDecision {
        let clock = DecisionClock(at: query.now)
        var effects = DecisionEffects()
        effects.enrollments = evolved(query, state: state, memo: nil, clock: clock, settledUntil: settledUntil)
        let enrollmentsUntil = clock.validUntil
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

    /// The flag of a key for a client of these branches; nil: the manifest declares no such flag.
    public func evaluation(of key: String, in branches: BranchVector) -> FlagEvaluation? {
        guard let flag = features.flag(key) else { return nil }
        return flag.feature.evaluations(in: flag.feature.variation(of: branches))[flag.index]
    }
}

/// The first evaluation of a feature by a client in a branch of an experiment.
public struct FeatureExposure: Sendable, Hashable {
    public let branch: EnrolledBranch
    public let featureID: String

    /// The same recipe and feature.
    func isSame(as other: FeatureExposure) -> Bool {
        branch.slug.hasSameBytes(as: other.branch.slug) && featureID.hasSameBytes(as: other.featureID)
    }
}

/// The exposures that evaluations have recorded for a client, so that each is recorded once.
public struct ExposureLedger: Sendable, Hashable {
    public private(set) var entries: [FeatureExposure] = []

    public init() {}

    init(entries: [FeatureExposure]) { self.entries = entries }

    public var isEmpty: Bool { entries.isEmpty }

    func contains(_ exposure: FeatureExposure) -> Bool { entries.contains { $0.isSame(as: exposure) } }

    /// Adds an exposure, and forgets those of recipes that the client is not in any more.
    mutating func note(_ exposure: FeatureExposure, enrolled: [Enrollment]) {
        entries.removeAll { entry in !enrolled.contains { $0.slug.hasSameBytes(as: entry.branch.slug) } }
        entries.append(exposure)
    }
}
