import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// The result of a hook that the client runs itself (docs/reference/flows.md#hooks).
@Suite struct FlowHostTests {
    private let receiver: HookReceiver
    private let world: WorkerUnderTest
    private let path: String

    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour", "name": "Tour",
        "steps": [
            [
                "id": "account", "type": "form", "hook": ["webhook_url": "https://hooks.example/check"],
                "config": ["fields": [["id": "code", "type": "text", "required": true]]],
            ],
            ["id": "middle", "type": "welcome", "config": ["title": "M"]],
            ["id": "end", "type": "welcome", "config": ["title": "{{computed.plan | -}}"]],
        ],
    ]

    private init(_ answers: [HookReceiver.Response]) throws {
        receiver = HookReceiver(answers)
        world = try WorkerUnderTest(recipes: ["tour": Self.flow], hooks: HookReceiver.caller(receiver))
        let started = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: ["client_id": "c"])
        path = "/v1/apps/app/runs/\(try #require(started.json["run_id"].string))/advance"
    }

    init() throws { try self.init([]) }

    private func advance(_ host: JSONValue?, _ response: JSONObject = ["code": "1"]) throws -> RecordedResponse {
        var body: JSONObject = ["step_id": "account", "response": .object(response), "action": "next"]
        body["host"] = host
        return try world.send(.post, path, body: .object(body))
    }

    @Test func dataOfTheHostIsKeptAndTheServersHookIsNotAsked() throws {
        let run = try advance(["action": "proceed_with_data", "data": ["plan": "pro", "score": 5]]).json
        #expect(run["step_id"] == "middle" && run["responses"]["account"] == ["code": "1", "plan": "pro", "score": 5])
        #expect(receiver.requests.isEmpty)
        #expect(!world.store.records.contains { $0.contains("onboarding_hook") })
    }

    @Test(arguments: ["skip_to", "skip_to_with_data"]) func theHostSkipsToAStep(action: String) throws {
        let host: JSONValue = ["action": .string(action), "target_step_id": "end", "data": ["plan": "pro"]]
        let run = try advance(host).json
        #expect(run["step_id"] == "end" && run["step"]["title"] == "pro")
        #expect(world.store.records.contains { $0.contains(" step_skipped ") || $0.contains(".step_skipped ") })
        let other = try FlowHostTests()
        #expect(try other.advance(["action": .string(action), "target_step_id": "nope"]).json["step_id"] == "middle")
    }

    @Test func theHostKeepsTheRespondentWithItsWords() throws {
        let blocked = try advance(["action": "block", "message": "Not yet"]).json
        #expect(blocked["step_id"] == "account" && blocked["banner"] == ["kind": "error", "text": "Not yet"])
        let banner: JSONValue = ["kind": "error", "text": "Something went wrong. Please try again."]
        #expect(try advance(["action": "block"]).json["banner"] == banner)
        let stays = try advance(["action": "stay", "message": "Saved"]).json
        #expect(stays["step_id"] == "account" && stays["banner"] == ["kind": "success", "text": "Saved"])
        #expect(receiver.requests.isEmpty)
    }

    @Test func answersAreJudgedAllTheSame() throws {
        let faulty = try advance(["action": "proceed"], [:])
        #expect(faulty.status == 422 && faulty.json["errors"].array?.first?["pointer"] == "/response/code")
    }

    @Test func whatIsNoDecisionIsRefused() throws {
        for host in ["x", [:], ["action": "dance"], ["action": "proceed", "data": 5]] as [JSONValue] {
            #expect(try advance(host).status == 400)
        }
        let large: JSONValue = ["action": "proceed", "data": ["a": .string(String(repeating: "x", count: 70_000))]]
        #expect(try advance(large).status == 413)
    }

    @Test func theServersHookSkipsWithData() throws {
        let answer: JSONValue = ["action": "skip_to_with_data", "target_step_id": "end", "data": ["plan": "pro"]]
        let test = try FlowHostTests([HookReceiver.answer(answer)])
        let run = try test.advance(nil).json
        #expect(run["step_id"] == "end" && run["step"]["title"] == "pro")
    }
}
