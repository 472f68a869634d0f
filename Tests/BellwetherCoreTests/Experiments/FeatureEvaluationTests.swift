import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The branches of a stateless evaluation (docs/reference/experiments.md#stateless-evaluation).
@Suite struct FeatureEvaluationTests {
    @Test(arguments: EnrollmentVector.all)
    func bucketsAreUpstreams(vector: EnrollmentVector) throws {
        let buckets = FeatureScene.buckets([
            "namespace": .string(vector.namespace), "start": .integer(Int64(vector.start)),
            "count": .integer(Int64(vector.count)), "total": .integer(Int64(vector.total)),
        ])
        let scene = try FeatureScene(["e": FeatureScene.recipe("e", ["bucketConfig": buckets])])
        #expect(scene.branches(vector.id) == (vector.isIn ? ["e/on"] : []))
        if !vector.isIn { #expect(scene.words("e", vector.id) == "NotEnrolled NotSelected") }
    }

    @Test(arguments: BranchCase.all)
    func branchesAreUpstreams(vector: BranchCase) throws {
        let branches = vector.ratios.indices.map { index -> JSONValue in
            [
                "slug": .string("b\(index)"), "ratio": .integer(vector.ratios[index]),
                "features": [["featureId": "f", "value": ["n": .integer(Int64(index))]]],
            ]
        }
        let recipe = FeatureScene.recipe(vector.slug, ["branches": .array(branches)])
        let findings = Findings()
        let manifest = try Sample.manifest(["channel": "release"])
        let read = try #require(
            Recipe.read(recipe, slug: vector.slug, revision: 1, manifest: manifest, findings: findings))
        let evaluation = FeatureEvaluation(app: "sample-app", manifest: manifest, live: [read])
        let enrollments = evaluation.enrollments(userID: Identifier(vector.id), context: [:])
        #expect(enrollments.map(\.branch) == ["b\(vector.index)"])
        #expect(evaluation.features(of: enrollments) == ["f": ["n": .integer(Int64(vector.index))]])
    }

    @Test func theIDIsTheUserOnly() throws {
        let byNimbusID = FeatureScene.buckets(["randomizationUnit": "nimbus_id"])
        let scene = try FeatureScene([
            "e": FeatureScene.recipe("e", ["bucketConfig": byNimbusID]), "r": FeatureScene.recipe("r", feature: "g"),
        ])
        // Values of the context are for targeting only: they are no randomization units.
        #expect(scene.words("e", "client", ["nimbus_id": "n"]) == "Error No randomization unit")
        #expect(scene.branches("client", ["user_id": "another", "nimbus_id": "n"]) == ["r/on"])
    }

    private static let places: [(app: Identifier?, channel: String?, isTaken: Bool)] = [
        ("sample", "release", true), ("Sample", "release", false), ("sample", "Release", false),
        ("other", "release", false), ("sample", "beta", false), (nil, "release", false), ("sample", nil, false),
    ]

    @Test(arguments: places)
    func appAndChannelAreExact(app: Identifier?, channel: String?, isTaken: Bool) throws {
        let recipe = FeatureScene.recipe(
            "e",
            [
                "appName": app.map(JSONValue.string) ?? .null, "channel": channel.map(JSONValue.string) ?? .null,
            ])
        let scene = try FeatureScene(["e": recipe])
        #expect(scene.branches() == (isTaken ? ["e/on"] : []))
        // The recipe is not even read in this app.
        if !isTaken { #expect(scene.words() == nil) }
    }

    @Test func anAppWithoutAChannelTakesAny() throws {
        let scene = try FeatureScene(
            manifest: ["channel": .null],
            [
                "a": FeatureScene.recipe("a", feature: "a", ["channel": "beta"]),
                "b": FeatureScene.recipe("b", feature: "b", ["channel": .null]),
                "c": FeatureScene.recipe("c", feature: "c", ["channel": .null, "channels": ["release", "beta"]]),
            ])
        #expect(scene.branches() == ["a/on", "b/on", "c/on"])
        #expect(scene.branches("client", ["channel": "BETA"]) == ["a/on", "b/on", "c/on"])
        #expect(scene.words("a", "client", ["channel": "nightly"]) == "NotEnrolled DifferentChannel")
    }

    @Test func whatTheContextSaysOfTheAppIsCompared() throws {
        let scene = try FeatureScene(["e": FeatureScene.recipe("e")])
        #expect(scene.words("e", "client", ["app_name": "other"]) == "NotEnrolled DifferentAppName")
        #expect(scene.words("e", "client", ["channel": "beta"]) == "NotEnrolled DifferentChannel")
        #expect(scene.words("e", "client", ["channel": "RELEASE"]) == "Enrolled Qualified on")
        #expect(scene.words("e", "client", ["app_name": 3, "channel": .null]) == "Enrolled Qualified on")
    }

    @Test func pausedEnrollmentAndLabsTakeNobody() throws {
        let scene = try FeatureScene([
            "p": FeatureScene.recipe("p", feature: "p", ["isEnrollmentPaused": true]),
            "l": FeatureScene.recipe("l", feature: "l", ["isFirefoxLabsOptIn": true]),
        ])
        #expect(scene.branches() == [])
        #expect(scene.words("p") == "NotEnrolled EnrollmentsPaused")
        #expect(scene.words("l") == "NotEnrolled FirefoxLabs")
    }

    @Test func oneExperimentAndOneRolloutHoldAFeature() throws {
        let scene = try FeatureScene([
            "e2": FeatureScene.recipe("e2", value: ["n": 2], ["publishedDate": "2026-01-02T00:00:00Z"]),
            "e1": FeatureScene.recipe("e1", value: ["n": 1], ["publishedDate": "2026-01-01T00:00:00Z"]),
            "r2": FeatureScene.recipe("r2", value: ["r": 2], rollout: true),
            "r1": FeatureScene.recipe("r1", value: ["r": 1], rollout: true),
            "e3": FeatureScene.recipe("e3", feature: "g"),
        ])
        #expect(scene.branches() == ["r1/on (rollout)", "e3/on", "e1/on"])
        #expect(scene.words("e2") == "NotEnrolled FeatureConflict")
        #expect(scene.words("r2") == "NotEnrolled FeatureConflict")
        #expect(scene.features() == ["f": ["r": 1, "n": 1], "g": [:]])
    }

    @Test func whoIsNotInHoldsNothing() throws {
        let scene = try FeatureScene([
            "a": FeatureScene.recipe("a", value: ["n": 1], ["targeting": "vip"]),
            "b": FeatureScene.recipe("b", value: ["n": 2]),
        ])
        #expect(scene.features("client", ["vip": true]) == ["f": ["n": 1]])
        #expect(scene.features("client", ["vip": false]) == ["f": ["n": 2]])
        #expect(scene.features("client", [:]) == ["f": ["n": 2]])
    }

    @Test func theAppIsNamedAsOthersKnowIt() throws {
        #expect(try FeatureScene([:]).evaluation.appID == "org.sample")
        #expect(try FeatureScene(manifest: ["app_id": .null], [:]).evaluation.appID == "sample-app")
    }
}
