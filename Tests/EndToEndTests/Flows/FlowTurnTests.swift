import BellwetherJSON
import Foundation
import Synchronization
import TestSupport
import Testing

/// The owner's server is called once for an action, however often the action is requested
/// (docs/reference/flows.md#one-action-after-another).
@Suite struct FlowTurnTests {
    private static let proceed = WebhookReceiver.Response.status(
        200, body: (["action": "proceed", "title": "Shown"] as JSONValue).encoded)

    /// A daemon that may call the receiver, and one flow with hooks.
    private struct Scene {
        let app: TestApp
        let receiver: WebhookReceiver
        let folder: TemporaryDirectory

        init(_ receiver: WebhookReceiver, _ step: JSONObject = [:], telemetry: String = "{}") throws {
            self.receiver = receiver
            folder = try TemporaryDirectory()
            let text = "webhooks: {allow_networks: [127.0.0.0/8]}\ntelemetry: \(telemetry)\n"
            let daemon = try Daemon(
                ["--dev", "--workers", "4", "--config", folder.write(text, to: "c.yaml")], data: folder)
            app = try TestApp(on: daemon)
            var hook: JSONObject = [
                "webhook_url": .string(receiver.url), "error_text": "Not now", "timeout_ms": 60_000,
            ]
            for member in step { hook[member.key] = member.value }
            try app.publish("tour", Self.flow(.object(hook), chat: receiver.url))
        }

        private static func flow(_ hook: JSONValue, chat: String) -> JSONValue {
            let fields: JSONValue = [["id": "name", "type": "text"], ["id": "pass", "type": "password"]]
            return [
                "kind": "flow", "id": "tour", "name": "Tour",
                "steps": [
                    ["id": "a", "type": "form", "hook": hook, "config": ["fields": fields]],
                    [
                        "id": "b", "type": "interactive_chat",
                        "config": ["chat_config": ["webhook": ["webhook_url": .string(chat), "timeout_ms": 60_000]]],
                    ],
                    ["id": "c", "type": "welcome", "config": ["title": "C"]],
                ],
            ]
        }

        /// The path of a new run.
        func begin(_ client: String = "c") throws -> String {
            let started = try app.server.post("\(app.path)/flows/tour/runs", ["client_id": .string(client)])
            guard let id = started.json["run_id"].string else { throw Failure("no run: \(started.text)") }
            return "\(app.path)/runs/\(id)"
        }

        func advance(_ run: String, _ step: String = "a", _ response: JSONObject = [:], id: String? = nil) throws
            -> HTTPResponse
        {
            var body: JSONObject = ["step_id": .string(step), "response": .object(response), "action": "next"]
            body["id"] = id.map { .string($0) }
            return try app.server.post("\(run)/advance", .object(body))
        }

        func ids() -> [String] { receiver.requests.compactMap { $0.headers["webhook-id"] } }
    }

    @Test func `Many times the same action at once are one call and one answer`() throws {
        let scene = try Scene(WebhookReceiver { _ in Self.proceed })
        let run = try scene.begin()
        let answers = try together(
            (0..<32).map { _ -> @Sendable () throws -> HTTPResponse in { try scene.advance(run, id: "one") } })
        #expect(answers.count { $0.status == 200 } == 32 && Set(answers.map(\.body)).count == 1)
        #expect(answers.first?.json["step_id"] == "b")
        #expect(scene.receiver.requests.count == 1)
    }

    @Test func `Other actions on the step are judged when the first has its outcome`() throws {
        let scene = try Scene(WebhookReceiver { _ in Self.proceed })
        let run = try scene.begin()
        let answers = try together(
            (0..<32).map { number -> @Sendable () throws -> HTTPResponse in
                { try scene.advance(run, id: number % 2 == 0 ? nil : "id\(number)") }
            })
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(answers.count { $0.status == 409 && $0.json["errors"][0]["code"] == "wrong_step" } == 31)
        #expect(scene.receiver.requests.count == 1)
    }

    @Test func `A message that is sent many times at once is one message`() throws {
        let reply: JSONValue = ["messages": [["content": "Yes"]]]
        let receiver = try WebhookReceiver { number in number == 0 ? Self.proceed : .status(200, body: reply.encoded) }
        let scene = try Scene(receiver)
        let run = try scene.begin()
        #expect(try scene.advance(run).json["step_id"] == "b")
        let answers = try together(
            (0..<16).map { _ -> @Sendable () throws -> HTTPResponse in
                { try scene.app.server.post("\(run)/chat", ["step_id": "b", "text": "Hi", "id": "m"]) }
            })
        #expect(answers.allSatisfy { $0.status == 200 && $0.json["turn"] == 1 } && Set(answers.map(\.body)).count == 1)
        #expect(receiver.requests.count == 2)
        #expect(try scene.app.recorded().count { $0 == "onboarding.chat_message_sent" } == 1)
    }

    @Test func `Many starts at once ask once how the first step is shown`() throws {
        let receiver = try WebhookReceiver { _ in Self.proceed }
        let scene = try Scene(receiver)
        let render: JSONValue = ["webhook_url": .string(receiver.url), "timeout_ms": 60_000]
        try scene.app.publish(
            "shown",
            [
                "kind": "flow", "id": "shown", "name": "Shown",
                "steps": [["id": "a", "type": "welcome", "render_hook": render, "config": ["title": "A"]]],
            ])
        let answers = try together(
            (0..<16).map { _ -> @Sendable () throws -> HTTPResponse in
                { try scene.app.server.post("\(scene.app.path)/flows/shown/runs", ["client_id": "c"]) }
            })
        #expect(answers.count { $0.status == 201 } == 1 && answers.count { $0.status == 200 } == 15)
        #expect(answers.allSatisfy { $0.json["step"]["title"] == "Shown" })
        #expect(receiver.requests.count == 1)
    }

    @Test func `An action goes on when its client is gone and the repeated request gets its answer`() throws {
        let gate = Gate()
        let receiver = try WebhookReceiver { _ in
            gate.wait()
            return Self.proceed
        }
        let scene = try Scene(receiver)
        let run = try scene.begin()
        let body: JSONValue = ["step_id": "a", "action": "next", "id": "one"]
        var impatient: HTTPConnection? = try scene.app.server.connect()
        try impatient?.send(
            "POST", "\(run)/advance", headers: ["Content-Type": "application/json"], body: body.encoded)
        #expect(eventually { receiver.requests.count == 1 })
        impatient = nil
        let again = try scene.app.server.connect()
        try again.send("POST", "\(run)/advance", headers: ["Content-Type": "application/json"], body: body.encoded)
        gate.arrive()
        let answer = try again.receive()
        #expect(answer.status == 200 && answer.json["step_id"] == "b")
        #expect(receiver.requests.count == 1)
    }

    /// The daemon dies during the call of the owner's server.
    @Test func `A call that is made again after a crash has the same id`() throws {
        let gate = Gate()
        let receiver = try WebhookReceiver { number in
            if number == 0 { gate.wait() }
            return Self.proceed
        }
        let scene = try Scene(receiver)
        let run = try scene.begin()
        let body: JSONValue = ["step_id": "a", "response": ["name": "Ada"], "action": "next", "id": "one"]
        let connection = try scene.app.server.connect()
        try connection.send(
            "POST", "\(run)/advance", headers: ["Content-Type": "application/json"], body: body.encoded)
        #expect(eventually { receiver.requests.count == 1 })
        try scene.app.server.kill()
        gate.arrive()
        let restarted = try Daemon(["--dev", "--config", scene.folder.path + "/c.yaml"], data: scene.folder)
        #expect(try restarted.post("\(run)/advance", body).json["step_id"] == "b")
        #expect(scene.ids().count == 2 && Set(scene.ids()).count == 1)
    }

    @Test func `Respondents beyond the places of a host wait for one`() throws {
        let gate = Gate(after: 64)
        let receiver = try WebhookReceiver { _ in
            gate.arrive()
            gate.wait()
            return Self.proceed
        }
        let scene = try Scene(receiver)
        let runs = try (0..<100).map { try scene.begin("c\($0)") }
        let answers = try together(runs.map { run in { try scene.advance(run) } })
        #expect(answers.count { $0.status == 200 && $0.json["step_id"] == "b" } == 100)
    }

    @Test(arguments: [RecipeChange.paused, .deleted])
    fileprivate func `A hook that comes back to a flow that is gone moves nothing`(_ change: RecipeChange) throws {
        let gate = Gate()
        let receiver = try WebhookReceiver { _ in
            gate.wait()
            return Self.proceed
        }
        let scene = try Scene(receiver)
        let run = try scene.begin()
        let body: JSONValue = ["step_id": "a", "action": "next"]
        let connection = try scene.app.server.connect()
        try connection.send(
            "POST", "\(run)/advance", headers: ["Content-Type": "application/json"], body: body.encoded)
        #expect(eventually { receiver.requests.count == 1 })
        let recipe = "\(scene.app.path)/recipes/tour"
        switch change {
        case .paused: #expect(try scene.app.server.post("\(recipe)/state", ["state": "paused"]).status == 200)
        case .deleted: #expect(try scene.app.server.send("DELETE", recipe).status == 204)
        }
        gate.arrive()
        let answer = try connection.receive()
        #expect(answer.status == 409 && answer.json["errors"][0]["code"] == "inactive")
        #expect(try scene.app.server.get(run).json["step_id"] == "a")
        #expect(try !scene.app.recorded().contains("onboarding.onboarding_step_completed"))
    }

    fileprivate enum RecipeChange { case paused, deleted }

    /// The response of a hook is stored twice: as the step's response, and as a value for rules.
    @Test(arguments: [("block", "a"), ("proceed", "b")])
    func `An answer with which the run would be too large is a failure of the hook`(
        _ policy: String, _ step: String
    ) throws {
        let data: JSONValue = ["x": .string(String(repeating: "x", count: 900_000))]
        let large: JSONValue = ["action": "proceed", "data": data]
        let scene = try Scene(
            WebhookReceiver { _ in .status(200, body: large.encoded) }, ["on_failure": .string(policy)])
        let run = try scene.begin()
        let answer = try scene.advance(run, "a", ["name": "Ada"])
        #expect(answer.status == 200 && answer.json["step_id"].string == step)
        #expect(answer.json["banner"]["text"] == (policy == "block" ? "Not now" : nil))
        let names = try scene.app.telemetry().filter { $0["extra"]["hook_type"] == "advance" }
        #expect(names.compactMap { $0["name"].string } == ["onboarding_hook_started", "onboarding_hook_error"])
        #expect(names.last?["extra"]["error_type"] == "too_large")
    }

    @Test func `What repeats a password of the request is dropped wherever it stands`() throws {
        let pass = "hunter2-hunter2"
        let data: JSONValue = [
            "copy": .string("It is \(pass)!"), "plan": "pro", "list": ["a", .string(pass)],
            "deep": ["pw": .string(pass), "n": [["x": .string(pass)], ["y": 1]]],
        ]
        let reply: JSONValue = ["action": "proceed", "data": data]
        let scene = try Scene(WebhookReceiver { _ in .status(200, body: reply.encoded) })
        let run = try scene.begin()
        let answer = try scene.advance(run, "a", ["name": "Ada", "pass": .string(pass)])
        #expect(answer.json["step_id"] == "b" && !answer.text.contains(pass))
        #expect(
            answer.json["responses"]["a"] == [
                "name": "Ada", "plan": "pro", "list": ["a"], "deep": ["n": [[:], ["y": 1]]],
            ])
        #expect(try !scene.app.server.get("\(scene.app.path)/clients/c/export").text.contains(pass))
    }

    @Test(arguments: [true, false])
    func `Telemetry without answers has nothing of what a chat's server says`(_ hasAnswers: Bool) throws {
        let receiver = try WebhookReceiver { number in
            number == 0 ? Self.proceed : .status(400, body: Array("you said CANARY".utf8))
        }
        let scene = try Scene(receiver, telemetry: "{answers: \(hasAnswers)}")
        let run = try scene.begin()
        #expect(try scene.advance(run).json["step_id"] == "b")
        let said = try scene.app.server.post("\(run)/chat", ["step_id": "b", "text": "CANARY"])
        #expect(said.json["messages"][0]["role"] == "system")
        let error = try scene.app.telemetry().first { $0["name"] == "chat_webhook_error" }
        #expect(error?["extra"]["response_body"].string == (hasAnswers ? "you said CANARY" : nil))
        #expect(error?["extra"]["http_status"] == 400)
    }
}
