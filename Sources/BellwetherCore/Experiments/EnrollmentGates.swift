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

/// The gates between a client and a branch that depend on the client alone, in their order (nimbus-messaging.md H): app,
/// channel, targeting, randomization unit, bucket.
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
        if let theirs = experiment.appName, let ours = subject.appName, !theirs.hasSameBytes(as: ours) {
            return .stopped(.differentAppName)
        }
        guard admitsChannel(of: experiment) else { return .stopped(.differentChannel) }
        do {
            let environment = TargetingEnvironment(base: environment, isAlreadyEnrolled: isAlreadyEnrolled)
            if let targeting = experiment.targeting, try !targeting.isTrue(in: environment) {
                return .stopped(.notTargeted)
            }
        } catch {
            return .failed(error.description)
        }
        let buckets = experiment.bucketConfig
        guard let id = subject.ids.id(buckets.randomizationUnit) else { return .failed("No randomization unit") }
        let hash = hashes.enrollment(id: id, namespace: buckets.namespace)
        do {
            let isSelected = try Bucketing.isSelected(
                hash48: hash, start: buckets.start, count: buckets.count, total: buckets.total)
            return isSelected ? .passed(id: id) : .stopped(.notSelected)
        } catch {
            return .failed(error.description)
        }
    }

    /// Case does not count; Cirrus compares exactly.
    private func admitsChannel(of experiment: Experiment) -> Bool {
        guard let channel, !experiment.channels.isEmpty else { return true }
        return experiment.channels.contains { theirs in
            theirs.hasSameBytes(as: channel) || theirs.lowercased().hasSameBytes(as: channel)
        }
    }

    /// The branch whose share the client falls into.
    func branch(of experiment: Experiment, id: String) throws(BucketingError) -> String {
        let index = try Bucketing.branchIndex(
            hash48: Bucketing.branchHash(id: id, slug: experiment.slug), ratios: experiment.branches.map(\.ratio))
        return experiment.branches[index].slug
    }
}
