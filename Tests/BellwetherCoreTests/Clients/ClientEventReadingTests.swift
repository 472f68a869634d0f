import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The four kinds of event (docs/reference/events.md#event-types).
@Suite struct ClientEventReadingTests {
    private func read(_ event: JSONValue) -> (event: ClientEvent?, faults: [String]) {
        let findings = Findings()
        let event = ClientEvent.read(JSONReader(event, findings: findings))
        #expect((event == nil) == !findings.faults.isEmpty)
        return (event, findings.faultLocations)
    }

    @Test(
        arguments: [
            (["type": "behavior", "name": "x"], .behavior(name: "x", count: 1)),
            (["type": "behavior", "name": "x", "count": 1_000_000], .behavior(name: "x", count: 1_000_000)),
            (["type": "behavior", "name": "x", "count": nil], .behavior(name: "x", count: 1)),
            (
                ["type": "message", "action": "displayed", "message": "m"],
                .message(.displayed, key: "m", actionUUID: nil)
            ),
            (
                ["type": "message", "action": "clicked", "message": "m", "action_uuid": "u"],
                .message(.clicked, key: "m", actionUUID: "u")
            ),
            (
                ["type": "message", "action": "dismissed", "message": "m"],
                .message(.dismissed, key: "m", actionUUID: nil)
            ),
            (["type": "microsurvey", "action": "shown", "message": "m"], .microsurvey(.shown, key: "m")),
            (
                ["type": "microsurvey", "action": "privacy_notice_tapped", "message": "m"],
                .microsurvey(.privacyNoticeTapped, key: "m")
            ),
            (
                ["type": "microsurvey", "action": "dismiss_button_tapped", "message": "m"],
                .microsurvey(.dismissButtonTapped, key: "m")
            ),
            (
                ["type": "microsurvey", "action": "confirmation_shown", "message": "m"],
                .microsurvey(.confirmationShown, key: "m")
            ),
            (["type": "feature", "action": "exposed"], .exposure(experiment: nil, featureID: nil)),
            (
                ["type": "feature", "action": "exposed", "experiment": "e", "feature_id": "f"],
                .exposure(experiment: "e", featureID: "f")
            ),
        ] as [(JSONValue, ClientEvent.Kind)])
    func good(_ document: JSONValue, _ kind: ClientEvent.Kind) {
        #expect(read(document).event == ClientEvent(id: nil, at: nil, kind: kind))
    }

    @Test func idAndTime() {
        let event = read(["type": "behavior", "name": "x", "id": "1", "at": "2026-03-10T13:00:00+01:00"]).event
        #expect(event?.id == "1" && event?.at == Sample.now)
        #expect(read(["type": "behavior", "name": "x", "id": nil, "at": nil]).event?.id == nil)
    }

    @Test(
        arguments: [
            (5, ["type "]), ([:], ["required /type"]), (["type": "nap"], ["choice /type"]),
            (["type": 1], ["type /type"]),
            (["type": "behavior"], ["required /name"]), (["type": "behavior", "name": ""], ["length /name"]),
            (["type": "behavior", "name": "x", "count": 0], ["range /count"]),
            (["type": "behavior", "name": "x", "count": 1_000_001], ["range /count"]),
            (["type": "behavior", "name": "x", "count": 1.0], ["type /count"]),
            (["type": "behavior", "name": "x", "count": "1"], ["type /count"]),
            (["type": "behavior", "name": "x", "id": ""], ["length /id"]),
            (["type": "behavior", "name": "x", "id": "a\nb"], ["identifier /id"]),
            (["type": "behavior", "name": "a\u{0}b"], ["identifier /name"]),
            (["type": "behavior", "name": "x", "id": 5], ["type /id"]),
            (["type": "behavior", "name": "x", "at": "yesterday"], ["time /at"]),
            (["type": "behavior", "name": "x", "at": 5], ["type /at"]),
            (["type": "message"], ["required /action", "required /message"]),
            (["type": "message", "action": "eaten", "message": "m"], ["choice /action"]),
            (["type": "message", "action": "displayed", "message": ""], ["length /message"]),
            (["type": "message", "action": "clicked", "message": "m", "action_uuid": 5], ["type /action_uuid"]),
            (["type": "microsurvey", "action": "displayed", "message": "m"], ["choice /action"]),
            (["type": "feature"], ["required /action"]),
            (["type": "feature", "action": "exposed", "experiment": 1], ["type /experiment"]),
        ] as [(JSONValue, [String])])
    func bad(_ document: JSONValue, _ expected: [String]) { #expect(read(document).faults == expected) }

    @Test func lengthsAreBounded() {
        let long = JSONValue.string(String(repeating: "x", count: 129))
        #expect(read(["type": "behavior", "name": long]).faults == ["length /name"])
        #expect(read(["type": "behavior", "name": "x", "id": long]).faults == ["length /id"])
        let key = JSONValue.string(String(repeating: "x", count: 1001))
        #expect(read(["type": "message", "action": "displayed", "message": key]).faults == ["length /message"])
    }
}
