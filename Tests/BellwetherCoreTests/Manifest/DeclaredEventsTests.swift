import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The events that a manifest declares (docs/reference/goals.md#properties).
@Suite struct DeclaredEventsTests {
    private func faults(_ events: JSONValue) -> [String] {
        let findings = Findings()
        _ = Manifest.read(Sample.document(["events": events]), findings: findings)
        findings.settle()
        return findings.faultLocations.sorted()
    }

    @Test func `A property has the type that the manifest declares`() throws {
        let events = try Sample.manifest(
            ["events": ["purchase": ["properties": ["amount": "number", "currency": "string"]], "opened": [:]]]
        ).events
        #expect(events["purchase"]?["amount"] == .number && events["purchase"]?["currency"] == .string)
        #expect(events["purchase"]?["count"] == nil && events["opened"] == [:] && events["closed"] == nil)
        #expect(try Sample.manifest().events.isEmpty)
    }

    @Test(
        arguments: [
            ([], ["type /events"]),
            (["e": 5], ["type /events/e"]),
            (["e": ["propertys": [:]]], ["unknown_key /events/e/propertys"]),
            (
                ["e": ["properties": ["p": "int", "q": 5]]],
                ["choice /events/e/properties/p", "type /events/e/properties/q"]
            ),
            (["e": ["properties": ["": "number"]]], ["length /events/e/properties/"]),
            (["": [:]], ["length /events/"]),
        ] as [(JSONValue, [String])])
    func `Each member is checked`(_ events: JSONValue, _ expected: [String]) { #expect(faults(events) == expected) }

    @Test func `The numbers of events and properties are bounded`() {
        func object(_ count: Int, _ value: JSONValue) -> JSONValue {
            .object(JSONObject((0..<count).map { ("n\($0)", value) }))
        }
        #expect(faults(object(1_000, [:])) == [] && faults(object(1_001, [:])) == ["length /events"])
        #expect(faults(["e": ["properties": object(16, "number")]]) == [])
        #expect(faults(["e": ["properties": object(17, "number")]]) == ["length /events/e/properties"])
        #expect(faults(["e": ["properties": [.init(repeating: "p", count: 65): "number"]]]).count == 1)
    }

    @Test func `A manifest of an earlier version is served without the events that cannot be read`() throws {
        let findings = Findings()
        let manifest = Manifest.read(Sample.document(["events": ["a": 5, "b": [:]]]), findings: findings)
        findings.settle(isStored: true)
        #expect(findings.faults.isEmpty && findings.warningLocations == ["type /events/a"])
        #expect(manifest?.events == ["b": [:]])
    }
}
