import BellwetherBase
import BellwetherJSON
import Testing

@testable import BellwetherCore

/// Canonical order (docs/reference/experiments.md#canonical-order), and the branches that a client is in.
@Suite struct ExperimentBranchTests {
    private func recipe(_ slug: Identifier, rollout: Bool = false, published: String? = nil, text: String? = nil) throws
        -> Experiment
    {
        var changes: JSONObject = ["isRollout": .bool(rollout)]
        if let published { changes["publishedDate"] = .string(published) }
        if let text {
            let value: JSONValue = ["messages": ["m": ["text": .string(text), "surface": "microsurvey"]]]
            changes["branches"] = [
                ["slug": "b", "ratio": 1, "features": [["featureId": "messaging", "value": value]]]
            ]
        }
        return try SampleExperiment.experiment(slug, changes)
    }

    @Test func canonicalOrder() throws {
        var scene = EvolutionScene(
            try recipe("e2", published: "2025-01-02T00:00:00Z"), try recipe("e0"),
            try recipe("r1", rollout: true, published: "2026-01-01T00:00:00Z"),
            try recipe("e1", published: "2025-01-01T00:00:00Z"), try recipe("r0", rollout: true),
            try recipe("E3", published: "2025-01-02T00:00:00Z"))
        scene.evolve()
        let set = ExperimentSet(live: scene.live, universal: ["q", "s"])
        let expected: [Identifier] = ["q", "r0", "s", "r1", "e0", "e1", "E3", "e2"]
        for enrollments in [scene.enrollments, scene.enrollments.reversed()] {
            let packed = PackedEnrollments(ClientEnrollments(enrollments: enrollments))
            #expect(set.branches(of: packed).map(\.slug) == expected)
        }
    }

    @Test func onlyWhoIsInIsInAVector() throws {
        var scene = EvolutionScene(try recipe("a"), try recipe("b"), try recipe("c"))
        scene.evolve()
        scene.participation = Participation(optedOut: ["b"])
        scene.evolve()
        let packed = PackedEnrollments(ClientEnrollments(enrollments: scene.enrollments))
        let set = ExperimentSet(live: [scene.live[0], scene.live[1]], paused: [scene.live[2]])
        #expect(set.branches(of: packed).map(\.slug) == ["a"])
        #expect(set.branch(of: "c", in: packed) != nil, "enrollment outlasts a pause")
        #expect(set.branch(of: "b", in: packed) == nil)
        #expect(ExperimentSet(live: [Experiment]()).branches(of: packed).isEmpty)
        #expect(ExperimentSet(live: [Experiment]()).branch(of: "a", in: packed) == nil, "the recipe is gone")
    }

    @Test func branchThatIsGoneIsNone() throws {
        let set = ExperimentSet(live: [try recipe("a"), try recipe("b")])
        let packed = PackedEnrollments.in(["b": "treatment", "a": "gone", "z": "treatment"])
        #expect(set.branches(of: packed) == [EnrolledBranch(slug: "b", branch: "treatment")])
        #expect(set.branch(of: "a", in: packed) == nil)
    }

    @Test func onlyExperimentWithAFeature() throws {
        func other(_ slug: Identifier, rollout: Bool = false) throws -> Experiment {
            try SampleExperiment.experiment(slug, ["isRollout": .bool(rollout)], feature: "f")
        }
        let set = ExperimentSet(live: [try other("a"), try other("r", rollout: true), try recipe("m"), try recipe("n")])
        func only(_ feature: Identifier, _ branches: KeyValuePairs<String, String>) -> Identifier? {
            ClientBranches(set, .in(branches)).onlyExperiment(with: feature)?.slug
        }
        #expect(only("f", ["a": "control", "r": "control"]) == "a")
        #expect(only("f", ["r": "control"]) == nil, "nobody is exposed to a rollout")
        #expect(only("messaging", ["a": "control", "m": "control"]) == "m")
        #expect(only("messaging", ["n": "control", "m": "control"]) == nil, "they are merged")
    }

    @Test func datesBeforeNoneAreAfter() {
        let early = Timestamp(seconds: -5)
        let places = [
            MergeOrder(isRollout: true, published: nil, slug: "z"),
            MergeOrder(isRollout: true, published: early, slug: "a"),
            MergeOrder(isRollout: false, published: nil, slug: "a"),
            MergeOrder(isRollout: false, published: nil, slug: "b"),
            MergeOrder(isRollout: false, published: early, slug: "a"),
        ]
        #expect(places.reversed().sorted() == places)
    }
}
