internal import BellwetherBase
public import BellwetherJSON
public import JEXL

/// The explanation of the values that a client has for a feature.
public struct FeatureExplanation: Sendable {
    public let id: Identifier
    /// The feature's own flag first, then one for each variable.
    public let flags: [FlagEvaluation]
    /// The recipes that set the feature, in canonical order.
    public let recipes: [FeatureRecipe]
}

/// A recipe that sets a feature, and the client's enrollment in it.
public struct FeatureRecipe: Sendable {
    public let slug: Identifier
    public let isRollout: Bool
    public let isPaused: Bool
    /// The client's enrollment; nil if none is known.
    public let enrollment: Enrollment?
    /// The value that the client's branch sets for the feature; nil if the client is in no branch.
    public let value: JSONObject?
    public let gates: [EnrollmentGateOutcome]
}

/// The verdict of one gate about a client, and the values that the gate read.
public struct EnrollmentGateOutcome: Sendable {
    /// `app_name`, `channel`, `targeting` or `bucket`.
    public let gate: String
    public let holds: Bool
    /// The error; nil if the gate could be judged.
    public let error: String?
    public let values: JSONObject
    /// The parts of the targeting that would have to be true.
    public let leaves: [FailingLeaf]
}

extension CompiledApp {
    /// Explains the values that a client has for a feature. Enrollments are treated as in `explain` for messages.
    public func explain(
        _ feature: CompiledFeature, for query: PollQuery, state: ClientState, enrollments treatment: EnrollmentTreatment
    ) -> FeatureExplanation {
        let clock = DecisionClock(at: query.now)
        let standing = standing(query, state: state, treatment, clock: clock)
        let statuses = allStatuses(standing.packed.unpacked.enrollments, outlook: standing.outlook)
        let environment = environment(of: query, state, enrollments: standing.packed, clock: clock)
        let gates = GateExplaining(
            subject: subject(of: query, participation: state.enrollments.unpacked.participation),
            environment: environment)
        let vector = experiments.vector(of: standing.packed)
        let recipes = (feature.holders + feature.paused).sorted { $0.member.rank < $1.member.rank }.map { holder in
            let number = vector[holder.member.rank]
            return FeatureRecipe(
                slug: holder.member.slug, isRollout: holder.member.experiment.isRollout,
                isPaused: holder.member.state == .paused,
                enrollment: statuses.first { $0.slug == holder.member.slug },
                value: number > 0 ? holder.values[number - 1] : nil,
                gates: gates.outcomes(of: holder.member.experiment, isAlreadyEnrolled: number > 0))
        }
        return FeatureExplanation(
            id: feature.id, flags: feature.evaluations(in: feature.variation(of: vector)), recipes: recipes)
    }
}

extension CompiledApp {
    /// The verdicts of each recipe's gates about a client, by slug.
    func enrollmentGates(
        _ query: PollQuery, _ state: ClientState, _ packed: PackedEnrollments, _ environment: some EvolvingEnvironment
    ) -> [Identifier: [EnrollmentGateOutcome]] {
        let gates = GateExplaining(
            subject: subject(of: query, participation: state.enrollments.unpacked.participation),
            environment: environment)
        let vector = experiments.vector(of: packed)
        return Dictionary(
            experiments.members.map { member in
                let isEnrolled = vector[member.rank] > 0
                return (
                    member.slug, gates.outcomes(of: member.experiment, isAlreadyEnrolled: isEnrolled)
                )
            }, uniquingKeysWith: { first, _ in first })
    }
}

/// Judges each gate of a recipe separately, regardless of the others.
private struct GateExplaining<Environment: EvolvingEnvironment> {
    let subject: EnrollmentSubject
    let environment: Environment

    func outcomes(of experiment: Experiment, isAlreadyEnrolled: Bool) -> [EnrollmentGateOutcome] {
        let facts = EvolvingFacts(subject: subject, environment: environment)
        let candidate = EnrollmentCandidate(experiment, isAlreadyEnrolled: isAlreadyEnrolled)
        return EnrollmentGate.inOrder.map { gate in
            let judgement = gate.judge(candidate, facts)
            var error: String?
            if case .error(let text) = judgement { error = text }
            return EnrollmentGateOutcome(
                gate: gate.name, holds: judgement == .holds, error: error, values: values(of: gate, experiment),
                leaves: gate == .targeting ? leaves(of: experiment, isAlreadyEnrolled: isAlreadyEnrolled) : [])
        }
    }

    private func leaves(of experiment: Experiment, isAlreadyEnrolled: Bool) -> [FailingLeaf] {
        let environment = TargetingEnvironment(base: environment, isAlreadyEnrolled: isAlreadyEnrolled)
        return experiment.targeting?.failingLeaves(in: environment) ?? []
    }

    private func values(of gate: EnrollmentGate, _ experiment: Experiment) -> JSONObject {
        switch gate {
        case .appName: ["recipe": text(experiment.appName?.text), "manifest": text(subject.appName)]
        case .channel:
            ["recipe": .array(experiment.channels.map(JSONValue.string)), "manifest": text(subject.channel)]
        case .targeting: ["expression": text(experiment.targeting?.source)]
        case .bucket: buckets(of: experiment.bucketConfig)
        }
    }

    private func buckets(of buckets: Experiment.BucketConfig) -> JSONObject {
        var values: JSONObject = [
            "start": .integer(Int64(buckets.start)), "count": .integer(Int64(buckets.count)),
            "total": .integer(Int64(buckets.total)), "namespace": .string(buckets.namespace),
        ]
        if let id = subject.ids.id(buckets.randomizationUnit) {
            let hash = Bucketing.enrollmentHash(id: id, namespace: buckets.namespace.text)
            values["bucket"] = .integer(Int64(BucketSample.bucket(of: hash, total: buckets.total)))
        }
        return values
    }

    private func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

extension EnrollmentGate {
    fileprivate var name: String {
        switch self {
        case .appName: "app_name"
        case .channel: "channel"
        case .targeting: "targeting"
        case .bucket: "bucket"
        }
    }
}
