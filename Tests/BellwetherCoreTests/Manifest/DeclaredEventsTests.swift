import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The events that a manifest declares (docs/reference/events.md#declared-events).
@Suite struct DeclaredEventsTests {
    private func faults(_ events: JSONValue) -> [String] {
        let findings = Findings()
        _ = Manifest.read(Sample.document(["events": events]), findings: findings)
        findings.settle()
        return findings.faultLocations.sorted()
    }

    @Test func `A property has the type that the manifest declares`() throws {
        let events = try Sample.manifest(
            ["events": ["purchase": ["properties": ["amount": "number", "plan": "string"]], "opened": [:]]]
        ).events
        #expect(events["purchase"]?.properties == ["amount": .number, "plan": .string])
        #expect(events["opened"]?.properties == [:] && events["closed"] == nil)
        #expect(try Sample.manifest().events.isEmpty)
    }

    /// The cases of `vectors/audiences.json` and more.
    @Test(
        arguments: [
            ([], ["type /events"]), (["e": 5], ["type /events/e"]),
            (["e": ["propertys": [:]]], ["unknown_key /events/e/propertys"]),
            (
                ["e": ["properties": ["p": "int", "q": 5]]],
                ["choice /events/e/properties/p", "choice /events/e/properties/q"]
            ),
            (["e": ["properties": ["": "number"]]], ["identifier /events/e/properties/"]),
            (["": [:]], ["identifier /events/"]), (["a\u{1}b": [:]], ["identifier /events/a\u{1}b"]),
            (["a": ["of": "b"], "b": [:]], ["required /events/a/where"]),
            (["a": ["sum": "n"]], ["required /events/a/of"]),
            (["a": ["of": "c", "where": "true"]], ["reference /events/a/of"]),
            (
                ["a": ["of": "b", "where": "true"], "b": ["of": "c", "where": "true"], "c": [:]],
                ["reference /events/a/of"]
            ),
            (["a": ["of": "a", "where": "true"]], ["reference /events/a/of"]),
            (["a": ["of": "b", "where": "n > 1"], "b": [:]], ["reference /events/a/where"]),
            (["a": ["of": "b", "where": "'b'|eventSum('Days', 1) > 1"], "b": [:]], ["reference /events/a/where"]),
            (["a": ["of": "b", "sum": "t"], "b": ["properties": ["t": "string"]]], ["reference /events/a/sum"]),
            (
                ["a": ["of": "b", "where": "true", "properties": [:]], "b": [:]],
                ["exclusive /events/a/properties"]
            ),
            (["app_launch": ["of": "b", "where": "true"], "b": [:]], ["reserved /events/app_launch"]),
            (["app_launch": ["properties": ["p": "number"]]], []),
            (["a": ["of": "b", "where": "(v|versionCompare('2')) > 0"], "b": ["properties": ["v": "string"]]], []),
        ] as [(JSONValue, [String])])
    func `Each member is checked`(_ events: JSONValue, _ expected: [String]) { #expect(faults(events) == expected) }

    private static let vectors: [JSONValue] = (vectorFile("audiences")["cases"]?.array ?? []).filter {
        $0["group"] == "faults" && $0["what"] == "manifest"
    }

    @Test(arguments: vectors) func `Each vector has its faults`(_ vector: JSONValue) {
        let wanted = (vector["want"]?.array ?? []).compactMap { fault -> String? in
            guard let words = fault.array?.compactMap(\.string), words.count == 2 else { return nil }
            return "\(words[1]) \(words[0])"
        }
        let events = vector["document"]?["events"] ?? .null
        #expect(faults(events) == wanted.sorted(), "\(vector.text)")
        #expect(Self.vectors.count >= 7)
    }

    @Test func `The numbers of events and properties are bounded`() {
        func object(_ count: Int, _ value: JSONValue) -> JSONObject {
            JSONObject((0..<count).map { ("n\($0)", value) })
        }
        func derived(_ bases: Int, _ each: Int) -> JSONValue {
            var events = object(bases, [:])
            for base in 0..<bases {
                for number in 0..<each { events["d\(base)-\(number)"] = ["of": .string("n\(base)"), "where": "true"] }
            }
            return .object(events)
        }
        #expect(faults(.object(object(200, [:]))) == [] && faults(.object(object(201, [:]))) == ["range /events"])
        #expect(faults(["e": ["properties": .object(object(16, "number"))]]) == [])
        #expect(faults(["e": ["properties": .object(object(17, "number"))]]) == ["range /events/e/properties"])
        #expect(faults(["e": ["properties": [.init(repeating: "p", count: 65): "number"]]]).count == 1)
        #expect(faults(derived(5, 10)) == [] && faults(derived(1, 11)) == ["range /events"])
        #expect(faults(derived(6, 9)) == ["range /events"])
    }

    @Test func `A manifest of an earlier version is served without the events that cannot be read`() throws {
        let findings = Findings()
        let manifest = Manifest.read(Sample.document(["events": ["a": 5, "b": [:]]]), findings: findings)
        findings.settle(isStored: true)
        #expect(findings.faults.isEmpty && findings.warningLocations == ["type /events/a"])
        #expect(manifest.map { Array($0.events.keys) } == ["b"])
    }
}
