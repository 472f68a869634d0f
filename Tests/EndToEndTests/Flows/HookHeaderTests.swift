import BellwetherCore
import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteStore
import TestSupport
import Testing

/// Names and values of hooks' headers (docs/reference/flows.md#headers).
@Suite struct HookHeaderTests {
    private let folder: TemporaryDirectory
    private let receiver: WebhookReceiver

    init() throws {
        folder = try TemporaryDirectory()
        receiver = try WebhookReceiver { _ in .status(200, body: (["action": "proceed"] as JSONValue).encoded) }
    }

    private func daemon() throws -> Daemon {
        let text = "webhooks: {allow_networks: [127.0.0.0/8]}\n"
        return try Daemon(["--dev", "--config", folder.write(text, to: "c.yaml")], data: folder)
    }

    private func flow(_ headers: JSONObject) -> JSONValue {
        let hook: JSONValue = ["webhook_url": .string(receiver.url), "headers": .object(headers), "timeout_ms": 60_000]
        return [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                [
                    "id": "a", "type": "form", "config": ["fields": [["id": "name", "type": "textarea"]]],
                ],
                ["id": "b", "type": "welcome", "hook": hook, "config": ["title": "B"]],
                ["id": "c", "type": "welcome", "config": ["title": "C"]],
            ],
        ]
    }

    /// The step that follows `b` for a respondent.
    private func step(of app: TestApp, name: String = "Ada") throws -> String? {
        let run = try app.server.post("\(app.path)/flows/tour/runs", ["client_id": .string(UUID().uuidString)])
        let path = "\(app.path)/runs/\(try #require(run.json["run_id"].string, "\(run.text)"))/advance"
        _ = try app.server.post(path, ["step_id": "a", "action": "next", "response": ["name": .string(name)]])
        return try app.server.post(path, ["step_id": "b", "action": "next"]).json["step_id"].string
    }

    @Test(arguments: [
        "Host", "content-length", "Connection", "Transfer-Encoding", "Expect", "TE", "Upgrade", "Trailer", "Keep-Alive",
        "Proxy-Authorization", "Content-Type", "User-Agent", "webhook-id", "Webhook-Timestamp", "webhook-signature", "",
        "X: y", "X y", "X\r\nY", "X\u{e4}",
    ])
    func `A header that frames a message or is no name is a fault`(_ name: String) throws {
        let app = try TestApp()
        let answer = try app.server.put("\(app.path)/recipes/tour", flow([name: "v", "X-Good": "v"]))
        let errors = answer.json["errors"].array ?? []
        let place = JSONPointer(tokens: ["steps", "1", "hook", "headers", name]).description
        #expect(answer.status == 422 && errors.count == 1)
        #expect(errors.first?["pointer"].string == place && errors.first?["code"] == "header", "\(answer.text)")
    }

    @Test func `Line breaks of answers are spaces in headers`() throws {
        let app = try TestApp(on: daemon())
        try app.publish("tour", flow(["X-Name": "<{{responses.a.name}}>"]))
        #expect(try step(of: app, name: "Ada\r\nX-Evil: 1\nx\ty") == "c")
        #expect(receiver.requests.first?.headers["x-name"] == "<Ada  X-Evil: 1 x y>")
        #expect(receiver.requests.first?.headers["x-evil"] == nil)
    }

    /// An older version accepted the recipe.
    @Test(.disabled(if: Daemon.isSeveral, "the row is changed in a file"))
    func `A stored recipe with such a header is served and its call fails`() throws {
        let store = try SQLiteStore(directory: folder.path + "/data")
        let now = BellwetherService.Clock.system.now()
        func document(_ value: JSONValue) -> StoredDocument {
            StoredDocument(revision: 1, source: .api, text: value.encoded, publishedAt: now)
        }
        var recipe = StoredRecipe(
            slug: "tour", state: .live, document: document(flow(["Content-Length": "5", "X-Good": "v"])))
        recipe.stateSince = now
        let changes: [CatalogChange] = [
            .manifest(app: "app", document(TestApp.manifest)), .recipe(app: "app", recipe), .revision(app: "app", 1),
        ]
        _ = try store.publish(changes, expecting: try store.loadCatalog().head, by: "", at: now)
        store.close()
        let app = TestApp(on: try daemon(), named: "app")
        #expect(try step(of: app) == "b")
        #expect(receiver.connectionCount == 0)
        let error = try app.telemetry().first { $0["name"] == "onboarding_hook_error" }
        #expect(error?["extra"]["error_type"] == "configuration")
    }
}
