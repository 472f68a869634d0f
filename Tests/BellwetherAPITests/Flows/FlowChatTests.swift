import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Conversations of flows with an owner's server (docs/reference/flows.md#chats).
@Suite struct FlowChatTests {
    private let receiver: HookReceiver
    private let world: WorkerUnderTest
    private let run: String

    private static func flow(_ chat: JSONObject, hook: JSONValue) -> JSONValue {
        var config: JSONObject = [
            "auto_messages": [["id": "msg_a0", "turn": 0, "content": "Hi {{user.name | there}}"]],
            "webhook": ["webhook_url": "https://hooks.example/chat", "error_text": "Try later"],
        ]
        for member in chat { config[member.key] = member.value }
        return [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                [
                    "id": "chat", "type": "interactive_chat", "hook": hook,
                    "config": ["chat_config": .object(config), "skip_enabled": true],
                ],
                ["id": "end", "type": "welcome", "config": ["title": "Bye"]],
            ],
        ]
    }

    private init(
        _ answers: [HookReceiver.Response], _ chat: JSONObject = [:], hook: JSONValue = ["enabled": false],
        playsSamples: Bool = false
    ) throws {
        receiver = HookReceiver(answers)
        world = try WorkerUnderTest(
            recipes: ["tour": Self.flow(chat, hook: hook)],
            hooks: HookReceiver.caller(receiver, playsSamples: playsSamples))
        let started = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: ["client_id": "c"])
        run = try #require(started.json["run_id"].string)
    }

    init() throws { try self.init([]) }

    private func send(_ body: JSONObject) throws -> RecordedResponse {
        var body = body
        body["step_id"] = "chat"
        return try world.send(.post, "/v1/apps/app/runs/\(run)/chat", body: .object(body))
    }

    private func say(_ text: String, id: String? = nil) throws -> RecordedResponse {
        var body: JSONObject = ["text": .string(text)]
        body["id"] = id.map { .string($0) }
        return try send(body)
    }

    private func advance(_ action: String = "next") throws -> RecordedResponse {
        try world.send(
            .post, "/v1/apps/app/runs/\(run)/advance", body: ["step_id": "chat", "action": .string(action)])
    }

    private func records(_ name: String) -> [String] { world.store.records.filter { $0.contains(".\(name) ") } }

    private static func reply(_ text: String, _ more: JSONObject = [:]) -> HookReceiver.Response {
        var body: JSONObject = ["messages": [["content": .string(text)]]]
        for member in more { body[member.key] = member.value }
        return HookReceiver.answer(.object(body))
    }

    @Test func `A chat of a sample is answered by itself, where samples are played`() throws {
        let webhook: JSONValue = [
            "webhook_url": "https://hooks.example/chat",
            "sample_replies": [
                ["messages": [["content": "Where to?"]], "quick_replies": [["id": "l", "text": "A lake"]]]
            ],
        ]
        let test = try FlowChatTests([], ["webhook": webhook], playsSamples: true)
        let first = try test.say("Hello")
        #expect(first.json["messages"].array?.map { $0["content"] } == ["Where to?"])
        #expect(first.json["quick_replies"] == [["id": "l", "text": "A lake"]])
        // The sample responses are used up, so the template with the text of the request is used.
        #expect(try test.say("Somewhere").json["messages"].array?.map { $0["content"] } == ["“Somewhere”"])
        #expect(test.receiver.requests.isEmpty)
        let closed = try FlowChatTests([Self.reply("From the server")], ["webhook": webhook])
        #expect(try closed.say("Hello").json["messages"].array?.map { $0["content"] } == ["From the server"])
        #expect(closed.receiver.requests.count == 1)
        let asked = try FlowChatTests([Self.reply("From the server")], playsSamples: true)
        #expect(try asked.say("Hello").json["messages"].array?.map { $0["content"] } == ["From the server"])
    }

    @Test func aMessageIsSentAsTheContractSays() throws {
        let test = try FlowChatTests([Self.reply("Tell me more"), Self.reply("I see")])
        let shown = try test.world.send(.get, "/v1/apps/app/runs/\(test.run)").json["chat"]
        #expect(shown["messages"].array?.first?["content"] == "Hi there" && shown["remaining_turns"] == 5)
        let first = try test.say("Vivid dreams")
        #expect(first.status == 200 && first.json["turn"] == 1 && first.json["remaining_turns"] == 4)
        #expect(first.json["messages"].array?.map { $0["content"] } == ["Tell me more"])
        #expect(first.json["completed"] == .null && first.json["run"]["step_id"] == "chat")
        _ = try test.say("Of the sea")
        let bodies = try test.receiver.bodies()
        let conversation = bodies[1]["conversation"]
        #expect(
            bodies[1]["event"] == "chat_message" && bodies[1]["flow_id"] == "tour" && bodies[1]["step_id"] == "chat")
        #expect(bodies[1]["app_id"] == "app" && bodies[1].object?["rating"] == .null)
        #expect(bodies[1].object?["user_id"] == .null && bodies[1]["client_id"] == "c")
        #expect(conversation["turn"] == 2 && conversation["max_turns"] == 5 && conversation["remaining_turns"] == 3)
        #expect(conversation["user_message"] == "Of the sea")
        #expect(conversation["messages"].array?.map { $0["role"] } == ["ai", "user", "ai", "user"])
        #expect(conversation["messages"].array?.first?["id"] == "msg_a0")
        #expect(test.records("chat_message_sent").count == 2 && test.records("chat_message_received").count == 2)
    }

    @Test func dataComesBackAsContext() throws {
        let test = try FlowChatTests([
            Self.reply("1", ["data": ["t": 1, "u": 1]]), Self.reply("2", ["data": ["t": 2]]), Self.reply("3"),
        ])
        for text in ["a", "b", "c"] { _ = try test.say(text) }
        let contexts = try test.receiver.bodies().map { $0.object?["context"] }
        #expect(contexts == [nil, ["t": 1, "u": 1], ["t": 2, "u": 1]])
    }

    @Test func aConversationEndsOnce() throws {
        let test = try FlowChatTests(
            [Self.reply("1"), Self.reply("2", ["force_complete": true, "completion_message": "Bye"])],
            ["max_user_turns": 2])
        _ = try test.say("a")
        let last = try test.say("b").json
        #expect(last["completed"] == "ai_completed" && last["remaining_turns"] == 0)
        #expect(last["messages"].array?.map { $0["content"] } == ["2", "Bye"])
        let completed = test.records("chat_step_completed")
        #expect(completed.count == 1 && completed.allSatisfy { $0.contains("ai_completed") })
        #expect(try test.say("c").status == 409)
        #expect(try test.send(["end": true]).status == 200)
        #expect(test.records("chat_step_completed").count == 1)
    }

    @Test func theLastTurnEndsIt() throws {
        let test = try FlowChatTests(
            [Self.reply("1"), .failure(.timeout)],
            ["max_user_turns": 2, "completion_message": ["content": "Thanks", "delay_ms": 5]])
        _ = try test.say("a")
        let last = try test.say("b").json
        #expect(last["completed"] == "max_turns", "a failed call takes its turn")
        #expect(last["messages"].array?.map { $0["content"] } == ["Thanks", "Try later"])
        #expect(last["messages"].array?.last?["role"] == "system")
        let error = try #require(test.records("chat_webhook_error").first)
        #expect(error.contains("\"turn\":2"))
    }

    @Test func aSoftLimitDoesNotEndIt() throws {
        let test = try FlowChatTests(
            [Self.reply("1"), Self.reply("2")], ["max_user_turns": 1, "turn_limit_behavior": "soft"])
        #expect(try test.say("a").json["completed"] == .null)
        let beyond = try test.say("b").json
        #expect(beyond["completed"] == .null && beyond["turn"] == 2 && beyond["remaining_turns"] == 0)
    }

    @Test func leavingStoresTheTranscript() throws {
        let test = try FlowChatTests(
            [Self.reply("1", ["data": ["plan": "pro"]])],
            ["min_user_turns": 1, "turn_actions": [["turn": 1, "type": "rating_prompt"]]])
        #expect(try test.advance().status == 409, "nothing was said")
        #expect(try test.send(["end": true]).status == 409)
        _ = try test.say("a")
        #expect(try test.send(["rating": 4]).status == 200)
        let left = try test.advance().json
        #expect(left["step_id"] == "end")
        let answer = left["responses"]["chat"]
        #expect(answer["completion_reason"] == "user_completed" && answer["user_turn_count"] == 1)
        #expect(answer["total_message_count"] == 3 && answer["rating"] == 4)
        #expect(answer["webhook_data"] == ["plan": "pro"] && (answer["duration_ms"].integer ?? -1) >= 0)
        #expect(answer["transcript"].array?.map { $0["content"] } == ["Hi there", "a", "1"])
        let times =
            answer["transcript"].array?.compactMap { $0["timestamp"].string.flatMap { Timestamp(rfc3339: $0) } } ?? []
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "a reply is later than its question")
        #expect(test.records("chat_rating_submitted").count == 1)
        let back = try test.world.send(
            .post, "/v1/apps/app/runs/\(test.run)/advance", body: ["step_id": "end", "action": "back"])
        #expect(back.json["chat"]["messages"].array?.count == 3 && back.json["chat"]["completed"] == "user_completed")
        #expect(try test.advance().json["step_id"] == "end")
        #expect(test.records("chat_step_completed").count == 1)
    }

    @Test(arguments: [false, true])
    func `A transcript is in telemetry once, and a sensitive one in no list and no telemetry`(_ isSensitive: Bool)
        throws
    {
        let test = try FlowChatTests([Self.reply("1", ["data": ["plan": "pro"]])], ["sensitive": .bool(isSensitive)])
        _ = try test.say("a secret")
        _ = try test.advance()
        _ = try test.world.send(.post, "/v1/apps/app/runs/\(test.run)/advance", body: ["step_id": "end"])
        let (step, flow) = ("onboarding_step_completed", "onboarding_flow_completed")
        #expect(test.records(step).contains { $0.contains("transcript") } == !isSensitive)
        #expect(test.records(step).contains { $0.contains("a secret") } == !isSensitive)
        #expect(test.records(flow).count == 1 && test.records(flow).allSatisfy { !$0.contains("transcript") })
        #expect(test.records(flow).contains { $0.contains("webhook_data") } == !isSensitive)
        func text(_ path: String) throws -> String {
            String(decoding: try test.world.send(.get, "/v1/apps/app/" + path).body, as: UTF8.self)
        }
        let list = try text("flows/tour/runs")
        #expect(list.contains("a secret") == !isSensitive && list.contains("completion_reason"))
        #expect(try text("responses/\(test.run)").contains("a secret"))
    }

    @Test func skippingEndsItToo() throws {
        let test = try FlowChatTests([])
        let run = try test.advance("skip").json
        #expect(run["step_id"] == "end" && run["responses"].object?["chat"] == nil)
        #expect(test.records("chat_step_completed").first?.contains("skipped") == true)
    }

    @Test func whatIsNoReplyIsAnError() throws {
        let body: [UInt8] = Array(String(repeating: "x", count: 900).utf8)
        let test = try FlowChatTests([
            .success(WebhookResponse(status: 400, body: body)), HookReceiver.answer(["action": "error"]),
            .success(WebhookResponse(status: 200, body: body)),
        ])
        for text in ["a", "b", "c"] {
            let answer = try test.say(text).json
            #expect(answer["messages"].array?.map { $0["content"] } == ["Try later"])
        }
        let errors = test.records("chat_webhook_error")
        #expect(errors.count == 3 && errors[0].contains("\"http_status\":400"))
        #expect(errors[0].contains("\"" + String(repeating: "x", count: 500) + "\""))
        let transcript = try test.world.send(.get, "/v1/apps/app/runs/\(test.run)").json["chat"]["messages"].array
        #expect(transcript?.contains { $0["role"] == "system" } == false)
        #expect(transcript?.count == 4)
    }

    @Test func callsThatMayHelpAreMadeAgain() throws {
        let hook: JSONValue = ["webhook_url": "https://hooks.example/chat", "retry_count": 2]
        let test = try FlowChatTests(
            [.failure(.timeout), HookReceiver.answer([:], status: 503), Self.reply("here")], ["webhook": hook])
        #expect(try test.say("a").json["messages"].array?.first?["content"] == "here")
        let refused = try FlowChatTests([HookReceiver.answer([:], status: 404), Self.reply("no")], ["webhook": hook])
        #expect(try refused.say("a").json["messages"].array?.first?["role"] == "system")
        #expect(refused.receiver.requests.count == 1)
    }

    @Test func aReplyWithoutMessagesIsASilentTurn() throws {
        let test = try FlowChatTests([HookReceiver.answer(["reply": "x"]), HookReceiver.answer(["messages": []])])
        let answer = try test.say("a").json
        #expect(answer["messages"] == [] && answer["turn"] == 1)
        #expect(answer["warnings"].array?.first?["code"] == "chat_reply_shape")
        #expect(test.records("chat_message_received").first?.contains("chat_reply_shape") == true)
        #expect(try test.say("b").json.object?["warnings"] == nil)
    }

    @Test func quickRepliesAndActionsComeAtTheirTurns() throws {
        let test = try FlowChatTests(
            [Self.reply("1"), Self.reply("2", ["quick_replies": [["id": "own", "text": "Own"]]])],
            [
                "quick_replies": [["id": "yes", "text": "Yes"], ["id": "late", "text": "Late", "show_at_turn": 1]],
                "turn_actions": [
                    ["turn": 1, "type": "auto_message", "config": ["content": "One moment"]],
                    [
                        "turn": 1, "type": "quick_reply_inject",
                        "config": ["quick_replies": [["id": "in", "text": "In"]]],
                    ],
                    ["turn": 2, "type": "rating_prompt"],
                ],
            ])
        #expect(try test.send(["quick_reply_id": "late"]).status == 422, "it is not offered yet")
        let first = try test.send(["quick_reply_id": "yes"]).json
        #expect(first["messages"].array?.map { $0["content"] } == ["One moment", "1"])
        #expect(first["quick_replies"].array?.map { $0["id"] } == ["yes", "late", "in"])
        #expect(try test.receiver.bodies()[0]["conversation"]["user_message"] == "Yes")
        #expect(test.records("chat_quick_reply_tapped").count == 1)
        let second = try test.send(["quick_reply_id": "in"]).json
        #expect(second["quick_replies"].array?.map { $0["id"] } == ["yes", "own"] && second["rating_prompt"] == true)
        #expect(try test.send(["rating": 9]).status == 422)
        #expect(try test.send(["rating": 5]).json["rating_prompt"] == false)
    }

    @Test func quickRepliesOfEveryTurnAreThereAfterAFailure() throws {
        let test = try FlowChatTests(
            [.failure(.timeout), Self.reply("2")],
            ["quick_replies": [["id": "yes", "text": "Yes"], ["id": "two", "text": "Two", "show_at_turn": 2]]])
        #expect(try test.send(["quick_reply_id": "yes"]).json["quick_replies"].array?.map { $0["id"] } == ["yes"])
        #expect(
            try test.send(["quick_reply_id": "yes"]).json["quick_replies"].array?.map { $0["id"] } == ["yes", "two"])
    }

    @Test func aRatingIsTakenOnceOnTheScaleOfItsPrompt() throws {
        let test = try FlowChatTests(
            [Self.reply("1"), Self.reply("2")],
            [
                "turn_actions": [
                    ["turn": 1, "type": "rating_prompt", "config": ["max_rating": 3]],
                    ["turn": 2, "type": "rating_prompt", "config": ["max_rating": 7]],
                ]
            ])
        let early = try test.send(["rating": 1])
        #expect(early.status == 409 && early.json["errors"].array?.first?["code"] == "not_allowed")
        let first = try test.say("a").json
        #expect(first["max_rating"] == 3 && first["run"]["chat"]["max_rating"] == 3)
        #expect(try test.send(["rating": 5]).status == 422)
        #expect(try test.say("b").json["max_rating"] == 7)
        let rated = try test.send(["rating": 5])
        #expect(rated.status == 200 && rated.json.object?["max_rating"] == nil)
        #expect(try test.send(["rating": 4]).status == 409, "one rating was asked for")
        #expect(test.records("chat_rating_submitted").count == 1)
    }

    @Test func anAnimationHasItsPoster() throws {
        let media: JSONObject = [
            "type": "lottie", "url": "https://e.example/a.json", "alt_text": "Waving",
            "poster": "https://e.example/a.png",
        ]
        var unsafe = media
        unsafe["poster"] = "javascript:alert(1)"
        let messages: JSONValue = [
            ["content": "1", "media": .object(media)], ["content": "2", "media": .object(unsafe)],
        ]
        let test = try FlowChatTests([HookReceiver.answer(["messages": messages])])
        let shown = try test.say("a").json["messages"].array
        #expect(shown?.first?["media"] == .object(media))
        #expect(shown?.last?["media"].object?["poster"] == nil && shown?.last?["media"]["alt_text"] == "Waving")
    }

    @Test func wrongRequestsAreRefusedWithEveryFault() throws {
        let test = try FlowChatTests([], ["input_max_length": 3])
        #expect(try test.say("  ").status == 422)
        let long = try test.say("long")
        #expect(long.status == 422 && long.json["errors"].array?.first?["pointer"] == "/text")
        #expect(long.json["errors"].array?.first?["code"] == "too_long")
        #expect(try test.send([:]).status == 400)
        #expect(try test.send(["text": "a", "rating": 1]).status == 400)
        #expect(try test.world.send(.post, "/v1/apps/app/runs/\(test.run)/chat", body: ["text": 5]).status == 400)
        let other = try test.world.send(
            .post, "/v1/apps/app/runs/\(test.run)/chat", body: ["step_id": "end", "text": "a"])
        #expect(other.status == 409 && other.json["errors"].array?.first?["code"] == "wrong_step")
        #expect(test.receiver.requests.isEmpty && test.records("chat_message_sent").isEmpty)
    }

    @Test func theSameMessageIsSentOnce() throws {
        let test = try FlowChatTests([Self.reply("1")])
        let first = try test.say("a", id: "m1")
        #expect(try test.say("a", id: "m1").body == first.body)
        #expect(test.receiver.requests.count == 1 && test.records("chat_message_sent").count == 1)
    }

    @Test func whateverAHookAddsToTheAnswerTheConversationStays() throws {
        let data: JSONValue = ["user_turn_count": -5, "duration_ms": 1e300, "transcript": [["id": 1]], "rating": "x"]
        let test = try FlowChatTests(
            [Self.reply("1"), HookReceiver.answer(["action": "proceed", "data": data])],
            hook: ["webhook_url": "https://hooks.example/leave"])
        _ = try test.say("a")
        #expect(try test.advance().json["step_id"] == "end")
        let back = try test.world.send(
            .post, "/v1/apps/app/runs/\(test.run)/advance", body: ["step_id": "end", "action": "back"])
        #expect(back.status == 200 && back.json["chat"]["turn"] == 0)
    }
}
