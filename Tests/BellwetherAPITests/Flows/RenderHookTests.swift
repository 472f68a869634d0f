import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Render hooks of flows: the values that a step is shown with (docs/reference/flows.md#hooks).
@Suite struct RenderHookTests {
    private let receiver: HookReceiver
    private let world: WorkerUnderTest

    private static func flow(_ hook: JSONObject) -> JSONValue {
        var call: JSONObject = ["webhook_url": "https://hooks.example/render", "error_text": "Not now"]
        for member in hook { call[member.key] = member.value }
        let fields: JSONValue = [["id": "name", "type": "text", "label": "Name"]]
        return [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                [
                    "id": "hello", "type": "welcome", "render_hook": .object(call),
                    "config": ["title": "Hello", "cta_text": "Go"],
                ],
                [
                    "id": "form", "type": "form", "render_hook": .object(call),
                    "config": ["title": "You", "fields": fields],
                ],
                ["id": "end", "type": "welcome", "render_hook": .object(call), "config": ["title": "End"]],
            ],
        ]
    }

    private init(_ answers: [HookReceiver.Response], hook: JSONObject = [:]) throws {
        receiver = HookReceiver(answers)
        world = try WorkerUnderTest(recipes: ["tour": Self.flow(hook)], hooks: HookReceiver.caller(receiver))
    }

    init() throws { try self.init([]) }

    private func start() throws -> RecordedResponse {
        try world.send(.post, "/v1/apps/app/flows/tour/runs", body: ["client_id": "c"])
    }

    private func advance(_ run: JSONValue, _ action: String, _ step: String, id: String? = nil) throws
        -> RecordedResponse
    {
        var body: JSONObject = ["step_id": .string(step), "action": .string(action)]
        body["id"] = id.map { .string($0) }
        let path = "/v1/apps/app/runs/\(try #require(run["run_id"].string))/advance"
        return try world.send(.post, path, body: .object(body))
    }

    @Test func aStepIsShownAsTheHookHasIt() throws {
        let test = try RenderHookTests([
            HookReceiver.answer([
                "title": "Hi Ada", "ctaText": "Start", "layoutOverrides": ["tone": "warm", "id": "x"],
            ]),
            HookReceiver.answer(["field_defaults": ["name": "Ada"], "subtitle": "Two"]),
        ])
        let started = try test.start()
        #expect(started.status == 201)
        let step = started.json["step"]
        #expect(step["title"] == "Hi Ada" && step["cta_text"] == "Start" && step["tone"] == "warm")
        #expect(step["id"] == "hello", "what a step is judged by stays")
        let next = try test.advance(started.json, "next", "hello").json
        #expect(next["step"]["title"] == "You" && next["step"]["subtitle"] == "Two")
        #expect(next["step"]["fields"].array?.first?["config"]["default_value"] == "Ada")
        let body = try #require(try test.receiver.bodies().last)
        #expect(body["step_id"] == "form" && body["step_index"] == 1 && body["app_id"] == "app")
        #expect(body["client_id"] == "c" && body.object?["user_id"] == .null)
        let types = test.world.store.records.filter { $0.contains("onboarding_hook_completed") }
        #expect(types.count == 2 && types.allSatisfy { $0.contains("\"hook_type\":\"render\"") })
        let path = "/v1/apps/app/runs/\(try #require(next["run_id"].string))"
        #expect(try test.world.send(.get, path).json["step"]["subtitle"] == "Two", "and nobody is asked again")
        #expect(test.receiver.requests.count == 2)
    }

    @Test func eachTimeAStepIsComeToItsHookIsAsked() throws {
        let test = try RenderHookTests([
            HookReceiver.answer(["title": "One"]), HookReceiver.answer(["title": "Two"]),
            HookReceiver.answer(["title": "Three"]),
        ])
        let run = try test.start().json
        _ = try test.advance(run, "next", "hello")
        #expect(try test.advance(run, "back", "form").json["step"]["title"] == "Three")
    }

    @Test func aFailureShowsTheStepAsItIs() throws {
        for answer in [HookReceiver.answer([:], status: 500), .failure(.timeout), HookReceiver.answer("text")] {
            let test = try RenderHookTests([answer])
            let run = try test.start().json
            #expect(run["step"]["title"] == "Hello" && run["banner"] == .null)
        }
        let blocking = try RenderHookTests([.failure(.timeout)], hook: ["on_failure": "block"])
        #expect(try blocking.start().json["banner"] == ["kind": "error", "text": "Not now"])
        let silent = try RenderHookTests([.failure(.timeout)], hook: ["on_failure": "block", "error_text": .null])
        #expect(try silent.start().json["banner"]["text"] == "Something went wrong. Please try again.")
    }

    @Test func theSameActionIsAnsweredTheSame() throws {
        let test = try RenderHookTests([HookReceiver.answer([:]), HookReceiver.answer(["title": "Adapted"])])
        let run = try test.start().json
        let first = try test.advance(run, "next", "hello", id: "a")
        #expect(first.json["step"]["title"] == "Adapted")
        #expect(try test.advance(run, "next", "hello", id: "a").body == first.body)
        #expect(test.receiver.requests.count == 2)
    }

    @Test func headersReadTheAnswersThatLeadHere() throws {
        let test = try RenderHookTests(
            [HookReceiver.answer([:]), HookReceiver.answer([:]), HookReceiver.answer([:])],
            hook: ["headers": ["X-Name": "{{input.name | none}}"]])
        let run = try test.start().json
        _ = try test.advance(run, "next", "hello")
        let path = "/v1/apps/app/runs/\(try #require(run["run_id"].string))/advance"
        let response: JSONValue = ["step_id": "form", "response": ["name": "Ada"], "action": "next"]
        _ = try test.world.send(.post, path, body: response)
        let names = test.receiver.requests.flatMap(\.headers).filter { $0.name == "X-Name" }.map(\.value)
        #expect(names == ["none", "none", "Ada"])
    }
}
