import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The text of a password leaves the daemon only in one request to the step's hook, and is stored nowhere
/// (docs/reference/flows.md#fields).
@Suite struct FlowSecretTests {
    private static let password = "correct-horse-battery-7391"

    private let folder: TemporaryDirectory
    private let receiver: WebhookReceiver
    private let daemon: Daemon

    init() throws {
        folder = try TemporaryDirectory()
        // The first attempt fails: a password is not sent again automatically. The second response repeats the
        // request's text.
        let echo: JSONValue = ["action": "proceed_with_data", "data": ["pass": .string(Self.password), "plan": "pro"]]
        receiver = try WebhookReceiver { number in
            number == 0 ? .status(503) : .status(200, body: echo.encoded)
        }
        let settings = """
            webhooks: {allow_networks: [127.0.0.0/8]}
            log: {level: trace, access: \(folder.path)/access.log}

            """
        daemon = try Daemon(["--dev", "--config", folder.write(settings, to: "c.yaml")], data: folder)
    }

    private func flow() -> JSONValue {
        let fields: JSONValue = [
            ["id": "email", "type": "email", "required": true], ["id": "code", "type": "number"],
            ["id": "pass", "type": "password", "required": true, "config": ["min_length": 8]],
        ]
        let hook: JSONValue = [
            "webhook_url": .string(receiver.url), "retry_count": 3, "error_text": "Try again", "timeout_ms": 60_000,
        ]
        return [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                ["id": "account", "type": "form", "hook": hook, "config": ["fields": fields]],
                [
                    "id": "end", "type": "welcome",
                    "config": ["title": "{{input.pass}}{{onboarding.account.pass}}{{computed.pass}} {{computed.plan}}"],
                ],
            ],
        ]
    }

    private func contains(_ bytes: [UInt8]) -> Bool {
        let needle = Data(Self.password.utf8)
        return Data(bytes).range(of: needle) != nil
    }

    /// The files below the test's folder that contain the text.
    private func files() throws -> [String] {
        let root = URL(fileURLWithPath: folder.path)
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        #expect(names.contains { $0.hasSuffix("bellwether.sqlite") } && names.contains { $0.hasSuffix("-wal") })
        return try names.filter { name in
            var isDirectory: ObjCBool = false
            let path = root.appendingPathComponent(name).path
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue else {
                return false
            }
            return contains([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        }
    }

    @Test(.disabled(if: Daemon.isSeveral, "a shared store has no files here"))
    func `A password's text is in no answer, event, log or file`() throws {
        let app = try TestApp(on: daemon)
        try app.publish("tour", flow())
        let started = try daemon.post("\(app.path)/flows/tour/runs", ["client_id": "c", "user_id": "u"])
        let id = try #require(started.json["run_id"].string)
        let path = "\(app.path)/runs/\(id)"
        func advance(_ more: JSONObject, id: String) throws -> HTTPResponse {
            var response: JSONObject = ["email": "ada@example.org", "pass": .string(Self.password)]
            for member in more { response[member.key] = member.value }
            return try daemon.post(
                "\(path)/advance",
                ["step_id": "account", "response": .object(response), "action": "next", "id": .string(id)])
        }
        var answers = [started]
        answers.append(try advance(["code": "no number"], id: "faulty"))
        #expect(answers.last?.status == 422 && receiver.requests.isEmpty)
        answers.append(try advance([:], id: "blocked"))
        #expect(answers.last?.json["banner"]["text"] == "Try again")
        #expect(receiver.requests.count == 1)
        answers.append(try advance([:], id: "good"))
        #expect(answers.last?.json["step_id"] == "end" && answers.last?.json["step"]["title"] == " pro")
        answers.append(try advance([:], id: "good"))
        answers.append(try advance([:], id: "late"))
        #expect(answers.last?.status == 409)
        #expect(receiver.requests.count == 2 && receiver.requests.allSatisfy { contains($0.body) })

        let routes = [
            path, "\(app.path)/responses/\(id)", "\(app.path)/results/tour",
            "\(app.path)/telemetry?limit=1000", "\(app.path)/telemetry?limit=1000&format=glean",
            "\(app.path)/clients/c/export", "\(app.path)/users/u/export", "\(app.path)/webhooks",
            "\(app.path)/flows/tour", "\(app.path)/bundle", "/v1/audit", "/metrics",
        ]
        for route in routes {
            let answer = try daemon.get(route)
            #expect(answer.status == 200, "\(route)")
            answers.append(answer)
        }
        for answer in answers { #expect(!contains(answer.body), "\(answer.text)") }
        #expect(try app.recorded().contains("onboarding.onboarding_hook_error"))

        // The test searches the database and its log while the daemon runs, and again after the final checkpoint.
        #expect(try files() == [])
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        #expect(!(daemon.furtherOutput() ?? "").contains(Self.password) && !daemon.logText.contains(Self.password))
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let bytes = FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data()
            #expect(!contains([UInt8](bytes)), "\(name)")
        }
    }
}
