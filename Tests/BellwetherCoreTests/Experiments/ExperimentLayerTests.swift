import BellwetherCore
import BellwetherJSON
import Testing

/// api.md 2.6, and what enrolled branches contribute to messages.
@Suite struct ExperimentLayerTests {
    private func recipe(_ slug: String, rollout: Bool = false, published: String? = nil, text: String? = nil) throws
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
        let set = ExperimentSet(live: scene.live)
        #expect(set.enrolledBranches(scene.enrollments).map(\.slug) == ["r0", "r1", "e0", "e1", "E3", "e2"])
        #expect(set.layers(scene.enrollments).map(\.enrollment) == set.enrolledBranches(scene.enrollments))
        #expect(set.layers(scene.enrollments.reversed()).map(\.enrollment.slug).first == "r0")
    }

    @Test func experimentsLieOverRollouts() throws {
        var scene = EvolutionScene(
            try recipe("e", text: "experiment"),
            try recipe("r", rollout: true, published: "2026-01-01T00:00:00Z", text: "rollout"))
        scene.evolve()
        let catalog = Catalog(
            manifest: try Sample.manifest(), manifestRevision: 1,
            layers: ExperimentSet(live: scene.live).layers(scene.enrollments), revision: 1)
        #expect(catalog.message("m")?.definition.text == "experiment")
        #expect(catalog.enrollment(in: "r")?.branch == "b")
    }

    @Test func onlyWhoIsInContributes() throws {
        var scene = EvolutionScene(try recipe("a"), try recipe("b"), try recipe("c"))
        scene.evolve()
        scene.participation = Participation(optedOut: ["b"])
        scene.evolve()
        let set = ExperimentSet(live: [scene.live[0], scene.live[1]], paused: [scene.live[2]])
        #expect(set.layers(scene.enrollments).map(\.enrollment.slug) == ["a"])
        #expect(ExperimentSet(live: []).layers(scene.enrollments).isEmpty)
    }

    @Test func otherFeaturesMakeNoLayer() throws {
        let silent: JSONValue = ["slug": "b", "ratio": 1, "features": []]
        let branches: JSONValue = [silent, SampleExperiment.branch("other", ratio: 0)]
        var scene = EvolutionScene(
            try SampleExperiment.experiment("e", feature: "f"),
            try SampleExperiment.experiment("silent", ["branches": branches]))
        scene.evolve()
        let set = ExperimentSet(live: scene.live)
        #expect(set.enrolledBranches(scene.enrollments).count == 2)
        #expect(set.layers(scene.enrollments).map(\.enrollment) == [EnrolledBranch(slug: "silent", branch: "b")])
        #expect(set.layers(scene.enrollments).first?.value == [:])
    }

    @Test func datesBeforeNoneAreAfter() {
        let early = Timestamp(seconds: -5)
        let places = [
            CanonicalPlace(isRollout: true, published: nil, slug: "z"),
            CanonicalPlace(isRollout: true, published: early, slug: "a"),
            CanonicalPlace(isRollout: false, published: nil, slug: "a"),
            CanonicalPlace(isRollout: false, published: nil, slug: "b"),
            CanonicalPlace(isRollout: false, published: early, slug: "a"),
        ]
        #expect(places.reversed().sorted() == places)
    }
}
