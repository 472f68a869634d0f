import BellwetherCore
import BellwetherJSON
import JEXL
import Testing

/// One client whose enrollments evolve, with what it remembers.
struct EvolutionScene {
    var live: [Experiment] = []
    var paused: [Experiment] = []
    var participation = Participation.full
    var appName: String? = "sample"
    var channel: String? = "release"
    var attributes: [String: JSONValue] = [:]
    var ids = RandomizationIDs(nimbusID: "client", userID: "client")
    var now = Sample.now
    var enrollments: [Enrollment] = []
    var hashes = BucketHashes()

    init(_ live: Experiment...) { self.live = live }

    private func result(_ hashes: inout BucketHashes) -> EvolvedEnrollments {
        let environment = TriggerEnvironment(
            context: Sample.context(attributes), clientID: "client", behavior: BehaviorHistory(), branches: .none,
            now: now)
        let subject = EnrollmentSubject(appName: appName, channel: channel, ids: ids, participation: participation)
        return EnrollmentEvolution(
            recipes: ExperimentSet(live: live, paused: paused), subject: subject, environment: environment, now: now
        ).evolve(enrollments, hashes: &hashes)
    }

    /// Evolves, and once more, which must change nothing. What was told, each as `name slug branch`, with the reason
    /// where the event has one.
    @discardableResult
    mutating func evolve() -> [String] {
        hashes = BucketHashes()
        let result = result(&hashes)
        enrollments = result.enrollments
        var fresh = BucketHashes()
        let again = self.result(&fresh)
        #expect(again.enrollments == result.enrollments)
        #expect(again.changes.isEmpty)
        return result.changes.map(Self.words)
    }

    static func words(_ change: EnrollmentChange) -> String {
        let extra = change.extra
        return ([change.name] + ["experiment", "branch", "reason"].compactMap { extra[$0]?.string })
            .joined(separator: " ")
    }

    func status(_ slug: String = "e") -> EnrollmentStatus? { enrollments.first { $0.slug == slug }?.status }

    /// `Status Reason branch`.
    func words(_ slug: String = "e") -> String? {
        status(slug).map { [$0.name, $0.reason, $0.branch].compactMap(\.self).joined(separator: " ") }
    }
}
