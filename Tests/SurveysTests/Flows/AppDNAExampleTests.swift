import BellwetherBase
import BellwetherJSON
import TestSupport
import Testing

@testable import Surveys

/// The examples of flows in AppDNA's documentation behave the same here (docs/reference/flows.md).
@Suite struct AppDNAExampleTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    private func flow(_ steps: [JSONValue]) throws -> FlowDefinition {
        let findings = Findings()
        let document: JSONValue = ["id": "onboarding_v1", "steps": .array(steps)]
        let flow = FlowDefinition(JSONReader(document, findings: findings))
        #expect(findings.faults.isEmpty, "\(findings.faults)")
        return try #require(flow)
    }

    private func next(
        _ flow: FlowDefinition, _ run: FlowRun, _ response: JSONObject, hook: FlowHookResult? = nil
    ) throws -> FlowMove {
        let action = FlowAction(.next, at: try #require(run.stepID), response)
        guard case .moved(let move) = try flow.advance(run, action, at: now, hook: hook) else {
            throw Unexpected("a hook is asked")
        }
        return move
    }

    private struct Unexpected: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private static func welcome(_ id: String, title: String = "T", more: JSONObject = [:]) -> JSONValue {
        var step: JSONObject = ["id": .string(id), "type": "welcome", "config": ["title": .string(title)]]
        for member in more { step[member.key] = member.value }
        return .object(step)
    }

    private static func form(_ id: String, _ fields: JSONValue, _ more: JSONObject = [:]) -> JSONValue {
        var step: JSONObject = ["id": .string(id), "type": "form", "config": ["fields": fields]]
        for member in more { step[member.key] = member.value }
        return .object(step)
    }

    @Test(arguments: [("lose_weight", "2a"), ("build_muscle", "2b"), ("stay_active", "2c")])
    func eachAnswerLeadsToAStepOfItsOwn(_ answer: String, _ target: String) throws {
        let ids = ["lose_weight", "build_muscle", "stay_active"]
        let options = ids.map { id -> JSONValue in ["id": .string(id), "label": .string(id)] }
        let rules = zip(ids, ["2a", "2b", "2c"]).map { id, step -> JSONValue in
            [
                "target_step_id": .string(step),
                "conditions": [["type": "answer_equals", "answer_key": "selected", "value": .string(id)]],
            ]
        }
        let end: JSONObject = ["next_step_rules": [["target_step_id": "end_done", "conditions": [["type": "always"]]]]]
        let flow = try flow([
            [
                "id": "goal", "type": "question", "config": ["title": "Goal?", "options": .array(options)],
                "next_step_rules": .array(rules),
            ],
            Self.welcome("2a", more: end), Self.welcome("2b", more: end), Self.welcome("2c", more: end),
        ])
        let move = try next(flow, flow.start(FlowStart(), at: now).run, ["selected": [.string(answer)]])
        #expect(move.run.stepID?.text == target)
        let finished = try next(flow, move.run, [:]).run
        #expect(finished.status == .completed)
        #expect(finished.responses == ["goal": ["selected": [.string(answer)]]])
    }

    @Test func aFieldDependsOnAnotherAndACodeHasAPattern() throws {
        let flow = try flow([
            Self.form(
                "profile_step",
                [
                    ["id": "job", "type": "text"],
                    [
                        "id": "company", "type": "text", "label": "Company name", "required": true,
                        "depends_on": ["field_id": "job", "operator": "equals", "value": "Employed"],
                    ],
                    [
                        "id": "code", "type": "text", "required": true,
                        "validation": ["pattern": "^[A-Z]{2}\\d{4}$", "pattern_message": "Two letters, four digits"],
                    ],
                ]),
            Self.welcome("done"),
        ])
        let run = flow.start(FlowStart(), at: now).run
        let move = try next(flow, run, ["job": "Student", "company": "hidden", "code": "AB1234"])
        #expect(move.run.responses["profile_step"] == ["job": "Student", "code": "AB1234"])
        let refusal = #expect(throws: FlowRefusal.self) { try next(flow, run, ["job": "Employed", "code": "ab12"]) }
        #expect(refusal?.faults().map(\.code) == ["required", "pattern"])
        #expect(refusal?.faults().map(\.message) == ["Company name is required", "Two letters, four digits"])
    }

    @Test func aPlaceIsStructuredAndTextsNameIt() throws {
        let flow = try flow([
            Self.form("location_step", [["id": "user_location", "type": "location", "required": true]]),
            Self.welcome(
                "hello",
                title: "Welcome from {{onboarding.location_step.user_location.city}}! "
                    + "{{onboarding.location_step.user_location.timezone}}"),
        ])
        let place: JSONObject = [
            "formatted_address": "New York, New York, United States", "city": "New York", "state": "New York",
            "state_code": "NY", "country": "United States", "country_code": "US", "latitude": 40.7128,
            "longitude": -74.0060, "timezone": "America/New_York", "timezone_offset": -300, "postal_code": .null,
        ]
        let run = try next(flow, flow.start(FlowStart(), at: now).run, ["user_location": .object(place)]).run
        #expect(flow.view(run)["step"]?.object?["title"] == "Welcome from New York! America/New_York")
        #expect(run.responses["location_step"]?.object?["user_location"]?.object?["state_code"] == "NY")
    }

    @Test func aReferralCodeIsCheckedByTheServer() throws {
        let flow = try flow([
            Self.form(
                "referral", [["id": "referral_code", "type": "text"]],
                ["hook": ["webhook_url": "https://api.example/referral"]]),
            Self.welcome("done"),
        ])
        let run = flow.start(FlowStart(), at: now).run
        let text = "Invalid referral code. Please try again."
        let blocked = try next(flow, run, ["referral_code": "x"], hook: .block(message: text))
        #expect(blocked.run.stepID == "referral" && blocked.banner == FlowBanner(.error, text))
        #expect(blocked.events.isEmpty, "a step is completed only when the run leaves it")
        let data: JSONObject = ["referral_validated": true]
        let passed = try next(flow, run, ["referral_code": "AB"], hook: .proceed(data: data))
        #expect(passed.run.responses["referral"] == ["referral_code": "AB", "referral_validated": true])
        #expect(passed.run.computed == data)
    }

    @Test func aProfileIsFilledInBeforeItIsShown() throws {
        let fields: JSONValue = [["id": "email", "type": "email"], ["id": "name", "type": "text"]]
        let flow = try flow([Self.form("profile_step", fields)])
        var run = flow.start(FlowStart(), at: now).run
        let reply: JSONObject = [
            "title": "Welcome back, Ada!", "fieldDefaults": ["email": "ada@example.org", "name": "Ada Lovelace"],
        ]
        run.override("profile_step", with: FlowOverride(reply))
        let step = flow.view(run)["step"]
        #expect(step?.object?["title"] == "Welcome back, Ada!")
        let defaults = step?.object?["fields"]?.array?.map { $0.object?["config"]?.object?["default_value"] }
        #expect(defaults == ["ada@example.org", "Ada Lovelace"])
    }

    @Test func aStepWithoutProgressCounts() throws {
        let steps = (1...5).map { Self.welcome("s\($0)", more: $0 == 2 ? ["hide_progress": true] : [:]) }
        let flow = try flow(steps)
        var run = flow.start(FlowStart(), at: now).run
        var shown: [JSONValue?] = []
        for _ in 0..<3 {
            shown.append(flow.view(run)["progress"])
            run = try next(flow, run, [:]).run
        }
        #expect(shown == [0.2, .null, 0.6])
    }
}
