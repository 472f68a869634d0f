import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherCore

/// What a poll finds out without evolving is what an evolution comes to.
@Suite struct EnrollmentRecheckTests {
    /// One client whose recipes, attributes and clock change at random, and which polls twice after each change.
    @Test func nothingIsFoundToChangeOnlyWhereNothingChanges() throws {
        var (polls, unchanged, found) = (0, 0, 0)
        for seed in 0..<80 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var scene = EvolutionScene()
            for _ in 0..<15 {
                try EvolutionPropertyTests.change(&scene, &random)
                for _ in 0..<2 {
                    let isWithoutWishes = scene.participation == .full
                    let isFound = isWithoutWishes && scene.recheckChangesNothing()
                    let isUnchanged = scene.poll()
                    #expect(!isFound || isUnchanged, "seed \(seed)")
                    polls += 1
                    if isWithoutWishes && isUnchanged { unchanged += 1 }
                    if isFound { found += 1 }
                    scene.now = scene.now.adding(seconds: 60)
                }
            }
        }
        #expect(polls == 2400)
        #expect(unchanged > 500)
        #expect(found * 4 > unchanged, "\(found) of \(unchanged) were found without an evolution")
    }

    @Test(
        arguments: [
            ("true", true), ("age > 30", true), ("age > 90", false), ("is_already_enrolled", true),
            ("is_already_enrolled == false", false), ("missing", false), ("nimbus_id == 'client'", true),
        ])
    func whoIsInStaysWhileTargeted(targeting: String, stays: Bool) throws {
        var scene = EvolutionScene(try SampleExperiment.experiment("e"))
        scene.attributes = ["age": 40]
        scene.poll()
        #expect(scene.status()?.isEnrolled == true)
        scene.live = [try SampleExperiment.experiment("e", ["targeting": .string(targeting)])]
        #expect(scene.recheckChangesNothing() == stays)
        let isUnchanged = scene.poll()
        #expect(isUnchanged == stays)
    }

    @Test func aFreeFeatureLetsTheNextOneIn() throws {
        let branches: JSONValue = [SampleExperiment.branch("a", feature: "f")]
        let first = try SampleExperiment.experiment("a", ["branches": branches])
        let second = try SampleExperiment.experiment("b", ["branches": branches])
        var scene = EvolutionScene(first)
        #expect(!scene.recheckChangesNothing())
        scene.poll()
        #expect(scene.recheckChangesNothing())
        scene.live = [first, second]
        #expect(!scene.recheckChangesNothing(), "the conflict is to be told")
        scene.poll()
        #expect(scene.status("b")?.reason == "FeatureConflict")
        scene.live = [second]
        #expect(!scene.recheckChangesNothing())
        scene.poll()
        #expect(scene.status("b")?.isEnrolled == true)
        #expect(scene.recheckChangesNothing(), "a recipe that is gone is remembered")
        scene.now = scene.now.adding(seconds: 366 * 86_400)
        #expect(!scene.recheckChangesNothing(), "and forgotten in the end")
    }
}

extension EvolutionScene {
    /// Of a context that nobody asked about before.
    fileprivate func recheckChangesNothing() -> Bool {
        let subject = EnrollmentSubject(appName: appName, channel: channel, ids: ids, participation: participation)
        let environment = TriggerEnvironment(
            context: Sample.context(attributes), clientID: "client", behavior: BehaviorHistory(), branches: .none,
            now: now)
        let context = ContextGates(
            ExperimentSet(live: live, paused: paused), environment.context, appName: appName, channel: channel)
        var recheck = EnrollmentRecheck(
            context, gates: EnrollmentGates(subject: subject, environment: environment), now: now)
        return recheck.changesNothing(about: enrollments)
    }

    /// Evolves and keeps what is memorable, as a client's state does; whether that changed nothing and told nothing.
    @discardableResult
    fileprivate mutating func poll() -> Bool {
        let before = enrollments
        let told = evolve()
        enrollments =
            EvolvedEnrollments(enrollments: enrollments, changes: []).memorable(under: participation)
            .enrollments
        return told.isEmpty && enrollments == before
    }
}
