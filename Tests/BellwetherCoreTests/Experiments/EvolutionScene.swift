import BellwetherCore
import BellwetherJSON
import JEXL
import Samples
import Testing

/// One client whose enrollments evolve, with its state.
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

    init(_ live: Experiment...) { self.live = live }

    /// The memo for a catalog of these recipes and the scene's context.
    func memo() throws -> ContextMemo {
        let set = ExperimentSet(live: live, paused: paused)
        return ContextMemo(
            for: Catalog(
                manifest: try Sample.manifest(), manifestRevision: 1, recipes: [], experiments: set, revision: 1))
    }

    func result(memo: ContextMemo? = nil) -> EvolvedEnrollments {
        let environment = TriggerEnvironment(
            context: Sample.context(attributes), clientID: "client", behavior: BehaviorHistory(), branches: .none,
            now: now)
        let subject = EnrollmentSubject(appName: appName, channel: channel, ids: ids, participation: participation)
        return EnrollmentEvolution(
            recipes: ExperimentSet(live: live, paused: paused), subject: subject, environment: environment,
            clock: DecisionClock(at: now), memo: memo
        ).evolve(enrollments)
    }

    /// Evolves, and checks that a second evolution changes nothing. Returns the events, each as `name slug branch`,
    /// with its reason if it has one.
    @discardableResult
    mutating func evolve() -> [String] {
        let result = result()
        enrollments = result.enrollments
        let again = self.result()
        #expect(again.enrollments == result.enrollments)
        #expect(again.changes.isEmpty)
        return result.changes.map(Self.words)
    }

    static func words(_ change: EnrollmentChange) -> String {
        let extra = change.extra
        return ([change.name] + ["experiment", "branch", "reason"].compactMap { extra[$0]?.string })
            .joined(separator: " ")
    }

    func status(_ slug: Identifier = "e") -> EnrollmentStatus? { enrollments.first { $0.slug == slug }?.status }

    /// The status as `Status Reason branch`.
    func words(_ slug: Identifier = "e") -> String? {
        status(slug).map { [$0.name, $0.reason, $0.branch?.text].compactMap(\.self).joined(separator: " ") }
    }
}
