internal import BellwetherJSON
package import JEXL

/// The facts about a client that an evolution needs in addition to its enrollments.
public struct EnrollmentSubject: Sendable {
    public let appName: String?
    public let channel: String?
    public let ids: RandomizationIDs
    public let participation: Participation

    public init(appName: String?, channel: String?, ids: RandomizationIDs, participation: Participation) {
        self.appName = appName
        self.channel = channel
        self.ids = ids
        self.participation = participation
    }
}

/// One condition for the enrollment of a client in a recipe that depends on the client alone. Enrollment and forecasts
/// use the same list.
package enum EnrollmentGate: Sendable, CaseIterable {
    case appName
    case channel
    case targeting
    case bucket

    /// The gates, in the order in which they are judged.
    static let inOrder = allCases
    /// The gates that depend only on app, channel and attributes, if targeting reads nothing else.
    static let ofContext: [EnrollmentGate] = [.appName, .channel, .targeting]

    package func judge(_ candidate: EnrollmentCandidate, _ facts: some EnrollmentFacts) -> EnrollmentJudgement {
        let experiment = candidate.experiment
        switch self {
        case .appName:
            return experiment.isForApp(facts.subject.appName) ? .holds : .stops(.differentAppName)
        case .channel: return experiment.isForChannel(lowercased: facts.channel) ? .holds : .stops(.differentChannel)
        case .targeting:
            guard let targeting = experiment.targeting else { return .holds }
            return facts.judge(targeting, isAlreadyEnrolled: candidate.isAlreadyEnrolled)
        case .bucket: return facts.judge(experiment.bucketConfig, namespace: candidate.namespace)
        }
    }
}

/// A recipe that a client may be enrolled in, as the gates judge it.
package struct EnrollmentCandidate {
    let experiment: Experiment
    /// Whether the client is in the recipe, for sticky targeting.
    let isAlreadyEnrolled: Bool
    /// See `ExperimentSet.Member.namespace`; nil for a recipe that is in no set.
    let namespace: Int?

    package init(_ experiment: Experiment, isAlreadyEnrolled: Bool) {
        (self.experiment, self.isAlreadyEnrolled, namespace) = (experiment, isAlreadyEnrolled, nil)
    }

    init(_ member: ExperimentSet.Member, isAlreadyEnrolled: Bool) {
        experiment = member.experiment
        self.isAlreadyEnrolled = isAlreadyEnrolled
        namespace = member.namespace
    }
}

package enum EnrollmentJudgement: Sendable, Hashable {
    case holds
    case stops(NotEnrolledReason)
    /// An error, with its text.
    case error(String)
    /// The result depends on facts that are not known about the client.
    case unknown
}

/// The facts about a client that the gates read. An evolution knows all of them; a forecast knows no id.
package protocol EnrollmentFacts {
    var subject: EnrollmentSubject { get }
    /// The subject's channel, in lower case.
    var channel: String? { get }
    func judge(_ targeting: CompiledExpression, isAlreadyEnrolled: Bool) -> EnrollmentJudgement
    func judge(_ buckets: Experiment.BucketConfig, namespace: Int?) -> EnrollmentJudgement
}

extension EnrollmentFacts {
    /// The judgement of the first gate that does not hold.
    package func judgement(of candidate: EnrollmentCandidate, by gates: [EnrollmentGate]) -> EnrollmentJudgement {
        for gate in gates {
            let judgement = gate.judge(candidate, self)
            if judgement != .holds { return judgement }
        }
        return .holds
    }
}

/// The facts of a client whose enrollments evolve.
struct EvolvingFacts<Environment: EvolvingEnvironment>: EnrollmentFacts {
    let subject: EnrollmentSubject
    let channel: String?
    private var environment: Environment
    private let hashes: BucketHashes

    /// `namespaces` is the number of namespaces that have numbers.
    init(subject: EnrollmentSubject, environment: Environment, namespaces: Int = 0) {
        self.subject = subject
        self.environment = environment
        channel = subject.channel?.lowercased()
        hashes = BucketHashes(namespaces: namespaces)
    }

    /// The facts of the same client in these branches.
    func with(_ branches: ClientBranches) -> EvolvingFacts {
        var facts = self
        facts.environment = environment.with(branches)
        return facts
    }

    func judge(_ targeting: CompiledExpression, isAlreadyEnrolled: Bool) -> EnrollmentJudgement {
        do {
            let environment = TargetingEnvironment(base: environment, isAlreadyEnrolled: isAlreadyEnrolled)
            return try targeting.isTrue(in: environment) ? .holds : .stops(.notTargeted)
        } catch {
            return .error(error.description)
        }
    }

    func judge(_ buckets: Experiment.BucketConfig, namespace: Int?) -> EnrollmentJudgement {
        guard let id = subject.ids.id(buckets.randomizationUnit) else { return .error("No randomization unit") }
        let hash = hashes.hash(number: namespace) {
            Bucketing.enrollmentHash(id: id, namespace: buckets.namespace.text)
        }
        do {
            let isSelected = try Bucketing.isSelected(
                hash48: hash, start: buckets.start, count: buckets.count, total: buckets.total)
            return isSelected ? .holds : .stops(.notSelected)
        } catch {
            return .error(error.description)
        }
    }

    /// The branch whose share contains the client's hash. The client has the id if the bucket gate holds.
    func branch(of experiment: Experiment) throws(BucketingError) -> Identifier {
        let id = subject.ids.id(experiment.bucketConfig.randomizationUnit) ?? ""
        let index = try Bucketing.branchIndex(
            hash48: Bucketing.branchHash(id: id, slug: experiment.slug), ratios: experiment.branches.map(\.ratio))
        return experiment.branches[index].slug
    }
}

/// The enrollment hashes of one client in one evolution, by the number of their namespace and unit. Each is computed
/// once.
private final class BucketHashes {
    private var hashes: [UInt64?]

    init(namespaces count: Int) { hashes = Array(repeating: nil, count: count) }

    func hash(number: Int?, _ compute: () -> UInt64) -> UInt64 {
        guard let number else { return compute() }
        if let known = hashes[number] { return known }
        let hash = compute()
        hashes[number] = hash
        return hash
    }
}
