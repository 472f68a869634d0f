import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// The invariants that hold whichever recipes are added and removed.
@Suite struct EvolutionPropertyTests {
    private static let targetings: [JSONValue] = [
        nil, "true", "false", "age > 30", "is_already_enrolled || age > 30", "missing", "locale == 'en-US'",
    ]

    private static func recipe(_ slug: Identifier, _ random: inout SeededGenerator) throws -> Experiment {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        let slugs = ["a", "b", "c"].shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        let features = ["f", "g", "messaging"]
        var changes: JSONObject = [
            "isEnrollmentPaused": .bool(chance(15)), "isRollout": .bool(chance(40)),
            "isFirefoxLabsOptIn": .bool(chance(5)), "targeting": targetings.randomElement(using: &random) ?? nil,
            "branches": .array(
                slugs.map {
                    let feature = features.randomElement(using: &random) ?? "f"
                    return SampleExperiment.branch(
                        Identifier($0), ratio: .integer(.random(in: 1...3, using: &random)),
                        feature: Identifier(feature))
                }),
        ]
        if chance(60) {
            changes["publishedDate"] = .string("2025-0\(Int.random(in: 1...9, using: &random))-01T00:00:00Z")
        }
        let buckets: JSONObject = [
            "namespace": .string(chance(50) ? "shared" : slug),
            "start": .integer(.random(in: 0...9999, using: &random)),
            "count": .integer(.random(in: 3000...10_000, using: &random)),
        ]
        return try SampleExperiment.experiment(slug, changes.merging(SampleExperiment.buckets(buckets)))
    }

    static func change(_ scene: inout EvolutionScene, _ random: inout SeededGenerator) throws {
        scene.now = scene.now.adding(seconds: .random(in: 0...100 * 86_400, using: &random))
        scene.attributes = ["age": .integer(.random(in: 20...40, using: &random))]
        let slugs = (0..<8).map { "e\($0)" }
        for slug in slugs where Int.random(in: 0..<3, using: &random) == 0 {
            scene.live.removeAll { $0.slug == slug }
            scene.paused.removeAll { $0.slug == slug }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: break
            case 1: scene.paused.append(try recipe(Identifier(slug), &random))
            default: scene.live.append(try recipe(Identifier(slug), &random))
            }
        }
        scene.live.shuffle(using: &random)
        let one = slugs.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<6, using: &random) {
        case 0: scene.participation = Participation(experiments: false)
        case 1: scene.participation = Participation(rollouts: false, optedOut: [Identifier(one)])
        case 2: scene.participation = Participation(optedIn: [EnrolledBranch(slug: Identifier(one), branch: "a")])
        default: scene.participation = .full
        }
    }

    /// `EvolutionScene.evolve` checks that a second evolution changes nothing.
    @Test(arguments: 0..<Trials.count(12, many: 40) as Range<UInt64>)
    func evolutionIsIdempotentAndKeepsItsPromises(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var scene = EvolutionScene()
        for _ in 0..<15 {
            try Self.change(&scene, &random)
            let before = Dictionary(uniqueKeysWithValues: scene.enrollments.map { ($0.slug, $0.status) })
            let told = scene.evolve()
            #expect(Set(scene.enrollments.map(\.slug)).count == scene.enrollments.count)
            let kinds = Dictionary(uniqueKeysWithValues: (scene.live + scene.paused).map { ($0.slug, $0.isRollout) })
            for (slug, old) in before {
                let new = scene.status(Identifier(slug.text))
                let isChosen = scene.participation.optedIn.contains { $0.slug == slug }
                switch (old, new) {
                case (.enrolled(_, let one), .enrolled(_, let other)?): #expect(one == other || isChosen)
                case (.disqualified, .enrolled?), (.wasEnrolled, .enrolled?):
                    #expect(kinds[slug] == true || isChosen, "only rollouts take back")
                default: break
                }
                if old.isEnrolled != (new?.isEnrolled == true) {
                    #expect(told.contains { $0.contains(" \(slug) ") }, "what changes is told")
                }
            }
            var writer = PackedWriter()
            let state = ClientEnrollments(enrollments: scene.enrollments, participation: scene.participation)
            state.encode(into: &writer)
            var reader = PackedReader(writer.bytes)
            #expect(ClientEnrollments(from: &reader) == state)
        }
    }

    /// Other recipes are added, removed and changed around one recipe, which sets only `messaging`.
    @Test(arguments: 0..<Trials.count(12, many: 40) as Range<UInt64>)
    func aBranchIsStableUnderAnyChangeOfOthers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let one = try SampleExperiment.experiment("one", ["isRollout": .bool(seed % 2 == 0)])
        var alone = EvolutionScene(one)
        alone.ids = RandomizationIDs(nimbusID: "client-\(seed)", userID: nil)
        alone.evolve()
        let status = try #require(alone.status("one"))
        #expect(status.isEnrolled)
        var scene = EvolutionScene()
        scene.ids = alone.ids
        for _ in 0..<10 {
            try Self.change(&scene, &random)
            scene.participation = .full
            scene.live.removeAll { $0.slug == "one" }
            scene.live.insert(one, at: scene.live.isEmpty ? 0 : Int.random(in: scene.live.indices, using: &random))
            scene.evolve()
            #expect(scene.status("one") == status)
        }
    }

    /// A memo of the decisions that depend on the context alone changes nothing: an evolution with a filled memo gives
    /// the same result as one without.
    @Test(arguments: 0..<60)
    func aMemoChangesNothing(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var scene = EvolutionScene()
        for _ in 0..<15 {
            try Self.change(&scene, &random)
            let memo = try scene.memo()
            for _ in 0..<3 {
                #expect(scene.result(memo: memo) == scene.result(memo: nil))
                scene.evolve()
                scene.now = scene.now.adding(seconds: 40_000)
            }
        }
    }

    /// Half of the buckets and ratios of 80:10:10; each share is within three standard deviations.
    @Test func clientsSpreadAsTheRatiosSay() throws {
        let clients = 100_000
        let branches: JSONValue = [
            SampleExperiment.branch("a", ratio: 80), SampleExperiment.branch("b", ratio: 10),
            SampleExperiment.branch("c", ratio: 10),
        ]
        let recipe = try SampleExperiment.experiment(
            "e", SampleExperiment.buckets(["start": 7000, "count": 5000]).merging(["branches": branches]))
        let set = ExperimentSet(live: [recipe])
        let environment = TriggerEnvironment(
            context: Sample.context(), clientID: nil, behavior: BehaviorHistory(), branches: .none, now: Sample.now)
        var counts: [String: Int] = [:]
        for index in 0..<clients {
            let subject = EnrollmentSubject(
                appName: "sample", channel: "release", ids: RandomizationIDs(nimbusID: "client-\(index)", userID: nil),
                participation: .full)
            let result = EnrollmentEvolution(
                recipes: set, subject: subject, environment: environment, clock: DecisionClock(at: Sample.now)
            ).evolve([])
            counts[result.enrollments.first?.status.branch?.text ?? "out", default: 0] += 1
        }
        for (branch, share) in ["out": 0.5, "a": 0.4, "b": 0.05, "c": 0.05] {
            let expected = Double(clients) * share
            let deviation = (expected * (1 - share)).squareRoot()
            #expect(abs(Double(counts[branch] ?? 0) - expected) < 3 * deviation, "\(branch): \(counts)")
        }
    }
}
