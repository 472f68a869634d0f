import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The names and extras of docs/reference/experiments.md#enrollment-events.
@Suite struct EnrollmentChangeTests {
    private func record(_ scene: inout EvolutionScene) throws -> TelemetryRecord {
        let environment = TriggerEnvironment(
            context: Sample.context(), clientID: "client", behavior: BehaviorHistory(), branches: .none,
            now: Sample.now)
        let subject = EnrollmentSubject(
            appName: "sample", channel: "release", ids: scene.ids, participation: scene.participation)
        let evolution = EnrollmentEvolution(
            recipes: ExperimentSet(live: scene.live), subject: subject, environment: environment,
            clock: DecisionClock(at: Sample.now))
        let result = evolution.evolve(scene.enrollments)
        scene.enrollments = result.enrollments
        return try #require(result.changes.last).record(at: Sample.now, clientID: "client")
    }

    @Test func records() throws {
        let branches: JSONObject = ["branches": [SampleExperiment.branch("b", feature: "f")]]
        var scene = EvolutionScene(try SampleExperiment.experiment("e", branches))
        let enrollment = try record(&scene)
        #expect(enrollment.category == "nimbus_events" && enrollment.name == "enrollment")
        #expect(enrollment.extra == ["experiment": "e", "branch": "b"])
        #expect(enrollment.experiment == "e" && enrollment.branch == "b" && enrollment.clientID == "client")

        scene.live.append(try SampleExperiment.experiment("x", branches))
        let failure = try record(&scene)
        #expect(failure.name == "enroll_failed")
        #expect(failure.extra == ["experiment": "x", "branch": "N/A", "reason": "feature-conflict"])
        #expect(failure.branch == nil)

        scene.participation = Participation(optedOut: ["e", "x"])
        let disqualification = try record(&scene)
        #expect(disqualification.name == "disqualification")
        #expect(disqualification.extra == ["experiment": "e", "branch": "b"])

        scene.live = []
        let end = try record(&scene)
        #expect(end.name == "unenrollment")
        #expect(end.extra == ["experiment": "e", "branch": "b"])
    }
}
