import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The whole decision: the enrollments at a poll, and the messages that the client gets.
@Suite struct CompiledAppTests {
    private static func compiledApp(_ recipes: [Recipe], in manifest: Manifest) -> CompiledApp {
        CompiledApp(
            manifest: manifest, manifestRevision: 1, strings: StringTables(defaultLocale: "en-US", locales: [:]),
            recipes: RecipesInForce(live: recipes), revision: 1)
    }

    /// A branch with one message.
    private static func branch(_ slug: Identifier, ratio: JSONValue) -> JSONValue {
        let message: JSONValue = ["text": "A question?", "surface": "microsurvey", "experiment": "{experiment}"]
        return [
            "slug": .string(slug), "ratio": ratio,
            "features": [["featureId": "messaging", "value": ["messages": .object([slug.text: message])]]],
        ]
    }

    /// 100,000 clients poll. The recipe has 30 % of the buckets, which wrap around, and ratios of 80:10:10. Each share
    /// is within three standard deviations. The ids are fixed, so the outcome is the same in every run.
    @Test func clientsSpreadAsBucketsAndRatiosSay() throws {
        let clients = 100_000
        let manifest = try Sample.manifest()
        let document = SampleExperiment.document(
            SampleExperiment.buckets(["start": 9000, "count": 3000]).merging([
                "branches": [
                    Self.branch("a", ratio: 80), Self.branch("b", ratio: 10), Self.branch("c", ratio: 10),
                ]
            ]))
        let compiledApp = Self.compiledApp([try Sample.recipe(document, in: manifest)], in: manifest)
        let context = Sample.context()
        let memo = ContextMemo(for: compiledApp.catalog)
        var counts: [String: Int] = [:]
        var others = 0
        for index in 0..<clients {
            let query = PollQuery(
                clientID: "client-\(index)", surfaces: ["microsurvey"], context: context, now: Sample.now)
            let decision = compiledApp.decide(query, state: ClientState(), memo: memo)
            let seen = decision.offers.first?.message.key
            let enrollments = decision.effects.enrollments
            // The loop has no expectation for each client: 100,000 expectations take longer than all the rest.
            let isReported = enrollments?.changes.map(\.name) == (seen == nil ? nil : ["enrollment"])
            if !isReported || enrollments?.enrollments.first?.status.branch != seen { others += 1 }
            counts[seen?.text ?? "out", default: 0] += 1
        }
        #expect(others == 0)
        for (seen, share) in ["out": 0.7, "a": 0.24, "b": 0.03, "c": 0.03] {
            let expected = Double(clients) * share
            let deviation = (expected * (1 - share)).squareRoot()
            #expect(abs(Double(counts[seen] ?? 0) - expected) < 3 * deviation, "\(seen): \(counts)")
        }
    }
}
