import BellwetherCore
import BellwetherJSON
import JEXL
import Testing

/// The explanation of a feature's values for a client (docs/reference/features.md#explaining-a-feature).
@Suite struct FeatureExplanationTests {
    private func explain(
        _ scene: FlagScene, _ attributes: [String: JSONValue] = [:], state: ClientState = ClientState(),
        _ treatment: EnrollmentTreatment = .update
    ) throws -> FeatureExplanation {
        scene.app.explain(
            try #require(scene.app.features.feature("checkout")), for: FlagScene.query("client", attributes),
            state: state, enrollments: treatment)
    }

    private static let scene: KeyValuePairs<String, JSONValue> = [
        "e": FlagScene.recipe("e", ["a": ["steps": 1]], ["targeting": "age > 30 && city == 'Graz'"]),
        "r": FlagScene.recipe("r", ["on": ["label": "x"]], rollout: true),
        "other": FlagScene.recipe("other", ["on": [:]], feature: "search"),
    ]

    @Test func `Each recipe of the feature has its standing and every gate`() throws {
        let scene = try FlagScene(Self.scene, paused: ["p": FlagScene.recipe("p", ["on": ["hint": "x"]])])
        let explanation = try explain(scene, ["age": 20, "city": "Graz"])
        #expect(explanation.id == "checkout")
        #expect(explanation.flags.map(\.key).first == "checkout" && explanation.flags.count == 7)
        #expect(explanation.recipes.map(\.slug) == ["r", "e", "p"])
        let (rollout, experiment, paused) = (explanation.recipes[0], explanation.recipes[1], explanation.recipes[2])
        #expect(rollout.isRollout && rollout.value == ["label": "x"] && rollout.gates.allSatisfy(\.holds))
        #expect(experiment.value == nil && experiment.enrollment?.status.reason == "NotTargeted")
        #expect(experiment.gates.map(\.gate) == ["app_name", "channel", "targeting", "bucket"])
        #expect(experiment.gates.map(\.holds) == [true, true, false, true])
        #expect(experiment.gates[2].leaves.map(\.expression) == ["age > 30"])
        #expect(paused.isPaused)
        #expect(explanation.flags.first { $0.key == "checkout.label" }?.source == .rollout)
    }

    @Test func `The bucket is named, inside and outside`() throws {
        let half = SampleExperiment.buckets(["count": 1])
        let outcome = try #require(
            explain(try FlagScene(["e": FlagScene.recipe("e", ["a": ["steps": 1]], half)])).recipes.first?.gates.last)
        #expect(!outcome.holds && outcome.values["start"] == 0 && outcome.values["count"] == 1)
        let bucket = try #require(outcome.values["bucket"]?.integer)
        #expect((1..<10_000).contains(bucket))
        let own = SampleExperiment.buckets(["start": .integer(bucket), "count": 1])
        let inside = try explain(try FlagScene(["e": FlagScene.recipe("e", ["a": ["steps": 1]], own)]))
        #expect(inside.recipes.first?.gates.last?.holds == true && inside.flags[1].value == 1)
    }

    @Test func `An error of targeting is told`() throws {
        let scene = try FlagScene(["e": FlagScene.recipe("e", ["a": [:]], ["targeting": "nobody > 3"])])
        let gate = try explain(scene).recipes[0].gates[2]
        #expect(!gate.holds && gate.error != nil)
    }

    @Test func `Stored enrollments count as they are`() throws {
        let scene = try FlagScene(Self.scene)
        let attributes: [String: JSONValue] = ["age": 40, "city": "Graz"]
        let never = try explain(scene, attributes, .keep)
        #expect(never.flags.first { $0.key == "checkout.steps" }?.source == .manifest)
        let asked = try explain(scene, attributes)
        #expect(asked.flags.first { $0.key == "checkout.steps" }?.source == .experiment)
    }
}
