import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The secrets that a recipe may use in a hook's headers or for signatures, when it is published and when the hook is
/// called (docs/reference/webhooks.md#secrets).
@Suite struct HookSecretTests {
    private static let hosts = ["127.0.0.1", "crm.example"]

    private let folder: TemporaryDirectory
    private let receiver: WebhookReceiver
    private let shop: TestApp
    private let other: TestApp

    init() throws {
        folder = try TemporaryDirectory()
        receiver = try WebhookReceiver { _ in .status(200, body: (["action": "proceed"] as JSONValue).encoded) }
        let daemon = try Self.daemon("{}", in: folder)
        shop = try TestApp(on: daemon)
        other = try TestApp(on: daemon)
        try settings("{crm: {value: s3cret, apps: [\(shop.name)], hosts: [127.0.0.1]}, hooks: whsec_Zm9v, all: open}")
    }

    private static func settings(_ secrets: String, in folder: TemporaryDirectory) throws -> String {
        try folder.write("webhooks: {allow_networks: [127.0.0.0/8], secrets: \(secrets)}\n", to: "c.yaml")
    }

    private static func daemon(
        _ secrets: String, in folder: TemporaryDirectory, environment: [String: String] = [:]
    ) throws -> Daemon {
        try Daemon(["--dev", "--config", settings(secrets, in: folder)], data: folder, environment: environment)
    }

    /// Writes other settings and reloads them.
    private func settings(_ secrets: String) throws {
        _ = try Self.settings(secrets, in: folder)
        let reloads = shop.server.logText.components(separatedBy: "reloaded").count
        shop.server.signal(SIGHUP)
        #expect(eventually { shop.server.logText.components(separatedBy: "reloaded").count > reloads })
    }

    private func flow(_ header: String, to url: String? = nil) -> JSONValue {
        let hook: JSONValue = [
            "webhook_url": .string(url ?? receiver.url), "headers": ["X-Key": .string(header)], "error_text": "Not now",
            "timeout_ms": 60_000,
        ]
        return [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                ["id": "a", "type": "welcome", "hook": hook, "config": ["title": "A"]],
                ["id": "b", "type": "welcome", "config": ["title": "B"]],
            ],
        ]
    }

    private static func questionnaire(_ notify: JSONObject) -> JSONValue {
        [
            "kind": "questionnaire", "name": "Q", "notify": .object(notify),
            "schema": ["version": 1, "questions": [["id": "t", "type": "text", "title": "T"]]],
        ]
    }

    private func put(_ recipe: JSONValue, _ slug: String = "tour", of app: TestApp) throws -> HTTPResponse {
        try app.server.put("\(app.path)/recipes/\(slug)", recipe)
    }

    /// The step of the respondent afterwards: it is the next step if the hook was called and allowed it.
    private func step(of app: TestApp) throws -> String? {
        let run = try app.server.post("\(app.path)/flows/tour/runs", ["client_id": .string(UUID().uuidString)])
        let id = try #require(run.json["run_id"].string, "\(run.text)")
        let body: JSONValue = ["step_id": "a", "action": "next"]
        return try app.server.post("\(app.path)/runs/\(id)/advance", body).json["step_id"].string
    }

    private func expectFault(_ answer: HTTPResponse, at pointer: String, _ message: String) {
        let fault = answer.json["errors"][0]
        #expect(answer.status == 422 && fault["pointer"].string == pointer && fault["code"] == "secret")
        #expect(fault["message"].string == message && !answer.text.contains("s3cret"), "\(answer.text)")
    }

    @Test func `A secret is put into headers of its apps and for its hosts only`() throws {
        let place = "/steps/0/hook/headers/X-Key"
        expectFault(
            try put(flow("{{secret.crm}}"), of: other), at: place, "the secret crm is not for this app")
        expectFault(
            try put(flow("{{secret.crm}}", to: "https://evil.example/"), of: shop), at: place,
            "the secret crm is not for this host")
        let validated = try shop.server.post(
            "\(other.path)/recipes/validate?slug=tour", flow("k {{secret.crm}}"))
        expectFault(validated, at: place, "the secret crm is not for this app")
        #expect(try put(flow("k {{ secret.crm }}{{secret.crm}}"), of: shop).json["warnings"] == [])
        #expect(try step(of: shop) == "b")
        #expect(receiver.requests.map { $0.headers["x-key"] } == ["k s3cret"])
        #expect(receiver.requests.first?.headers["webhook-signature"] != nil)
    }

    @Test func `An unknown secret is a warning`() throws {
        let warnings = try put(flow("{{secret.later}}"), of: other).json["warnings"]
        #expect(warnings[0]["code"] == "unknown_secret" && warnings[0]["pointer"] == "/steps/0/hook/headers/X-Key")
        #expect(try step(of: other) == "a")
        try settings("{later: {value: x}}")
        #expect(try step(of: other) == "b" && receiver.requests.last?.headers["x-key"] == "x")
    }

    @Test func `A key that signs is never put into a header`() throws {
        let place = "/steps/0/hook/headers/X-Key"
        expectFault(
            try put(flow("{{secret.hooks}}"), of: shop), at: place,
            "the secret hooks signs webhooks and is never put into a header")
        #expect(
            try put(Self.questionnaire(["url": "https://a.example/", "secret_name": "all"]), "q", of: shop).status
                == 201)
        expectFault(
            try put(flow("{{secret.all}}"), of: shop), at: place,
            "the secret all signs webhooks and is never put into a header")
        // The other app does not sign with the secret, so its header may contain it; from then on, the secret must not
        // sign there.
        #expect(try put(flow("{{secret.all}}"), of: other).status == 201)
        expectFault(
            try put(Self.questionnaire(["url": "https://a.example/", "secret_name": "all"]), "q", of: other),
            at: "/notify/secret_name", "the secret all stands in headers of a flow's hook, so it signs no webhook")
    }

    @Test func `A notification is signed with secrets of its app and for its host only`() throws {
        let place = "/notify/secret_name"
        expectFault(
            try put(Self.questionnaire(["url": "https://127.0.0.1/", "secret_name": "crm"]), "q", of: other), at: place,
            "the secret crm is not for this app")
        expectFault(
            try put(Self.questionnaire(["url": "https://a.example/", "secret_name": "crm"]), "q", of: shop), at: place,
            "the secret crm is not for this host")
        let recipe = Self.questionnaire(["url": .string(receiver.url), "secret_name": "crm"])
        #expect(try put(recipe, "q", of: shop).status == 201)
        try settings("{crm: {value: s3cret, apps: [another]}}")
        let saved = try shop.server.post(
            "\(shop.path)/questionnaires/q/responses",
            ["client_id": "c", "answers": ["t": "x"], "is_complete": true])
        #expect(saved.json["was_submitted"] == true, "\(saved.text)")
        let list = "\(shop.path)/webhooks"
        let refusal = "the secret crm is not for this app"
        #expect(
            try eventually { try shop.server.get(list).json["items"][0]["last_failure"].string == refusal })
        #expect(receiver.requests.isEmpty)
    }

    /// A published recipe stays, and its call fails.
    @Test(arguments: ["{crm: {value: s3cret, apps: [another]}}", "{crm: {value: s3cret, hosts: [crm.example]}}", "{}"])
    func `Settings that become narrower hold for recipes that are there`(_ secrets: String) throws {
        #expect(try put(flow("{{secret.crm}}"), of: shop).status == 201)
        #expect(try step(of: shop) == "b")
        try settings(secrets)
        #expect(try step(of: shop) == "a" && receiver.requests.count == 1)
        let errors = try shop.telemetry().filter { $0["name"] == "onboarding_hook_error" }
        #expect(errors.map { $0["extra"]["error_type"] } == ["configuration"])
    }

    @Test func `Plain texts are told of at the start and come from the environment too`() throws {
        let warning = "webhooks.secrets: every app may use"
        #expect(shop.server.logText.contains("\(warning) all, hooks, and send it to any host"))
        let folder = try TemporaryDirectory()
        let quiet = try Self.daemon("{a: {value: x}, b: {value: y, apps: [shop]}}", in: folder)
        #expect(!quiet.logText.contains(warning))
        let second = try TemporaryDirectory()
        let variables = ["BELLWETHER_WEBHOOKS_SECRETS": "crm=fromtheenvironment,b=c"]
        let daemon = try Self.daemon("{crm: {value: s3cret, apps: [another]}}", in: second, environment: variables)
        #expect(daemon.logText.contains("\(warning) crm, b"))
        let app = try TestApp(on: daemon)
        #expect(try put(flow("{{secret.crm}}"), of: app).status == 201)
        #expect(try step(of: app) == "b" && receiver.requests.last?.headers["x-key"] == "fromtheenvironment")
    }
}
