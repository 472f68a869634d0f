import BellwetherBase
import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteStore
import TestSupport
import Testing

/// Everything that a client or a user can make the daemon store contains a unique word. After an erasure, no file and
/// no backup contains any of them (docs/reference/http-api.md#erasure).
@Suite struct ErasureCanaryTests {
    private let folder: TemporaryDirectory
    private let receiver: WebhookReceiver
    private let app: TestApp

    init() throws {
        folder = try TemporaryDirectory()
        // The first call for a person is the step's hook, the second one the chat's.
        receiver = try WebhookReceiver { number in
            let person = ["c", "u"][number / 2 % 2]
            let hook: JSONValue = [
                "action": "proceed_with_data", "data": ["found": .string(Self.word("hook", person))],
            ]
            let chat: JSONValue = [
                "messages": [["content": .string(Self.word("reply", person))]],
                "data": ["thread": .string(Self.word("thread", person))],
            ]
            return .status(200, body: (number % 2 == 0 ? hook : chat).encoded)
        }
        let settings = "webhooks: {allow_networks: [127.0.0.0/8]}\ntelemetry: {answers: false}\n"
        let daemon = try Daemon(["--dev", "--config", folder.write(settings, to: "c.yaml")], data: folder)
        let pacing: JSONValue = ["caps": [["count": 5, "session": true]]]
        app = try TestApp(on: daemon, manifest: .object((TestApp.manifest.object ?? [:]).merging("pacing", pacing)))
        try app.publish("survey", Sample.survey())
        try app.publish("words", Self.questionnaire)
        try app.publish("native", Self.survey)
        try app.publish("tour", Self.flow(hook: receiver.url))
    }

    // MARK: Published documents

    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Words", "notify": ["url": "http://10.1.2.3/refused"], "facts": ["said": "t"],
        "schema": [
            "version": 1,
            "questions": [
                ["id": "t", "type": "text", "title": "?"],
                ["id": "u", "type": "text", "title": "?", "sensitive": true],
            ],
        ],
    ]

    private static let survey: JSONValue = [
        "kind": "survey",
        "questions": [
            [
                "id": "m", "question": "?", "question_type": "multi_select",
                "options": ["A", ["title": "Other", "type": "freeform"]],
            ],
            [
                "id": "d", "question": "?", "question_type": "multi_text_field",
                "fields": [["label": "Dogs", "input_type": "default"]],
            ],
        ],
    ]

    private static func flow(hook url: String) -> JSONValue {
        let fields: JSONValue = [
            ["id": "name", "type": "text"], ["id": "mail", "type": "text", "sensitive": true],
            ["id": "photo", "type": "image_picker"], ["id": "place", "type": "location"],
        ]
        return [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                ["id": "f", "type": "form", "config": ["fields": fields], "hook": ["webhook_url": .string(url)]],
                [
                    "id": "c", "type": "interactive_chat",
                    "config": ["chat_config": ["webhook": ["webhook_url": .string(url)]]],
                ],
            ],
        ]
    }

    // MARK: Stored words

    /// A word that is deleted with the person, and is in no record of the log.
    private static func word(_ label: String, _ person: String) -> String { "word-\(label)-of-\(person)-7391" }

    /// The id of a person, which is in the log until retention deletes the records.
    private static func id(_ person: String) -> String { "id-of-\(person)-7391" }

    private struct Planter {
        let app: TestApp
        let person: String
        let ids: JSONObject

        func word(_ label: String) -> JSONValue { .string(ErasureCanaryTests.word(label, person)) }

        func post(
            _ path: String, _ body: JSONObject, key: String? = nil, expecting status: Int
        ) throws -> HTTPResponse {
            var all = ids
            for member in body { all[member.key] = member.value }
            let headers = key.map { ["Idempotency-Key": ErasureCanaryTests.word($0, person)] } ?? [:]
            let answer = try app.server.post("\(app.path)/\(path)", .object(all), headers: headers)
            guard answer.status == status else { throw Failure("\(path): \(answer.text)") }
            return answer
        }

        /// Stores a draft that becomes a response with a comment, a draft of a survey, and a save that is refused.
        func answer() throws {
            let facts: JSONObject = ["app_version": word("fact"), "attributes": ["plan": word("attribute")]]
            let path = "questionnaires/words/responses"
            _ = try post(
                path, facts.merging("answers", ["t": word("changed"), "u": word("sensitive")]), expecting: 201)
            let final: JSONObject = ["answers": ["t": word("text")], "is_complete": true]
            let response = try post(path, final, key: "key", expecting: 200).json["id"].string ?? ""
            let comment = try app.server.post(
                "\(app.path)/responses/\(response)/comments", ["body": word("comment")])
            #expect(comment.status == 201)
            _ = try post(
                "surveys/native/responses", ["answers": ["m": ["A", word("other")], "d": ["Dogs": word("label")]]],
                expecting: 201)
            let refused: JSONObject = ["answers": ["m": [word("refused"), word("refused")]]]
            _ = try post("surveys/native/responses", refused, key: "refusal", expecting: 422)
        }

        /// Stores a form with an image, then a message of a chat that continues.
        func walk() throws -> String {
            let context: JSONValue = [
                "campaign": word("campaign"), "source": word("source"), "userProperties": ["city": word("property")],
            ]
            let start: JSONObject = ["context": context, "attributes": ["plan": word("plan"), "tags": [word("tag")]]]
            let run = try post("flows/tour/runs", start, expecting: 201).json["run_id"].string ?? ""
            let content = Array(ErasureCanaryTests.word("image", person).utf8)
            let response: JSONValue = [
                "name": word("name"), "mail": word("mail"), "place": ["city": word("place")],
                "photo": .string("data:image/png;base64," + Base64.encode(content[...])),
            ]
            let advance = try app.server.post(
                "\(app.path)/runs/\(run)/advance",
                ["step_id": "f", "response": response, "action": "next", "id": word("action")])
            #expect(advance.status == 200 && advance.json["step_id"] == "c", "\(advance.text)")
            let chat = try app.server.post(
                "\(app.path)/runs/\(run)/chat", ["step_id": "c", "text": word("said"), "id": word("message")])
            #expect(chat.status == 200, "\(chat.text)")
            return run
        }

        /// Stores the data that stays with a device, whoever its user is.
        func use() throws {
            let name = ErasureCanaryTests.word("event", person)
            let event = Event.behavior(name, ["id": word("event-id")])
            let seen: JSONObject = ["id": word("display-id"), "session_id": word("session")]
            let displayed = Event.message("displayed", "survey", seen)
            _ = try post("events", ["events": [event, displayed]], expecting: 200)
            let client = ids["client_id"]?.string ?? ""
            let participation = try app.server.put(
                "\(app.path)/clients/\(client)/participation", ["opted_out": [word("opt-out")]])
            #expect(participation.status == 200)
            let preview: JSONObject = ["answers": ["t": word("preview")], "force": true]
            _ = try post("questionnaires/words/responses", preview, expecting: 201)
        }
    }

    /// The labels of a respondent's data, then those of a device's data.
    private static let ofRespondents = [
        "fact", "text", "sensitive", "key", "comment", "other", "label", "refusal", "campaign", "source",
        "property", "plan", "tag", "image", "name", "mail", "place", "action", "said", "message", "hook", "reply",
        "thread", "request",
    ]
    private static let ofDevices = ["event", "event-id", "display-id", "session", "opt-out", "preview"]

    // MARK: Search

    /// The words that occur in any file below a directory.
    private func found(_ words: [String], in directory: String) throws -> [String] {
        var left = Set(words)
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
            guard let bytes = FileManager.default.contents(atPath: directory + "/" + name) else { continue }
            for word in left where bytes.range(of: Data(word.utf8)) != nil { left.remove(word) }
        }
        return words.filter { !left.contains($0) }
    }

    private var data: String { folder.path + "/data" }

    /// The words that remain after the WAL has been reset, which happens soon after an erasure.
    private func left(_ words: [String]) throws -> [String] {
        let log = data + "/bellwether.sqlite-wal"
        #expect(
            try eventually { try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int == 0 },
            "the log begins anew")
        return try found(words, in: data)
    }

    private func backup(_ name: String) throws -> String {
        let target = folder.path + "/" + name
        let command = try Command.bellwether("backup", "--data", data, target)
        #expect(command.status == 0, "\(command.errors)")
        return target
    }

    private func erase(_ path: String) throws {
        #expect(try app.server.send("DELETE", "\(app.path)/\(path)").status == 204)
    }

    /// Puts clients and users into lists. Returns an id that is nowhere else, and that is never stored.
    private func list() throws -> String {
        let word = Self.word("listed", "x")
        for (path, ids) in [("devices", ["c", "d"]), ("people?of=users", ["u"])] {
            let body = Array((ids.map(Self.id) + [word]).joined(separator: "\n").utf8)
            let answer = try app.server.send(
                "PUT", "\(app.path)/lists/\(path)", headers: ["Content-Type": "text/plain"], body: body)
            #expect(answer.status == 201, "\(answer.text)")
        }
        return word
    }

    /// Whether the lists contain each person.
    private func members() throws -> [JSONValue] {
        try [("devices", ["c", "d"]), ("people", ["u"])].map { name, people in
            let ids = JSONValue.array(people.map { .string(Self.id($0)) })
            return try app.server.post("\(app.path)/lists/\(name)/contains", ["ids": ids]).json["contains"]
        }
    }

    @Test(.disabled(if: Daemon.isSeveral, "a shared store has no files here"))
    func `No file has a word of whom was erased`() throws {
        let client = Planter(app: app, person: "c", ids: ["client_id": .string(Self.id("c"))])
        let device = Planter(app: app, person: "d", ids: ["client_id": .string(Self.id("d"))])
        let user = Planter(
            app: app, person: "u", ids: ["client_id": .string(Self.id("d")), "user_id": .string(Self.id("u"))])
        for planter in [client, user] {
            try planter.answer()
            _ = try planter.walk()
        }
        for planter in [client, device] { try planter.use() }
        _ = try device.post("identify", ["user_id": .string(Self.id("u"))], expecting: 200)
        for person in [client, user] {
            let answer: JSONObject = ["message": "survey", "option": "0", "id": person.word("request")]
            _ = try person.post("responses", answer, expecting: 201)
        }
        let listed = try list()
        let ofClient = (Self.ofRespondents + Self.ofDevices).map { Self.word($0, "c") }
        let ofDevice = Self.ofDevices.map { Self.word($0, "d") }
        let ofUser = Self.ofRespondents.map { Self.word($0, "u") }
        let all = ofClient + ofDevice + ofUser
        let stored = try found(all, in: data)
        #expect(stored == all, "not stored: \(Set(all).subtracting(stored))")
        let copy = try app.server.get("\(app.path)/clients/\(Self.id("c"))/export").json
        #expect(copy["facts"]["said"]["value"].string == Self.word("text", "c"))

        try erase("clients/\(Self.id("c"))")
        #expect(try left(ofClient) == [])
        #expect(try members() == [[false, true], [true]])
        #expect(try found(ofDevice + ofUser, in: data) == ofDevice + ofUser)

        // The user's answers on the device remain the user's; the replies to the device's requests are deleted.
        let ofRequests = ["request", "key", "refusal"].map { Self.word($0, "u") }
        try erase("clients/\(Self.id("d"))")
        #expect(try left(ofDevice) == [])
        let kept = try app.server.get("\(app.path)/users/\(Self.id("u"))/export").json
        #expect(kept["responses"].array?.count == 3 && !kept.text.contains(Self.id("d")))
        #expect(try found(ofUser, in: data) == ofUser.filter { !ofRequests.contains($0) })

        try erase("users/\(Self.id("u"))")
        #expect(try left(all) == [])
        #expect(try members() == [[false, false], [false]])
        #expect(try found(all + [listed], in: backup("after")) == [])
        #expect(try app.server.get("\(app.path)/webhooks").json["items"] == [])

        // The telemetry log is not rewritten: the id remains until retention deletes its records.
        let ids = ["c", "d"].map(Self.id)
        #expect(try found(ids, in: data) == ids)
        app.server.signal(SIGTERM)
        #expect(try app.server.wait() == 0)
        try forgetTelemetry()
        #expect(try found(ids + [Self.id("u")], in: data) == [])
    }

    /// Deletes telemetry as retention does after its last day, and nothing else.
    private func forgetTelemetry() throws {
        let store = try SQLiteStore(directory: data)
        let never = Int64(1) << 40
        var policy = RetentionPolicy(telemetrySeconds: 0, telemetryHoldSeconds: 0, eventIDSeconds: never)
        (policy.deadWebhookSeconds, policy.deletedRunSeconds, policy.idempotencySeconds) = (never, never, never)
        while try store.deleteExpired(policy, now: Clock.system.now().adding(seconds: 86_400)) {}
        store.close()
    }
}
