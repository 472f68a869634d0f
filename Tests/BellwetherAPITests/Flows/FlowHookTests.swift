import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Advance hooks of flows: the request, and the effect of each response and failure (docs/reference/flows.md#hooks).
@Suite struct FlowHookTests {
    private static func answer(_ body: JSONValue, status: Int = 200) -> HookReceiver.Response {
        HookReceiver.answer(body, status: status)
    }

    private static func flow(_ hook: JSONObject, password: Bool = false) -> JSONValue {
        var call: JSONObject = [
            "enabled": true, "webhook_url": "https://hooks.example/check",
            "headers": [
                "X-Key": "k {{secret.crm}}", "X-Goal": "{{responses.goal.name | none}}",
                "X-Code": "{{responses.account.code | none}}/{{input.code | none}}",
            ],
            "error_text": "Try again",
        ]
        for member in hook { call[member.key] = member.value }
        return [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                ["id": "goal", "type": "form", "config": ["fields": [["id": "name", "type": "text"]]]],
                [
                    "id": "account", "type": "form", "hook": .object(call),
                    "config": ["fields": [["id": "code", "type": password ? "password" : "text"]]],
                ],
                ["id": "skipped", "type": "welcome", "config": ["title": "S"]],
                ["id": "done", "type": "welcome", "config": ["title": "{{computed.plan | -}}"]],
            ],
        ]
    }

    private let receiver: HookReceiver
    private let world: WorkerUnderTest
    private let path: String

    /// A run at the step with the hook.
    private init(
        _ answers: [HookReceiver.Response], hook: JSONObject = [:], password: Bool = false,
        respondent: JSONValue = ["client_id": "c"]
    ) throws {
        let receiver = HookReceiver(answers)
        var secrets = WebhookSecrets()
        let isAdded = secrets.add("s3cret", named: "crm") && secrets.add("signing key", named: "hooks")
        #expect(isAdded)
        world = try WorkerUnderTest(
            recipes: ["tour": Self.flow(hook, password: password)], hooks: HookReceiver.caller(receiver, secrets))
        self.receiver = receiver
        let started = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: respondent)
        path = "/v1/apps/app/runs/\(try #require(started.json["run_id"].string))/advance"
        let first = try world.send(
            .post, path, body: ["step_id": "goal", "response": ["name": "Ada"], "action": "next"])
        #expect(first.json["step_id"] == "account")
    }

    init() throws { try self.init([]) }

    private func advance(_ id: String? = nil) throws -> RecordedResponse {
        var body: JSONObject = ["step_id": "account", "response": ["code": "123"], "action": "next"]
        body["id"] = id.map { .string($0) }
        return try world.send(.post, path, body: .object(body))
    }

    private func events() -> [String] {
        world.store.records.compactMap { record in
            ["started", "completed", "retry", "error"].first { record.contains("onboarding_hook_\($0)") }
        }
    }

    @Test func theHookIsToldWhatItNeeds() throws {
        let test = try FlowHookTests([Self.answer(["action": "proceed"])])
        #expect(try test.advance().json["step_id"] == "skipped")
        let request = try #require(test.receiver.requests.first)
        #expect(request.url.text == "https://hooks.example/check")
        let body = try JSONValue(parsing: request.body)
        #expect(body["flow_id"] == "tour" && body["step_id"] == "account" && body["step_index"] == 1)
        #expect(body["step_type"] == "form" && body["step_data"] == ["code": "123"] && body["app_id"] == "app")
        #expect(body["responses"]["goal"]["name"] == "Ada")
        #expect(request.headers.contains(.init("X-Key", "k s3cret")))
        #expect(request.headers.contains(.init("X-Goal", "Ada")))
        #expect(request.headers.contains { $0.name == "webhook-signature" && $0.value.hasPrefix("v1,") })
        #expect(test.events() == ["started", "completed"])
    }

    private static let traced = [
        (name: "traceparent", value: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
        (name: "tracestate", value: "a=1"),
    ]

    private func advanceTraced() throws -> [WebhookRequest.Header] {
        let body: JSONValue = ["step_id": "account", "response": ["code": "123"], "action": "next"]
        _ = try world.send(.post, path, headers: Self.traced, body: body)
        return try #require(receiver.requests.first).headers.filter { $0.name.lowercased().hasPrefix("trace") }
    }

    @Test func `The call belongs to the trace of the respondent's request`() throws {
        let headers = try FlowHookTests([Self.answer(["action": "proceed"])]).advanceTraced()
        #expect(headers.map(\.name) == ["traceparent", "tracestate"] && headers[1].value == "a=1")
        let sent = try #require(TraceContext(stored: headers[0].value))
        #expect(sent.traceID == "0af7651916cd43dd8448eb211c80319c" && sent.flags == 1)
        #expect(sent.parentID != "b7ad6b7169203331")
        let untraced = try FlowHookTests([Self.answer(["action": "proceed"])])
        _ = try untraced.advance()
        #expect(untraced.receiver.requests.first?.headers.contains { $0.name.hasPrefix("trace") } == false)
    }

    @Test func `A header of the owner replaces the daemon's own`() throws {
        let own: JSONObject = ["headers": ["TraceParent": "mine"]]
        let headers = try FlowHookTests([Self.answer(["action": "proceed"])], hook: own).advanceTraced()
        #expect(headers == [.init("TraceParent", "mine"), .init("tracestate", "a=1")])
    }

    @Test func itsAnswerDecidesWhereTheRespondentGoes() throws {
        let data: JSONValue = ["action": "proceed_with_data", "data": ["plan": "pro"]]
        #expect(try FlowHookTests([Self.answer(data)]).advance().json["step_id"] == "skipped")
        let skip: JSONValue = ["action": "skip_to", "target_step_id": "done", "data": ["plan": "pro"]]
        let skipped = try FlowHookTests([Self.answer(skip)]).advance().json
        #expect(skipped["step_id"] == "done")
        let stay = try FlowHookTests([Self.answer(["action": "stay", "message": "Sent"])]).advance().json
        #expect(stay["step_id"] == "account" && stay["banner"] == ["kind": "success", "text": "Sent"])
        let block = try FlowHookTests([Self.answer(["action": "block", "message": "No"])]).advance().json
        #expect(block["step_id"] == "account" && block["banner"] == ["kind": "error", "text": "No"])
    }

    @Test func theHookReadsTheAnswersOfTheStepItself() throws {
        let test = try FlowHookTests([Self.answer(["action": "proceed"])])
        _ = try test.advance()
        let request = try #require(test.receiver.requests.first)
        #expect(try JSONValue(parsing: request.body)["responses"]["account"] == ["code": "123"])
        #expect(request.headers.contains(.init("X-Code", "123/123")))
    }

    @Test func aPasswordIsInTheStepsDataOnly() throws {
        let test = try FlowHookTests([Self.answer(["action": "proceed"])], password: true)
        _ = try test.advance()
        let request = try #require(test.receiver.requests.first)
        let body = try JSONValue(parsing: request.body)
        #expect(body["step_data"] == ["code": "123"] && body["responses"]["account"] == [:])
        #expect(request.headers.contains(.init("X-Code", "none/none")))
    }

    @Test func theHookIsToldTheClientAndTheUser() throws {
        let respondents: [(JSONValue, user: JSONValue, client: JSONValue)] = [
            (["client_id": "c"], .null, "c"), (["client_id": "c", "user_id": "u"], "u", "c"),
            (["user_id": "u"], "u", .null),
        ]
        for (respondent, user, client) in respondents {
            let test = try FlowHookTests([Self.answer(["action": "proceed"])], respondent: respondent)
            _ = try test.advance()
            let body = try #require(try test.receiver.bodies().first?.object)
            #expect(body["user_id"] == user && body["client_id"] == client)
        }
    }

    @Test func whatIsNoAnswerIsAFailure() throws {
        let answers = [
            Self.answer([]), Self.answer("x"), Self.answer([:]), Self.answer(["action": 1]),
            .success(WebhookResponse(status: 200, body: [1])), .success(WebhookResponse(status: 204, body: [])),
        ]
        for answer in answers {
            let test = try FlowHookTests([answer])
            let run = try test.advance().json
            #expect(run["step_id"] == "account" && run["banner"] == ["kind": "error", "text": "Try again"])
            #expect(test.events() == ["started", "error"])
            #expect(test.world.store.records.contains { $0.contains("\"error_type\":\"malformed\"") })
            let proceeding = try FlowHookTests([answer], hook: ["on_failure": "proceed"])
            #expect(try proceeding.advance().json["step_id"] == "skipped")
        }
    }

    @Test func aBlockAlwaysSaysSomething() throws {
        let answers = [
            Self.answer([:], status: 500), Self.answer([:]), Self.answer(["action": "block"]),
            Self.answer(["action": "block", "message": " "]),
        ]
        for answer in answers {
            let spoken = try FlowHookTests([answer]).advance().json
            #expect(spoken["banner"] == ["kind": "error", "text": "Try again"])
            for text in [.null, "", " "] as [JSONValue] {
                let run = try FlowHookTests([answer], hook: ["error_text": text]).advance().json
                let banner: JSONValue = ["kind": "error", "text": "Something went wrong. Please try again."]
                #expect(run["step_id"] == "account" && run["banner"] == banner)
            }
        }
    }

    @Test func aFailureIsTriedAgainAsOftenAsTheHookSays() throws {
        let failures: [HookReceiver.Response] = [.failure(.timeout), Self.answer([:], status: 500)]
        let test = try FlowHookTests(failures + [Self.answer(["action": "proceed"])], hook: ["retry_count": 2])
        #expect(try test.advance().json["step_id"] == "skipped")
        #expect(test.events() == ["started", "retry", "retry", "completed"])
        let spent = try FlowHookTests(failures, hook: ["retry_count": 1])
        let run = try spent.advance().json
        #expect(run["step_id"] == "account" && run["banner"]["kind"] == "error")
        #expect(spent.events() == ["started", "retry", "error"])
    }

    @Test func aFailureProceedsWhereThePolicySaysSo() throws {
        let test = try FlowHookTests([.failure(.refusedAddress)], hook: ["on_failure": "proceed"])
        #expect(try test.advance().json["step_id"] == "skipped")
        #expect(test.events() == ["started", "error"])
    }

    @Test func aMissingSecretIsAFailureAndNothingIsSent() throws {
        let test = try FlowHookTests(
            [Self.answer(["action": "proceed"])], hook: ["headers": ["X-Key": "{{secret.other}}"]])
        #expect(try test.advance().json["banner"]["text"] == "Try again")
        #expect(test.receiver.requests.isEmpty)
    }

    @Test func aPasswordIsSentOnceAndKeptNowhere() throws {
        let test = try FlowHookTests(
            [.failure(.timeout), Self.answer(["action": "proceed"])], hook: ["retry_count": 3], password: true)
        #expect(try test.advance().json["step_id"] == "account", "a password is not sent again")
        #expect(test.receiver.requests.count == 1)
        #expect(try test.advance().json["step_id"] == "skipped")
        #expect(!test.world.store.records.joined().contains("123"))
    }

    @Test func theSameActionIsAskedOnce() throws {
        let test = try FlowHookTests([Self.answer(["action": "proceed"])])
        let first = try test.advance("once")
        #expect(try test.advance("once").body == first.body)
        #expect(test.receiver.requests.count == 1)
    }

    @Test func aCallThatEndsWithTheDaemonHasNoOutcome() throws {
        let test = try FlowHookTests([.failure(.closed), Self.answer(["action": "proceed"])], hook: ["retry_count": 0])
        #expect(try test.advance("once").status == 503)
        #expect(test.events() == [])
        #expect(try test.advance("once").json["step_id"] == "skipped")
        let ids = test.receiver.requests.flatMap(\.headers).filter { $0.name == "webhook-id" }.map(\.value)
        #expect(ids.count == 2 && Set(ids).count == 1)
    }

    @Test func aMessageThatRepeatsAPasswordIsNotShown() throws {
        let test = try FlowHookTests(
            [
                Self.answer(["action": "block", "message": "123"]), Self.answer(["action": "block", "message": "No"]),
            ],
            password: true)
        #expect(try test.advance().json["banner"]["text"] == "Try again")
        #expect(try test.advance().json["banner"]["text"] == "No")
    }
}
