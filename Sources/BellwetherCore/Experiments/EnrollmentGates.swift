internal import BellwetherJSON
internal import JEXL

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

/// The gates between a client and a branch that depend on the client alone, in their order (nimbus-messaging.md H):
/// app, channel, targeting, randomization unit, bucket.
struct EnrollmentGates<Environment: JEXLEnvironment> {
    let subject: EnrollmentSubject
    let environment: Environment
    /// The subject's, in lower case.
    private let channel: String?

    init(subject: EnrollmentSubject, environment: Environment) {
        self.subject = subject
        self.environment = environment
        channel = subject.channel?.lowercased()
    }

    enum Outcome {
        /// With the id that chooses the branch.
        case passed(id: String)
        case stopped(NotEnrolledReason)
        case failed(String)
    }

    func outcome(for experiment: Experiment, isAlreadyEnrolled: Bool, _ hashes: inout BucketHashes) -> Outcome {
        if let stop = mismatch(of: experiment) { return .stopped(stop) }
        do {
            guard try isTargeted(by: experiment, isAlreadyEnrolled: isAlreadyEnrolled) else {
                return .stopped(.notTargeted)
            }
        } catch {
            return .failed(error.description)
        }
        let buckets = experiment.bucketConfig
        guard let id = subject.ids.id(buckets.randomizationUnit) else { return .failed("No randomization unit") }
        let hash = hashes.enrollment(id: id, namespace: buckets.namespace)
        do {
            return try buckets.isSelected(hash48: hash) ? .passed(id: id) : .stopped(.notSelected)
        } catch {
            return .failed(error.description)
        }
    }

    /// The recipe is another app's, or another channel's.
    func mismatch(of experiment: Experiment) -> NotEnrolledReason? {
        guard experiment.isForApp(subject.appName) else { return .differentAppName }
        return experiment.isForChannel(lowercased: channel) ? nil : .differentChannel
    }

    func isTargeted(by experiment: Experiment, isAlreadyEnrolled: Bool) throws(JEXLError) -> Bool {
        guard let targeting = experiment.targeting else { return true }
        return try targeting.isTrue(
            in: TargetingEnvironment(base: environment, isAlreadyEnrolled: isAlreadyEnrolled))
    }

    /// The branch whose share the client falls into.
    func branch(of experiment: Experiment, id: String) throws(BucketingError) -> String {
        let index = try Bucketing.branchIndex(
            hash48: Bucketing.branchHash(id: id, slug: experiment.slug), ratios: experiment.branches.map(\.ratio))
        return experiment.branches[index].slug
    }
}

extension EnrollmentGates where Environment: EvolvingEnvironment {
    /// The same for the client in these branches.
    func with(_ branches: ClientBranches) -> EnrollmentGates {
        EnrollmentGates(subject: subject, environment: environment.with(branches))
    }
}

extension Experiment.BucketConfig {
    func isSelected(hash48: UInt64) throws(BucketingError) -> Bool {
        try Bucketing.isSelected(hash48: hash48, start: start, count: count, total: total)
    }
}
