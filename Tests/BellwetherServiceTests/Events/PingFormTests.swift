import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// Answers from phones to a survey whose options differ between branches (docs/reference/events.md#submitted-pings).
@Suite struct PingFormTests {
    private static func branch(_ slug: Identifier, _ ratio: Int64, _ options: JSONValue) -> JSONValue {
        [
            "slug": .string(slug), "ratio": .integer(ratio),
            "features": [
                [
                    "featureId": "messaging",
                    "value": [
                        "messages": [
                            "s": [
                                "surface": "microsurvey", "text": "?", "experiment": "{experiment}",
                                "microsurveyConfig": ["options": options],
                            ]
                        ]
                    ],
                ]
            ],
        ]
    }

    /// The daemon enrolls the client in the second branch, or else in the first.
    private func scene(second: Bool) -> Scene {
        Scene(recipe: [
            "schemaVersion": "1.12.0", "slug": "e", "id": "e", "appName": "sample", "channel": "release",
            "userFacingName": "n", "userFacingDescription": "d", "isEnrollmentPaused": false, "isRollout": false,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 10_000, "total": 10_000,
            ],
            "branches": [
                Self.branch("one", second ? 0 : 1, ["Good", "Bad"]),
                Self.branch("two", second ? 1 : 0, ["Bad", "Good", "Neither"]),
            ],
            "proposedEnrollment": 7,
        ])
    }

    private func answer(_ text: String, in scene: Scene, isEnrolled: Bool) throws -> (SurveyResponse?, TelemetryRecord?)
    {
        let app = try #require(scene.snapshot)
        var state = ClientState()
        func apply<Value>(_ change: ClientChange<Value>) -> ChangeOutcome<Value> {
            change.apply(&state, ChangeInput(isDuplicate: change.eventIDs.map { _ in false }) { _ in nil })
        }
        if isEnrolled {
            let change = try DeliverMessages.change(scene.question(["microsurvey"]), events: nil, policy: scene.policy)
            #expect(apply(change).records.map(\.name) == ["enrollment"])
        }
        let ping: JSONValue = [
            "client_info": ["client_id": "client"],
            "events": [
                [
                    "category": "microsurvey", "name": "submit_button_tapped",
                    "extra": ["survey_id": "s", "user_selection": .string(text)],
                ]
            ],
        ]
        let address = GleanAddress(
            applicationID: "a", ping: "events", version: "1", documentID: "2f8c7b1e-90ad-4c3f-8b2d-0123456789ab")
        let limits = GleanLimits(json: .standard, events: 10, times: scene.now...scene.now)
        let submission = GleanSubmission(address, body: ping.encoded[...], limits: limits)
        let outcome = apply(RecordPing.change(submission, in: app, now: scene.now) { "id" })
        #expect(outcome.records.count == 1 && outcome.responses.count <= 1)
        return (outcome.responses.first, outcome.records.first)
    }

    @Test(arguments: [false, true])
    func theClientsOwnFormCounts(_ second: Bool) throws {
        let (response, record) = try answer("Good", in: scene(second: second), isEnrolled: true)
        #expect(response?.optionIndex == (second ? 1 : 0))
        #expect(record?.experiment == "e" && record?.branch == (second ? "two" : "one"))
    }

    @Test(arguments: [false, true])
    func anotherBranchOfThePhoneIsFoundByItsText(_ isEnrolled: Bool) throws {
        let (response, _) = try answer("Neither", in: scene(second: false), isEnrolled: isEnrolled)
        #expect(response?.optionIndex == 2)
        let (none, record) = try answer("None", in: scene(second: false), isEnrolled: isEnrolled)
        #expect(none == nil && record?.extra["user_selection"] == "None")
    }
}
