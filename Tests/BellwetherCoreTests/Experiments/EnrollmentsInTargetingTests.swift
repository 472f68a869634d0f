import BellwetherCore
import BellwetherJSON
import Testing

/// The values that recipes see of other recipes: `active_experiments`, `enrollments` and `enrollments_map`
/// (docs/reference/expressions.md#targeting-context).
@Suite struct EnrollmentsInTargetingTests {
    private static func recipe(_ slug: Identifier, _ targeting: String, isRollout: Bool = false) throws -> Experiment {
        try SampleExperiment.experiment(
            slug,
            [
                "targeting": .string(targeting), "isRollout": .bool(isRollout),
                "branches": [SampleExperiment.branch("control", feature: slug)],
            ])
    }

    @Test func aRecipeSeesWhatBecameOfThoseBeforeIt() throws {
        var scene = EvolutionScene()
        scene.live = [
            try Self.recipe("x", "'r' in active_experiments && enrollments_map['r'] == 'control'"),
            try Self.recipe("y", "('r' in active_experiments) == false"),
            try Self.recipe("r", "true", isRollout: true),
        ]
        scene.evolve()
        #expect(scene.words("r") == "Enrolled Qualified control")
        #expect(scene.status("x")?.isEnrolled == true)
        #expect(scene.words("y") == "NotEnrolled NotTargeted")
    }

    /// The client is disqualified from the recipe first; then the recipe ends.
    @Test func whoLeftIsInEnrollmentsStill() throws {
        var scene = EvolutionScene(try Self.recipe("first", "age == 40"))
        scene.attributes = ["age": 40]
        scene.evolve()
        let watchers = try [
            ("active", "'first' in active_experiments"), ("ever", "'first' in enrollments"),
            ("branch", "enrollments_map['first'] == 'control'"),
        ].map { try Self.recipe($0, $1, isRollout: true) }
        scene.attributes = ["age": 41]
        scene.evolve()
        #expect(scene.words("first") == "Disqualified NotTargeted control")
        for live in [try [Self.recipe("first", "age == 40")], []] {
            scene.live = live + watchers
            scene.evolve()
            #expect(scene.status("active")?.isEnrolled == false)
            #expect(scene.status("ever")?.isEnrolled == true)
            #expect(scene.status("branch")?.isEnrolled == true)
        }
        #expect(scene.status("first")?.name == "WasEnrolled")
    }
}
