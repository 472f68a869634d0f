import BellwetherJSON
import Foundation
import PostgresSupport
import Synchronization
import TestSupport
import Testing

/// An action of a respondent leads to one call of the owner's server, over all nodes together
/// (docs/reference/flows.md#one-action-after-another).
@Suite struct NodeActionTests {
    private static let proceed = WebhookReceiver.Response.status(
        200, body: (["action": "proceed", "title": "Shown"] as JSONValue).encoded)
    private static let headers = Nodes.headers

    /// Three daemons that may call the receiver, and one flow with hooks.
    private struct Scene {
        let nodes: Nodes
        let app: String
        let receiver: WebhookReceiver

        init(_ receiver: WebhookReceiver) throws {
            self.receiver = receiver
            nodes = try Nodes(settings: "webhooks: {allow_networks: [127.0.0.0/8]}")
            app = try nodes.makeApp()
            let hook: JSONValue = ["webhook_url": .string(receiver.url), "timeout_ms": 20_000]
            let tour: JSONValue = [
                "kind": "flow", "id": "tour", "name": "Tour",
                "steps": [
                    ["id": "a", "type": "welcome", "hook": hook, "config": ["title": "A"]],
                    ["id": "b", "type": "interactive_chat", "config": ["chat_config": ["webhook": hook]]],
                ],
            ]
            let shown: JSONValue = [
                "kind": "flow", "id": "shown", "name": "Shown",
                "steps": [["id": "a", "type": "welcome", "render_hook": hook, "config": ["title": "A"]]],
            ]
            for (slug, recipe) in [("tour", tour), ("shown", shown)] {
                let answer = try Nodes.patiently {
                    try nodes[0].put("\(app)/recipes/\(slug)", recipe, headers: Nodes.headers)
                }
                guard answer.status == 201 else { throw Failure("not published: \(answer.text)") }
            }
            try nodes.catchUp()
        }

        /// The path of a new run.
        func begin(_ client: String = "c") throws -> String {
            let started = try nodes[0].post(
                "\(app)/flows/tour/runs", ["client_id": .string(client)], headers: Nodes.headers)
            guard let id = started.json["run_id"].string else { throw Failure("no run: \(started.text)") }
            return "\(app)/runs/\(id)"
        }

        /// Sends the same request to all nodes at once, 12 times, and expects that they lead to one call of the owner's
        /// server. A claim that is not renewed ends after 6 s: on a machine that gives a daemon no processor for so
        /// long, another daemon calls, too.
        func together(_ path: String, _ body: JSONValue) throws -> [HTTPResponse] {
            let (calls, began) = (receiver.requests.count, ContinuousClock.now)
            let answers = try EndToEndTests.together(
                (0..<12).map { number in
                    { try nodes[number].post(path, body, headers: Nodes.headers) }
                })
            let isClaimKept = began.duration(to: .now) < .seconds(4)
            #expect(receiver.requests.count == calls + 1 || !isClaimKept)
            return answers
        }
    }

    @Test func `The same action at all nodes at once is one call and one answer`() throws {
        let scene = try Scene(WebhookReceiver { _ in Self.proceed })
        let run = try scene.begin()
        let body: JSONValue = ["step_id": "a", "action": "next", "id": "one"]
        let answers = try scene.together("\(run)/advance", body)
        #expect(answers.count { $0.status == 200 } == 12 && Set(answers.map(\.body)).count == 1)
        #expect(answers.first?.json["step_id"] == "b")
    }

    @Test func `Other actions at other nodes are judged when the first has its outcome`() throws {
        let scene = try Scene(WebhookReceiver { _ in Self.proceed })
        let run = try scene.begin()
        let answers = try scene.together("\(run)/advance", ["step_id": "a", "action": "next"])
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(answers.count { $0.status == 409 && $0.json["errors"][0]["code"] == "wrong_step" } == 11)
    }

    @Test func `A message that is sent to all nodes at once is one message`() throws {
        let reply: JSONValue = ["messages": [["content": "Yes"]]]
        let receiver = try WebhookReceiver { number in number == 0 ? Self.proceed : .status(200, body: reply.encoded) }
        let scene = try Scene(receiver)
        let run = try scene.begin()
        let advance: JSONValue = ["step_id": "a", "action": "next"]
        #expect(try scene.nodes[1].post("\(run)/advance", advance, headers: Self.headers).json["step_id"] == "b")
        let answers = try scene.together("\(run)/chat", ["step_id": "b", "text": "Hi", "id": "m"])
        #expect(answers.allSatisfy { $0.status == 200 && $0.json["turn"] == 1 } && Set(answers.map(\.body)).count == 1)
    }

    @Test func `Starts at all nodes at once ask once how the first step is shown`() throws {
        let scene = try Scene(WebhookReceiver { _ in Self.proceed })
        let answers = try scene.together("\(scene.app)/flows/shown/runs", ["client_id": "c"])
        #expect(answers.count { $0.status == 201 } == 1 && answers.count { $0.status == 200 } == 11)
        #expect(answers.allSatisfy { $0.json["step"]["title"] == "Shown" })
    }

    /// The node dies during the call of the owner's server; its claim expires.
    @Test func `An action passes on when its node is killed and its call has the same id`() throws {
        let gate = Gate()
        let receiver = try WebhookReceiver { number in
            if number == 0 { gate.wait() }
            return Self.proceed
        }
        let scene = try Scene(receiver)
        let run = try scene.begin()
        let body: JSONValue = ["step_id": "a", "action": "next", "id": "one"]
        let connection = try scene.nodes[0].connect()
        let type = ["Content-Type": "application/json"]
        try connection.send(
            "POST", "\(run)/advance", headers: type.merging(Self.headers) { $1 }, body: body.encoded)
        #expect(eventually { receiver.requests.count == 1 })
        try scene.nodes[0].kill()
        let answer = try scene.nodes[1].post("\(run)/advance", body, headers: Self.headers)
        gate.arrive()
        #expect(answer.status == 200 && answer.json["step_id"] == "b")
        let ids = receiver.requests.compactMap { $0.headers["webhook-id"] }
        #expect(ids.count == 2 && Set(ids).count == 1)
    }
}
