import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The same decision for every request of a client (docs/reference/features.md#enrollment).
@Suite struct FeatureDecisionTests {
    private static let recipe = FlagScene.recipe("e", ["a": ["steps": 1], "b": ["steps": 2]])

    @Test func `The first evaluation enrolls, the second changes nothing`() throws {
        var scene = try FlagScene(["e": Self.recipe])
        let first = scene.evaluate()
        #expect(first == ["enrollment e/a"] || first == ["enrollment e/b"])
        #expect(scene.evaluate() == [])
        #expect(scene.decide().effects.isEmpty)
        #expect(scene.decide().validUntil == .distantFuture)
    }

    @Test func `A poll and an evaluation enroll alike`() throws {
        let scene = try FlagScene([
            "e": Self.recipe, "f": FlagScene.recipe("f", ["x": ["steps": 1], "y": [:]], feature: "other"),
            "r": FlagScene.recipe(
                "r", ["on": ["label": "x"]], rollout: true, SampleExperiment.buckets(["count": 5000])),
        ])
        var differing = 0
        for number in 0..<1000 {
            let query = FlagScene.query("client-\(number)")
            let poll = scene.app.decide(query, state: ClientState())
            let evaluation = scene.app.evaluate(scene.app.features.features, for: query, state: ClientState())
            if poll.effects.enrollments != evaluation.effects.enrollments { differing += 1 }
        }
        #expect(differing == 0)
    }

    @Test func `A branch stays when ratios change`() throws {
        var scene = try FlagScene(["e": Self.recipe])
        _ = scene.evaluate()
        let branch = try #require(scene.flag("checkout.steps")?.variant)
        let other = try FlagScene([
            "e": FlagScene.recipe(
                "e", ["c": ["steps": 9], "a": ["steps": 1], "b": ["steps": 2]],
                SampleExperiment.buckets(["count": 10_000]))
        ])
        let kept = other.app.evaluate(other.app.features.features, for: FlagScene.query(), state: scene.state)
        #expect(other.app.evaluation(of: "checkout.steps", in: kept.branches)?.variant == branch)
    }

    @Test func `Malformed messages are a poll's affair`() throws {
        let scene = try FlagScene(["m": ["messages": ["m": ["surface": "nowhere", "text": "x"]]]])
        #expect(scene.decide().effects.isEmpty)
    }

    private static let exposing: JSONValue = [
        "checkout": ["exposure": "on-evaluation", "variables": ["steps": ["type": "int"]]],
        "quiet": ["variables": ["steps": ["type": "int"]]],
    ]

    @Test func `An evaluation records no exposure, unless the feature asks for it: then once`() throws {
        var quiet = try FlagScene(["e": Self.recipe])
        #expect(quiet.evaluate().count == 1)
        var scene = try FlagScene(
            features: Self.exposing,
            ["e": Self.recipe, "q": FlagScene.recipe("q", ["x": ["steps": 1]], feature: "quiet")])
        let records = scene.evaluate()
        #expect(records.filter { $0.hasPrefix("enrollment") }.count == 2)
        #expect(records.filter { $0.hasPrefix("exposure e/") }.count == 1 && records.count == 3)
        #expect(scene.evaluate() == [])
        let bytes = scene.state.encoded()
        scene.state = try #require(ClientState(encoded: bytes))
        #expect(scene.evaluate() == [], "it is stored")
    }

    @Test func `Only what is evaluated is exposed, and no rollout`() throws {
        let scene = try FlagScene(features: Self.exposing, ["e": Self.recipe])
        let others = scene.app.features.features.filter { $0.id == "quiet" }
        #expect(scene.app.evaluate(others, for: FlagScene.query(), state: ClientState()).effects.exposures.isEmpty)
        let rollout = try FlagScene(
            features: Self.exposing, ["r": FlagScene.recipe("r", ["on": ["steps": 1]], rollout: true)])
        #expect(rollout.decide().effects.exposures.isEmpty)
    }
}
