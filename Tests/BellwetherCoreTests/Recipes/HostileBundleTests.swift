import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// A bundle comes over the network: any document is either read or refused.
@Suite struct HostileBundleTests {
    private func faults(_ document: JSONValue) -> [String] {
        let findings = Findings()
        let bundle = CompiledAppBundle.read(document, findings: findings)
        #expect((bundle == nil) == !findings.faults.isEmpty, "refused with a reason, or read")
        return findings.faultLocations
    }

    @Test(arguments: [JSONValue.null, 5, "bundle", [], true, 1.5])
    func noObject(_ document: JSONValue) { #expect(faults(document) == ["type "]) }

    @Test func allThatIsMissingIsTold() {
        #expect(
            faults([:]) == [
                "required /revision", "required /generated_at", "required /manifest_revision", "required /manifest",
                "required /recipes", "required /recipe_revisions", "required /strings",
            ])
    }

    @Test(
        arguments: [
            ("revision", -1, "range /revision"), ("revision", 1.0, "type /revision"),
            ("generated_at", "yesterday", "time /generated_at"), ("manifest", [], "type /manifest"),
            ("recipes", [:], "type /recipes"), ("strings", [], "type /strings"),
            ("recipe_revisions", [], "length /recipe_revisions"), ("manifest_revision", "4", "type /manifest_revision"),
            ("manifest", ["app_name": "a", "default_locale": "?", "surfaces": []], "locale /manifest/default_locale"),
        ] as [(String, JSONValue, String)])
    func wrongMembersAreFaults(_ key: String, _ value: JSONValue, _ place: String) {
        #expect(faults(CompiledAppBundleTests.document([key: value])) == [place])
    }

    @Test(
        arguments: [
            ("paused", 5, 1), ("paused", [5, [:], ["recipe": [:]]], 4),
            ("message_revisions", [], 1), ("message_revisions", ["m": 5], 1), ("message_revisions", ["m": [5]], 1),
            ("message_revisions", ["m": [["published": 1, "revision": 2, "message": ["surface": "x"]]]], 1),
            ("message_revisions", ["m": [["published": -1, "revision": 1.5, "message": [:]]]], 2),
        ] as [(String, JSONValue, Int)])
    func wrongExtrasAreWarnings(_ key: String, _ value: JSONValue, _ count: Int) {
        let findings = Findings()
        let bundle = CompiledAppBundle.read(CompiledAppBundleTests.document([key: value]), findings: findings)
        #expect(bundle?.compiledApp.catalog.message("m")?.revision == 7 && findings.faults.isEmpty)
        #expect(findings.warnings.count == count, "\(findings.warningLocations)")
    }

    @Test func greatestNumbers() throws {
        let most = JSONValue.integer(.max)
        let bundle = CompiledAppBundle.read(
            CompiledAppBundleTests.document([
                "revision": most, "manifest_revision": most,
                "recipe_revisions": [["slug": "bare", "revision": most], ["slug": "e", "revision": most]],
            ]), findings: Findings())
        #expect(try #require(bundle).compiledApp.catalog.message("m")?.revision == .max)
        #expect(bundle?.revision == UInt64(Int64.max))
    }

    @Test func deepAndLong() {
        let deep = String(repeating: "[", count: 100_000)
        let findings = Findings()
        #expect(CompiledAppBundle.read(Array(deep.utf8), findings: findings) == nil)
        let text = CompiledAppBundleTests.document().encoded
        let limits = JSONLimits(bytes: text.count - 1)
        #expect(CompiledAppBundle.read(text, limits: limits, findings: findings) == nil)
        #expect(findings.faults.count == 2)
    }

    @Test func manyFaultsAreNotAllTold() {
        let recipes = JSONValue.array(Array(repeating: 5, count: 3000))
        let numbers = JSONValue.array((0..<3000).map { ["slug": .string("r\($0)"), "revision": 1] })
        let findings = Findings()
        let bundle = CompiledAppBundle.read(
            CompiledAppBundleTests.document(["recipes": recipes, "recipe_revisions": numbers]), findings: findings)
        #expect(bundle?.compiledApp.catalog.messageCount == 0 && findings.warnings.count == Findings.maximum)
    }

    /// A text of one locale needs an entry in the index of every locale.
    @Test func fewTextsInManyLocales() throws {
        let texts = JSONObject((0..<4100).map { (key: "k\($0)", value: "t") })
        var strings = JSONObject((0..<4000).map { (key: "l\($0)", value: JSONValue.object([:])) })
        strings["zz"] = .object(["T": .object(texts)])
        strings["zzz"] = .object(["T": ["k": "t"]])
        let findings = Findings()
        let bundle = CompiledAppBundle.read(
            CompiledAppBundleTests.document(["strings": .object(strings)]), findings: findings)
        #expect(findings.warningLocations == ["length /strings/zz"])
        #expect(try #require(bundle).compiledApp.strings.localeNames.count == 4000)
    }

    /// One member of a valid bundle, at any depth, is replaced by a random value.
    @Test func randomMutations() {
        var generator = SeededGenerator(seed: 11)
        let good = CompiledAppBundleTests.document([
            "paused": [["slug": "p", "revision": 3, "recipe": SampleExperiment.document(slug: "p")]],
            "message_revisions": ["m": [["published": 7, "revision": 8, "message": [:]]]],
        ])
        var read = 0
        for _ in 0..<2000 {
            let mutant = Self.mutated(good, using: &generator)
            if faults(mutant).isEmpty { read += 1 }
        }
        #expect((200..<1999).contains(read), "some are read, some are not")
    }

    private static func mutated(_ value: JSONValue, using generator: inout SeededGenerator) -> JSONValue {
        guard Int.random(in: 0..<5, using: &generator) > 0 else { return RandomJSON.value(using: &generator) }
        switch value {
        case .object(let members) where !members.isEmpty:
            let chosen = Int.random(in: 0..<members.count, using: &generator)
            var result = JSONObject()
            for (index, member) in members.enumerated() {
                result[member.key] = index == chosen ? mutated(member.value, using: &generator) : member.value
            }
            return .object(result)
        case .array(var items) where !items.isEmpty:
            let chosen = Int.random(in: 0..<items.count, using: &generator)
            items[chosen] = mutated(items[chosen], using: &generator)
            return .array(items)
        default: return RandomJSON.value(using: &generator)
        }
    }
}
