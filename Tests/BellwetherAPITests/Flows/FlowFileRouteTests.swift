import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Surveys
import Synchronization
import TestSupport
import Testing

@testable import BellwetherAPI

/// Images and signatures of flows: each is stored once, and referred to everywhere else
/// (docs/reference/flows.md#files).
@Suite struct FlowFileRouteTests {
    /// Stores the bodies, and allows every step.
    private final class Receiver: WebhookSending {
        let bodies = Mutex<[JSONValue]>([])

        func send(
            _ request: WebhookRequest,
            completion: @escaping @Sendable (Result<WebhookResponse, WebhookFailure>) -> Void
        ) {
            bodies.withLock { $0.append((try? JSONValue(parsing: request.body)) ?? .null) }
            completion(.success(WebhookResponse(status: 200, body: Array(#"{"action": "proceed"}"#.utf8))))
        }
    }

    private static let content: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0, 1, 2]
    private static let image = "data:image/png;base64," + Base64.encode(content[...])
    private static let file = FlowFile(type: "image/png", content: content)

    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour", "name": "Tour",
        "steps": [
            [
                "id": "a", "type": "form", "hook": ["webhook_url": "https://hooks.example/check"],
                "config": [
                    "fields": [
                        ["id": "photo", "type": "image_picker", "required": true], ["id": "sign", "type": "signature"],
                    ]
                ],
            ],
            ["id": "b", "type": "welcome", "config": ["title": "B"]],
            ["id": "c", "type": "welcome", "config": ["title": "C"]],
        ],
    ]

    private let world: WorkerUnderTest
    private let receiver = Receiver()
    private let id: String

    init() throws {
        let hooks = HookCaller(sender: receiver, secrets: WebhookSecrets(), userAgent: "test")
        world = try WorkerUnderTest(recipes: ["tour": Self.flow], hooks: hooks)
        let started = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: ["client_id": "c1"])
        id = try #require(started.json["run_id"].string)
    }

    private func advance(
        _ step: String, _ response: JSONValue = [:], _ more: JSONObject = [:], run: String? = nil
    ) throws -> RecordedResponse {
        var body: JSONObject = ["step_id": .string(step), "response": response]
        for member in more { body[member.key] = member.value }
        return try world.send(.post, "/v1/apps/app/runs/\(run ?? id)/advance", body: .object(body))
    }

    private func fetch(_ digest: Identifier = file.reference.sha256, app: String = "app") throws -> RecordedResponse {
        try world.send(.get, "/v1/apps/\(app)/files/\(digest)")
    }

    @Test func everyReaderGetsTheReference() throws {
        let reference = Self.file.reference.json
        let answer = try advance("a", ["photo": .string(Self.image), "sign": "signature:2"], ["id": "one"])
        #expect(answer.status == 200 && answer.json["responses"]["a"]["photo"] == reference)
        #expect(answer.json["responses"]["a"]["sign"] == "signature:2")
        let hook = try #require(receiver.bodies.withLock { $0.first })
        #expect(hook["step_data"]["photo"] == reference)
        let readers = [
            "runs/\(id)", "responses/\(id)", "telemetry?limit=100", "results/tour",
        ]
        for reader in readers {
            let text = String(decoding: try world.send(.get, "/v1/apps/app/\(reader)").body, as: UTF8.self)
            #expect(!text.contains("base64") && !text.contains(Base64.encode(Self.content[...])), "\(reader)")
        }
        let again = try advance("a", ["photo": "x"], ["id": "one"])
        #expect(again.body == answer.body, "the stored reply")
    }

    @Test func ownersReadTheContent() throws {
        #expect(try fetch().status == 404)
        _ = try advance("a", ["photo": .string(Self.image)])
        let answer = try fetch()
        #expect(answer.status == 200 && answer.body == Self.content)
        for line in [
            "Content-Type: image/png", "Content-Disposition: attachment", "X-Content-Type-Options: nosniff",
            "Cache-Control: private, no-store",
        ] { #expect(answer.headers.contains(line + "\r\n"), "\(line)") }
        #expect(try fetch(Identifier(Self.file.reference.sha256.text.uppercased())).status == 404)
        #expect(try fetch("0").status == 404 && fetch(app: "other").status == 404)
    }

    @Test func aReferenceSentBackIsTheSameAnswer() throws {
        let reference = Self.file.reference.json
        let other = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: ["client_id": "c2"])
        _ = try advance("a", ["photo": .string(Self.image)])
        _ = try advance("b", [:], ["action": "back"])
        let answer = try advance("a", ["photo": reference])
        #expect(answer.json["step_id"] == "b" && answer.json["responses"]["a"]["photo"] == reference)
        #expect(try fetch().status == 200)
        let foreign = try advance("a", ["photo": reference], run: other.json["run_id"].string)
        #expect(foreign.status == 422 && foreign.json["errors"][0]["pointer"] == "/response/photo")
    }

    @Test func aReplacedFileIsGone() throws {
        _ = try advance("a", ["photo": .string(Self.image)])
        _ = try advance("b", [:], ["action": "back"])
        _ = try advance("a", ["photo": "data:image/png;base64,AAAA"])
        #expect(try fetch().status == 404)
        #expect(try fetch(FlowFile(type: "image/png", content: [0, 0, 0]).reference.sha256).status == 200)
    }

    @Test func aCopyHasTheFilesAndAnErasureTakesThem() throws {
        _ = try advance("a", ["photo": .string(Self.image), "sign": .string(Self.image)])
        let copy = try world.send(.get, "/v1/apps/app/clients/c1/export").json
        var file = Self.file.reference.json.object ?? [:]
        file["content"] = .string(Base64.encode(Self.content[...]))
        #expect(copy["files"] == [.object(file)])
        #expect(copy["responses"][0]["answers"]["a"]["photo"] == Self.file.reference.json)
        #expect(try world.send(.delete, "/v1/apps/app/clients/c1").status == 204)
        #expect(try fetch().status == 404)
        #expect(try world.send(.get, "/v1/apps/app/clients/c1/export").json["files"] == .null)
    }

    @Test func aDeletedResponseShowsNoFile() throws {
        _ = try advance("a", ["photo": .string(Self.image)])
        #expect(try world.send(.delete, "/v1/apps/app/responses/\(id)").status == 204)
        #expect(try fetch().status == 404)
    }

    /// The files of a run have at most 8 MiB; each is 512 KiB here.
    @Test func aRunHasABoundOnItsFiles() throws {
        let fields = (0..<17).map { JSONValue.object(["id": .string("f\($0)"), "type": "image_picker"]) }
        let steps = fields.enumerated().map { index, field -> JSONValue in
            ["id": .string("s\(index)"), "type": "form", "config": ["fields": [field]]]
        }
        let world = try WorkerUnderTest(
            recipes: ["tour": ["kind": "flow", "id": "tour", "name": "T", "steps": .array(steps)]])
        let started = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: ["client_id": "c1"])
        let path = "/v1/apps/app/runs/\(try #require(started.json["run_id"].string))/advance"
        for number in 0..<17 {
            let content = Array(repeating: UInt8(number), count: 512 << 10)
            let image = "data:image/png;base64," + Base64.encode(content[...])
            let answer = try world.send(
                .post, path,
                body: ["step_id": .string("s\(number)"), "response": ["f\(number)": .string(image)]])
            #expect(answer.status == (number < 16 ? 200 : 422), "\(number)")
        }
        let copy = try world.send(.get, "/v1/apps/app/clients/c1/export").json
        #expect(copy["files"].array?.count == 16)
    }

    /// A run with a data URL, as older versions wrote it.
    @Test func aRunWithADataURLGoesOn() throws {
        _ = try advance("a", ["photo": .string(Self.image)])
        let name = RowName.run(RunReference(app: "app", id: Identifier(id)))
        let row = try #require(try world.store.read(RowQuery(names: [name])).rows.first?.get())
        guard case .run(let run) = row.value else { return #expect(Bool(false), "no run") }
        var json = run.json
        json["answers"] = ["a": ["photo": .string(Self.image), "sign": "signature:1"]] as JSONValue
        var flow = json["flow"]?.object ?? [:]
        flow["files"] = nil
        json["flow"] = .object(flow)
        var group = WriteGroup()
        group.rows = [RowWrite(name: name, expected: row.version, value: .run(try #require(Run(json))))]
        _ = try world.store.write([group])
        #expect(try fetch().status == 404)
        let shown = try world.send(.get, "/v1/apps/app/runs/\(id)")
        #expect(shown.json["responses"]["a"]["photo"] == .string(Self.image))
        let answer = try advance("b")
        #expect(answer.json["step_id"] == "c")
        #expect(answer.json["responses"]["a"] == ["photo": Self.file.reference.json, "sign": "signature:1"])
        #expect(try fetch().body == Self.content)
    }
}
