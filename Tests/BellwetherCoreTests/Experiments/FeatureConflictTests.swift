import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The recipe that holds a feature, and the order in which recipes are evaluated
/// (docs/reference/experiments.md#features).
@Suite struct FeatureConflictTests {
    private func recipe(
        _ slug: Identifier, published: String? = nil, feature: Identifier = "f", _ changes: JSONObject = [:]
    ) throws -> Experiment {
        let date: JSONObject = published.map { ["publishedDate": .string("\($0)T00:00:00Z")] } ?? [:]
        return try SampleExperiment.experiment(slug, date.merging(changes), feature: feature)
    }

    private func told(_ changes: [String]) -> [String] {
        changes.map {
            $0.replacing(" control", with: "").replacing(" treatment", with: "")
        }
    }

    @Test func theEarlierPublishedHolds() throws {
        var scene = EvolutionScene(
            try recipe("a", published: "2025-02-01"), try recipe("b", published: "2025-01-01"))
        #expect(told(scene.evolve()) == ["enrollment b", "enroll_failed a N/A feature-conflict"])
        #expect(scene.status("a") == .notEnrolled(.featureConflict(slug: "b")))
    }

    @Test func withoutADateFirstThenBySlug() throws {
        var scene = EvolutionScene(
            try recipe("c", published: "2025-01-01"), try recipe("b"), try recipe("a", feature: "g"), try recipe("d"))
        #expect(
            told(scene.evolve()) == [
                "enrollment a", "enrollment b", "enroll_failed d N/A feature-conflict",
                "enroll_failed c N/A feature-conflict",
            ])
        #expect(scene.enrollments.map(\.slug) == ["a", "b", "d", "c"])
    }

    @Test func whoIsInStaysInWhateverComesBefore() throws {
        var scene = EvolutionScene(try recipe("b", published: "2025-02-01"))
        scene.evolve()
        scene.live.append(try recipe("a", published: "2025-01-01"))
        #expect(scene.evolve() == ["enroll_failed a N/A feature-conflict"])
        #expect(scene.status("b")?.isEnrolled == true)
    }

    @Test func kindsDoNotConflict() throws {
        var scene = EvolutionScene(try recipe("a"), try recipe("b", ["isRollout": true]))
        #expect(told(scene.evolve()) == ["enrollment b", "enrollment a"])
    }

    @Test func messagingIsForAll() throws {
        var scene = EvolutionScene(
            try recipe("a", feature: "messaging"), try recipe("b", feature: "messaging"),
            try recipe("c", feature: "messaging", ["isRollout": true]))
        #expect(told(scene.evolve()) == ["enrollment c", "enrollment a", "enrollment b"])
    }

    @Test func aFeatureOfAnyBranchIsHeld() throws {
        let branches: JSONValue = [
            SampleExperiment.branch("control", feature: "g"), SampleExperiment.branch("treatment", feature: "f"),
        ]
        var scene = EvolutionScene(
            try recipe("a", ["branches": branches]), try recipe("b"), try recipe("c", feature: "g"))
        scene.evolve()
        #expect(scene.status("b") == .notEnrolled(.featureConflict(slug: "a")))
        #expect(scene.status("c") == .notEnrolled(.featureConflict(slug: "a")))
    }

    @Test func whatIsFreedIsTaken() throws {
        var scene = EvolutionScene(try recipe("a"), try recipe("b"))
        scene.evolve()
        scene.live.removeFirst()
        #expect(told(scene.evolve()) == ["unenrollment a", "enrollment b"])
        scene.live.insert(try recipe("a"), at: 0)
        #expect(scene.evolve().isEmpty)
        scene.participation = Participation(optedOut: ["b"])
        #expect(told(scene.evolve()) == ["disqualification b"])
    }

    @Test func conflictComesBeforeTheOtherGates() throws {
        var scene = EvolutionScene(
            try recipe("z", published: "2026-01-01"), try recipe("a", ["targeting": "false"]),
            try recipe("b", ["isEnrollmentPaused": true]), try recipe("c"))
        scene.live[3] = try recipe("c", ["targeting": "missing"])
        #expect(
            told(scene.evolve()) == [
                "enrollment z", "enroll_failed a N/A feature-conflict", "enroll_failed b N/A feature-conflict",
                "enroll_failed c N/A feature-conflict",
            ])
        scene.participation = Participation(optedOut: ["a"])
        #expect(scene.evolve().isEmpty)
        #expect(scene.status("a") == .notEnrolled(.optOut))
    }

    @Test func aDisqualifiedRolloutWaitsForItsFeature() throws {
        let rollout: JSONObject = ["isRollout": true]
        var scene = EvolutionScene(try recipe("a", rollout))
        scene.evolve()
        let branch = try #require(scene.status("a")?.branch)
        scene.live = [try recipe("a", rollout.merging(["targeting": "false"])), try recipe("b", rollout)]
        #expect(told(scene.evolve()) == ["disqualification a", "enrollment b"])
        scene.live[0] = try recipe("a", rollout)
        #expect(scene.evolve().isEmpty)
        #expect(scene.status("a") == .disqualified(.notTargeted, branch: branch))
        scene.live.removeLast()
        #expect(told(scene.evolve()) == ["unenrollment b", "enrollment a"])
    }

    @Test func pausedRecipesHoldWhatTheyHave() throws {
        var scene = EvolutionScene(try recipe("a"))
        scene.evolve()
        scene.paused = scene.live
        scene.live = [try recipe("b")]
        #expect(scene.evolve() == ["enroll_failed b N/A feature-conflict"])
    }
}
