import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherService

/// Segments as recipes, and what reads them (docs/reference/audiences.md#segments).
@Suite struct SegmentPublishingTests {
    private var editing = Editing()

    init() throws { try editing.manifest(["attributes": ["plan": "string", "n": "number"]]) }

    private static func segment(_ expression: String) -> JSONValue {
        ["kind": "segment", "expression": .string(expression)]
    }

    private static func message(_ trigger: String) -> JSONValue {
        [
            "triggers": ["T": .string(trigger)],
            "messages": ["m": ["surface": "microsurvey", "text": "x", "trigger-if-all": ["T"]]],
        ]
    }

    private mutating func refusal(_ slug: Identifier, _ document: JSONValue, draft: Bool = false) -> PublishRefusal? {
        editing.refusal(.putRecipe(slug: slug, document.encoded, asDraft: draft))
    }

    private func isOffered(_ attributes: JSONObject) throws -> Bool {
        let app = try #require(editing.snapshot?.compiledApp)
        let query = PollQuery(
            clientID: "c", surfaces: ["microsurvey"], context: app.context(.object(attributes)), now: editing.now)
        return !app.decide(query, state: ClientState()).offers.isEmpty
    }

    @Test mutating func `A message follows the segment that its trigger reads`() throws {
        try editing.recipe("offer", Self.message("segment.gold && n > 1"))
        #expect(try !isOffered(["plan": "gold", "n": 2]), "no segment is live")
        try editing.recipe("gold", Self.segment("plan == 'gold'"))
        #expect(try isOffered(["plan": "gold", "n": 2]) && !isOffered(["plan": "free", "n": 2]))
        try editing.recipe("gold", Self.segment("segment.paid && n < 9"))
        #expect(try !isOffered(["plan": "gold", "n": 2]))
        try editing.recipe("paid", Self.segment("plan != 'free'"))
        #expect(try isOffered(["plan": "gold", "n": 2]) && !isOffered(["plan": "gold", "n": 9]))
        try editing.recipe("paid", Self.segment("n"))
        #expect(try !isOffered(["plan": "gold", "n": 2]), "a number is neither true nor false")
        editing.restart()
        try editing.recipe("paid", Self.segment("true"))
        #expect(try isOffered(["plan": "gold", "n": 2]))
    }

    @Test mutating func `A trigger that names no live segment is warned of`() throws {
        let receipt = try editing.recipe("offer", Self.message("segment.gold"))
        #expect(receipt?.warnings.map(\.code) == ["unknown_segment"])
        try editing.recipe("gold", Self.segment("plan == 'gold'"), draft: true)
        #expect(try editing.recipe("offer", Self.message("segment.gold || n > 1"))?.warnings.isEmpty == false)
        try editing.put(.setState(slug: "gold", .live))
        #expect(try editing.recipe("offer", Self.message("segment.gold"))?.warnings.isEmpty == true)
    }

    @Test mutating func `What is read cannot go`() throws {
        try editing.recipe("gold", Self.segment("plan == 'gold'"))
        try editing.recipe("both", Self.segment("segment.gold && n > 1"))
        try editing.recipe("offer", Self.message("segment.both"))
        try editing.put(.setState(slug: "offer", .paused))
        func users(_ refusal: PublishRefusal?) -> [Identifier?]? {
            guard case .inUse(let users)? = refusal else { return nil }
            return users
        }
        #expect(users(editing.refusal(.deleteRecipe(slug: "gold"))) == ["both"])
        #expect(users(editing.refusal(.setState(slug: "both", .ended))) == ["offer"])
        #expect(users(refusal("gold", Self.message("true"))) == ["both"])
        #expect(editing.refusal(.setState(slug: "gold", .paused))?.name == "noTransition live paused")
        try editing.put(.setState(slug: "offer", .ended))
        try editing.put(.setState(slug: "both", .ended))
        try editing.put(.deleteRecipe(slug: "gold"))
        #expect(editing.snapshot?.recipes.keys.contains("gold") == false)
        try editing.recipe("gold", Self.segment("true"))
        try editing.manifest([
            "attributes": ["plan": "string", "n": "number"], "messaging": ["triggers": ["G": "segment.gold"]],
        ])
        #expect(users(editing.refusal(.deleteRecipe(slug: "gold"))) == [nil])
    }

    @Test mutating func `A circle is refused wherever a segment would come into force`() throws {
        #expect(refusal("a", Self.segment("segment.a"))?.faultLocations == ["circular /expression"])
        try editing.recipe("a", Self.segment("segment.b"))
        #expect(refusal("b", Self.segment("segment.c || segment.a"))?.faultLocations == ["circular /expression"])
        try editing.recipe("b", Self.segment("segment.a"), draft: true)
        #expect(editing.refusal(.setState(slug: "b", .live))?.faultLocations == ["circular /expression"])
        let results = try editing.batch(
            #"{"data":[{"slug":"c","kind":"segment","expression":"segment.d"},"#
                + #"{"slug":"d","kind":"segment","expression":"segment.c"}]}"#)
        #expect(results.map { (try? $0.outcome.get()) != nil } == [true, false])
    }

    @Test mutating func `An attribute named segment stays one`() throws {
        let declared: JSONObject = ["plan": "string", "segment": "object"]
        try editing.recipe("gold", Self.segment("plan == 'gold'"))
        let manifest = SampleManifest.with(["attributes": .object(declared)]).encoded
        #expect(editing.refusal(.putManifest(manifest))?.faultLocations == ["reserved /attributes/segment"])
        try editing.put(.deleteRecipe(slug: "gold"))
        try editing.manifest(["attributes": .object(declared)])
        #expect(refusal("gold", Self.segment("true"))?.faultLocations == ["reserved /kind"])
        try editing.recipe("offer", Self.message("segment.gold == 'x'"))
        #expect(try isOffered(["segment": ["gold": "x"]]))
    }

    @Test mutating func `Conditions and predicates that read no live segment are warned of`() throws {
        var survey: JSONObject = [
            "kind": "survey", "name": "S", "predicates": ["fan": "segment.gold && answers.a == 'x'"],
            "questions": [
                ["id": "a", "question": "A?", "question_type": "single_text_field"],
                [
                    "id": "b", "question": "B?", "question_type": "single_text_field",
                    "show_if": ["operation": "custom", "ids": ["a"], "extra": ["predicate": "fan"]],
                ],
            ],
            "notify": ["url": "https://hooks.example/bw", "when": ["ref": "segment.paid", "op": "eq", "value": true]],
        ]
        let places = ["/notify/when/ref", "/predicates/fan"]
        let warnings = try editing.recipe("s", .object(survey))?.warnings.filter { $0.code == "unknown_segment" } ?? []
        #expect(warnings.map(\.pointer.description).sorted() == places)
        try editing.recipe("gold", Self.segment("plan == 'gold'"))
        try editing.recipe("paid", Self.segment("true"))
        let flow: JSONValue = [
            "kind": "flow", "steps": [["id": "w", "type": "welcome", "config": ["title": "segment.none"]]],
            "audience_rules": [["trait": "segment.other", "operator": "equals", "value": true]],
        ]
        let own = try editing.recipe("f", flow)?.warnings.filter { $0.code == "unknown_segment" } ?? []
        #expect(own.map(\.pointer.description) == ["/audience_rules/0/trait"])
        survey["name"] = "T"
        let receipt = try editing.recipe("s", .object(survey))
        #expect(receipt?.warnings.contains { $0.code == "unknown_segment" } == false)
    }

    @Test mutating func `An app has 200 segments at most`() throws {
        for number in 0..<200 { try editing.recipe("s\(number)", Self.segment("n > \(number)")) }
        #expect(refusal("more", Self.segment("true"))?.faultLocations == ["too_many "])
        try editing.recipe("s7", Self.segment("true"))
    }

    /// The recipe counts its clients anew when a segment that its targeting reads changes.
    @Test mutating func `A changed segment begins a period of the goals of those that read it`() throws {
        func recipe(_ targeting: String) -> JSONValue {
            Shelf.recipe(
                "e",
                [
                    "branches": [["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1]],
                    "goals": [["name": "bought", "event": "purchase", "counts": "converted"]],
                    "targeting": .string(targeting),
                ])
        }
        func count() -> Int { editing.snapshot?.periodCount(of: "e") ?? 0 }
        try editing.recipe("gold", Self.segment("segment.paid"))
        try editing.recipe("paid", Self.segment("plan == 'gold'"))
        try editing.recipe("other", Self.segment("true"))
        try editing.recipe("e", recipe("segment.gold"))
        #expect(count() == 1)
        try editing.recipe("other", Self.segment("false"))
        #expect(count() == 1)
        try editing.recipe("paid", Self.segment("plan == 'pro'"))
        #expect(count() == 2)
        try editing.recipe("gold", ["kind": "segment", "name": "G", "expression": "segment.paid"])
        #expect(count() == 2, "a name changes nothing")
    }

    private static let vectors: [JSONValue] = {
        let file = SampleFolders.root.appending(path: "vectors/audiences.json")
        let text = (try? Data(contentsOf: file)) ?? Data()
        let cases = ((try? JSONValue(parsing: Array(text))) ?? .null)["cases"].array ?? []
        return cases.filter { $0["group"] == "faults" && $0["what"] == "segment" }
    }()

    @Test(arguments: vectors) mutating func `Each vector has its faults`(_ vector: JSONValue) throws {
        try editing.manifest(["attributes": ["plan": "string"]])
        for (name, expression) in vector["live"].object ?? [:] {
            try editing.recipe(Identifier(name), Self.segment(expression.string ?? ""))
        }
        let wanted = (vector["want"].array ?? []).compactMap { fault -> String? in
            guard let words = fault.array?.compactMap(\.string), words.count == 2 else { return nil }
            return "\(words[1]) \(words[0])"
        }
        let slug = Identifier(vector["slug"].string ?? "")
        #expect(refusal(slug, vector["document"])?.faultLocations ?? [] == wanted, "\(vector.text)")
    }

    @Test func `There are vectors`() { #expect(Self.vectors.count >= 4) }
}

/// What files do with segments.
extension SegmentPublishingTests {
    @Test(
        arguments: [
            (["expression": 1], ["type /expression"]), ([:], ["required /expression"]),
            (["expression": "plan =="], ["jexl_parse /expression"]),
            (["expression": "true", "offer": [:], "name": 1], ["unknown_key /offer", "type /name"]),
            (["expression": "true", "endDate": "2030-01-01"], ["unknown_key /endDate"]),
        ] as [(JSONObject, [String])])
    mutating func `Each member is checked`(_ members: JSONObject, _ wanted: [String]) throws {
        var document = members
        document["kind"] = "segment"
        #expect(Set(refusal("gold", .object(document))?.faultLocations ?? []) == Set(wanted))
    }
}
