internal import BellwetherJSON
package import JEXL

/// What an evolution needs to know of a client besides its enrollments.
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

/// One condition between a client and a recipe that depends on the client alone. Enrollment and forecasts walk the same
/// list.
package enum EnrollmentGate: Sendable, CaseIterable {
    case appName
    case channel
    case targeting
    case bucket

    /// The order in which they are judged.
    static let inOrder = allCases
    /// Those that follow from app, channel and attributes, as long as targeting reads nothing else.
    static let ofContext: [EnrollmentGate] = [.appName, .channel, .targeting]

    package func judge(_ question: EnrollmentQuestion, _ facts: some EnrollmentFacts) -> EnrollmentJudgement {
        let experiment = question.experiment
        switch self {
        case .appName:
            return experiment.isForApp(facts.subject.appName) ? .holds : .stops(.differentAppName)
        case .channel: return experiment.isForChannel(lowercased: facts.channel) ? .holds : .stops(.differentChannel)
        case .targeting:
            guard let targeting = experiment.targeting else { return .holds }
            return facts.judge(targeting, isAlreadyEnrolled: question.isAlreadyEnrolled)
        case .bucket: return facts.judge(experiment.bucketConfig)
        }
    }
}

/// Whether a client may be in a recipe.
package struct EnrollmentQuestion {
    let experiment: Experiment
    /// For targeting that is sticky.
    let isAlreadyEnrolled: Bool

    package init(_ experiment: Experiment, isAlreadyEnrolled: Bool) {
        self.experiment = experiment
        self.isAlreadyEnrolled = isAlreadyEnrolled
    }
}

package enum EnrollmentJudgement: Sendable, Hashable {
    case holds
    case stops(NotEnrolledReason)
    /// An error, with its text.
    case error(String)
    /// It depends on what is not known of the client.
    case unknown
}

/// What the gates ask of a client. An evolution knows all of it; a forecast knows no id.
package protocol EnrollmentFacts {
    var subject: EnrollmentSubject { get }
    /// The subject's, in lower case.
    var channel: String? { get }
    func judge(_ targeting: CompiledExpression, isAlreadyEnrolled: Bool) -> EnrollmentJudgement
    func judge(_ buckets: Experiment.BucketConfig) -> EnrollmentJudgement
}

extension EnrollmentFacts {
    /// The first gate that does not hold decides.
    package func judgement(of question: EnrollmentQuestion, by gates: [EnrollmentGate]) -> EnrollmentJudgement {
        for gate in gates {
            let judgement = gate.judge(question, self)
            if judgement != .holds { return judgement }
        }
        return .holds
    }
}

/// The facts of a client whose enrollments evolve.
struct EvolvingFacts<Environment: EvolvingEnvironment>: EnrollmentFacts {
    let subject: EnrollmentSubject
    let channel: String?
    private let environment: Environment

    init(subject: EnrollmentSubject, environment: Environment) {
        self.subject = subject
        self.environment = environment
        channel = subject.channel?.lowercased()
    }

    /// The same client in these branches.
    func with(_ branches: ClientBranches) -> EvolvingFacts {
        EvolvingFacts(subject: subject, environment: environment.with(branches))
    }

    func judge(_ targeting: CompiledExpression, isAlreadyEnrolled: Bool) -> EnrollmentJudgement {
        do {
            let environment = TargetingEnvironment(base: environment, isAlreadyEnrolled: isAlreadyEnrolled)
            return try targeting.isTrue(in: environment) ? .holds : .stops(.notTargeted)
        } catch {
            return .error(error.description)
        }
    }

    func judge(_ buckets: Experiment.BucketConfig) -> EnrollmentJudgement {
        guard let id = subject.ids.id(buckets.randomizationUnit) else { return .error("No randomization unit") }
        let hash = Bucketing.enrollmentHash(id: id, namespace: buckets.namespace)
        do {
            let isSelected = try Bucketing.isSelected(
                hash48: hash, start: buckets.start, count: buckets.count, total: buckets.total)
            return isSelected ? .holds : .stops(.notSelected)
        } catch {
            return .error(error.description)
        }
    }

    /// The branch whose share the client falls into; its id is there once the buckets hold.
    func branch(of experiment: Experiment) throws(BucketingError) -> String {
        let id = subject.ids.id(experiment.bucketConfig.randomizationUnit) ?? ""
        let index = try Bucketing.branchIndex(
            hash48: Bucketing.branchHash(id: id, slug: experiment.slug), ratios: experiment.branches.map(\.ratio))
        return experiment.branches[index].slug
    }
}
