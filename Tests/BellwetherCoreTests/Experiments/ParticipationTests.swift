import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// A client's choices about experiments (docs/reference/http-api.md#participation).
@Suite struct ParticipationTests {
    private func read(_ document: JSONValue) -> (Participation?, [String]) {
        let findings = Findings()
        let participation = Participation(reading: JSONReader(document, findings: findings))
        return (participation, findings.faultLocations)
    }

    @Test func absentFieldsAreAsNeverSaid() {
        #expect(read([:]).0 == .full)
        #expect(read(["experiments": nil, "opted_out": nil]).0 == .full)
    }

    @Test func choicesAreInOrderAndOnce() throws {
        let document: JSONValue = [
            "experiments": false, "rollouts": true, "opted_out": ["b", "a", "b"], "opted_in": ["d": "x", "c": "y"],
        ]
        let participation = try #require(read(document).0)
        #expect(
            participation.json == [
                "experiments": false, "rollouts": true, "opted_out": ["a", "b"], "opted_in": ["c": "y", "d": "x"],
            ])
        #expect(read(participation.json).0 == participation)
    }

    @Test func everyFault() {
        let document: JSONValue = [
            "experiments": 1, "rollouts": "no", "opted_out": ["a", 2], "opted_in": ["a": true], "opted-out": [],
        ]
        #expect(read(document).0 == nil)
        #expect(
            Set(read(document).1) == [
                "type /experiments", "type /rollouts", "type /opted_out/1", "type /opted_in/a",
                "unknown_key /opted-out",
            ])
        #expect(read([]).1 == ["type "])
    }

    @Test func choicesAreLimited() {
        let slugs = (0...Participation.maximumChoices).map { JSONValue.string("e\($0)") }
        #expect(read(["opted_out": .array(slugs)]).1 == ["length /opted_out"])
        #expect(read(["opted_out": .array(Array(slugs.dropLast()))]).0?.optedOut.count == Participation.maximumChoices)
    }
}
