import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherCore

/// Which contexts are alike to recipes.
@Suite struct ContextGatesTests {
    private static func gates(_ targeting: String?, _ attributes: [String: JSONValue]) throws -> ContextGates {
        let targeting = targeting.map(JSONValue.string) ?? .null
        let set = ExperimentSet(live: [try SampleExperiment.experiment("e", ["targeting": targeting])])
        return ContextGates(set, Sample.context(attributes), appName: "sample", channel: "release")
    }

    @Test(
        arguments: [
            (nil, ["age": 40], ["age": 20], true), ("true", ["age": 40], ["age": 20], true),
            ("age > 30", ["age": 40], ["age": 31], true), ("age > 30", ["age": 40], ["age": 20], false),
            ("age > 30", ["age": 40, "os": "a"], ["age": 40, "os": "b"], true),
            ("is_already_enrolled || age > 30", ["age": 40], ["age": 31], true),
            ("is_already_enrolled || age > 30", ["age": 40], ["age": 20], false),
            ("'visit'|eventSum('Days', 2, 0) > 1", ["age": 40], ["age": 20], true),
            ("'visit'|eventSum('Days', 2, 0) > age", ["age": 40], ["age": 40, "os": "a"], true),
            ("'visit'|eventSum('Days', 2, 0) > age", ["age": 40], ["age": 41], false),
            ("'visit'|eventSum('Days', 2, 0) > age", ["age": 40], [:], false),
            ("current_date > 5 && nimbus_id != ''", ["age": 40], ["age": 20], true),
            ("current_date > 5", ["age": 40], ["current_date": 1], false),
            ("current_date > 5", ["age": 40], ["current_date": nil], false),
            ("age > missing", ["age": 40, "os": "a"], ["age": 40, "os": "b"], true),
            ("age|nothing", ["age": 40], ["age": 41], false),
            ("true", ["nimbus_id": "a"], ["nimbus_id": "b"], false), ("true", ["user_id": "a"], [:], false),
            ("true", ["nimbus_id": "a"], ["user_id": "a"], false),
        ] as [(String?, [String: JSONValue], [String: JSONValue], Bool)])
    func contextsAreAlikeThatMakeNoDifference(
        targeting: String?, one: [String: JSONValue], other: [String: JSONValue], areAlike: Bool
    ) throws {
        let digests = try [one, other].map { try Self.gates(targeting, $0).digest }
        #expect((digests[0] == digests[1]) == areAlike)
        #expect(try Self.gates(targeting, one).digest == digests[0])
    }

    @Test(
        arguments: [
            ("age > 30", 40, [.admitsStrangers, .keepsMembers]), ("age > 30", 20, []),
            ("is_already_enrolled || age > 30", 40, [.admitsStrangers, .keepsMembers]),
            ("is_already_enrolled || age > 30", 20, [.keepsMembers]),
            ("is_already_enrolled == false && age > 30", 40, [.admitsStrangers]),
            ("is_already_enrolled && 'visit'|eventSum('Days', 2, 0) > 1", 40, [.isPerClient]),
            ("age > missing", 40, []),
        ] as [(String, JSONValue, ContextGates.Verdict)])
    func targetingIsJudgedForWhoIsInAndWhoIsNot(
        targeting: String, age: JSONValue, verdict: ContextGates.Verdict
    ) throws {
        let gates = try Self.gates(targeting, ["age": age])
        #expect(gates.verdict(on: try #require(gates.recipes.members.first)) == verdict)
    }

    @Test func theLanguageCountsWhereItIsAskedFor() throws {
        func digest(_ targeting: String, _ locale: String) throws -> Int {
            let set = ExperimentSet(
                live: [try SampleExperiment.experiment("e", ["targeting": .string(targeting)])])
            return ContextGates(set, Sample.context(locale: locale), appName: nil, channel: nil).digest
        }
        for targeting in ["language == 'de'", "language == 'de' && current_date > 5"] {
            #expect(try digest(targeting, "de-AT") == digest(targeting, "de"))
            #expect(try digest(targeting, "de-AT") != digest(targeting, "fr"))
        }
        #expect(try digest("locale != 'de' && current_date > 5", "de-AT") != digest("locale != 'de'", "de"))
    }

    @Test func anotherAppsRecipesAdmitNobody() throws {
        let set = ExperimentSet(live: [try SampleExperiment.experiment("e")])
        for (app, channel) in [("another", "release"), ("sample", "beta")] {
            let gates = ContextGates(set, Sample.context([:]), appName: app, channel: channel)
            #expect(gates.verdict(on: try #require(set.members.first)) == [])
        }
    }

    /// Of one client, at one time, in many contexts.
    @Test func whatChangesNothingInAContextChangesNothingInItsLikes() throws {
        var (alike, unalike, changing) = (0, 0, 0)
        for seed in 0..<60 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var scene = EvolutionScene()
            for _ in 0..<10 {
                try EvolutionPropertyTests.change(&scene, &random)
                var known: [Int: (isUnchanged: Bool, enrollments: [Enrollment])] = [:]
                for age in 28...33 {
                    scene.attributes = ["age": .integer(Int64(age)), "os": .string("\(age)")]
                    let gates = ContextGates(
                        ExperimentSet(live: scene.live, paused: scene.paused), Sample.context(scene.attributes),
                        appName: scene.appName, channel: scene.channel)
                    var copy = scene
                    let told = copy.evolve()
                    let outcome = (told.isEmpty && copy.enrollments == scene.enrollments, copy.enrollments)
                    if !outcome.0 { changing += 1 }
                    if let earlier = known[gates.digest] {
                        #expect(earlier.isUnchanged == outcome.0 && earlier.enrollments == outcome.1, "seed \(seed)")
                        alike += 1
                    } else if !known.isEmpty {
                        unalike += 1
                    }
                    known[gates.digest] = outcome
                }
                scene.evolve()
            }
        }
        #expect(alike > 500 && unalike > 50 && changing > 50, "\(alike) \(unalike) \(changing)")
    }
}
