import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The import of responses from other systems over HTTP (docs/reference/http-api.md#import-of-responses).
@Suite struct ImportTests {
    private let app: TestApp

    static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Onboarding",
        "notify": ["url": "https://hooks.example.org/x"],
        "schema": [
            "version": 1,
            "questions": [
                ["id": "stars", "type": "rating", "title": "How was it?", "required": true],
                [
                    "id": "why", "type": "multi_choice", "title": "Why are you here?",
                    "options": [["id": "work", "label": "Work"], ["id": "fun", "label": "Fun"]],
                ],
                ["id": "more", "type": "text", "title": "More?"],
            ],
        ],
        "offer": ["surface": "card", "text": "Hi", "pacing": ["response_limit": 1]],
    ]

    init() throws {
        app = try TestApp()
        try app.publish("survey", Self.questionnaire)
    }

    private func bring(_ rows: JSONValue..., dryRun: Bool = false) throws -> JSONValue {
        let answer = try app.server.post(
            "\(app.path)/questionnaires/survey/responses/import",
            ["source": "owlmetry", "dry_run": .bool(dryRun), "responses": .array(rows)])
        guard answer.status == 200 else { throw Failure("not imported: \(answer.text)") }
        return answer.json
    }

    private static func row(_ id: String, _ more: JSONObject = [:]) -> JSONValue {
        var row: JSONObject = [
            "id": .string(id), "user_id": .string("user-" + id), "answers": ["stars": 4, "why": ["fun"]],
            "status": "addressed", "created_at": "2025-02-03T04:05:06Z", "updated_at": "2025-02-04T04:05:06Z",
            "submitted_at": "2025-02-04T04:05:06Z", "app_version": "1.2", "os_version": "iOS 18",
        ]
        for member in more { row[member.key] = member.value }
        return .object(row)
    }

    private func list() throws -> [JSONValue] {
        try app.server.get("\(app.path)/questionnaires/survey/responses").json["items"].array ?? []
    }

    @Test func `A response keeps its status, times, respondent and facts, and says where it is from`() throws {
        let answer = try bring(Self.row("r1"))
        #expect(answer["imported"] == 1 && answer["results"][0] == ["id": "r1", "outcome": "imported", "errors": []])
        let item = try #require(try list().first)
        for (key, value) in Self.row("r1").object ?? [:] where key != "id" { #expect(item[key] == value, "\(key)") }
        #expect(item["origin"] == ["source": "owlmetry", "id": "r1"] && item["id"] != "r1")
        let alone = try app.server.get("\(app.path)/responses/\(item["id"].string ?? "")").json
        #expect(alone["schema_snapshot"]["questions"] == Self.questionnaire["schema"]["questions"])
        let fetched = try app.server.get("\(app.path)/questionnaires/survey?user_id=user-r1").json
        #expect(fetched["reason"] == "already_responded")
    }

    @Test func `The same again imports nothing twice`() throws {
        let rows = (0..<3).map { Self.row("r\($0)", ["user_id": nil]) }
        #expect(try bring(rows[0], rows[1])["imported"] == 2)
        let again = try bring(rows[0], rows[1], rows[2])
        #expect(again["imported"] == 1 && again["known"] == 2)
        #expect(try list().count == 3)
    }

    @Test func `A draft goes on here`() throws {
        let row = Self.row("d", ["status": "draft", "submitted_at": nil, "answers": ["why": ["work"]]])
        #expect(try bring(row)["imported"] == 1)
        let fetched = try app.server.get("\(app.path)/questionnaires/survey?user_id=user-d").json
        let draft = fetched["in_progress"]
        #expect(draft["answers"] == ["why": ["work"]] && draft["resume_at"] == "stars")
        let saved = try app.server.post(
            "\(app.path)/questionnaires/survey/responses",
            ["user_id": "user-d", "answers": ["stars": 5], "is_complete": true])
        #expect(saved.status == 200 && saved.json["was_submitted"] == true)
    }

    /// Rows with the faults for which they are refused.
    private static let faults: [(JSONObject, [String])] = [
        (["answers": ["stars": 6, "why": ["play"]]], ["/answers/stars range", "/answers/why/0 not_option"]),
        (["answers": ["more": "x"]], ["/answers/stars required"]),
        (["answers": ["stars": 1, "never": 1]], ["/answers/never unknown_key"]),
        (["answers": 7, "status": "gone"], ["/answers type", "/status choice"]),
        (["status": "draft"], ["/submitted_at status"]), (["submitted_at": "yesterday"], ["/submitted_at time"]),
        (["submitted_at": "2999-01-01T00:00:00Z"], ["/submitted_at range"]),
        (["submitted_at": "2025-02-03T04:05:05Z"], ["/submitted_at range"]),
        (["updated_at": "2025-02-03T04:05:05Z"], ["/updated_at range"]),
        (["created_at": "0001-01-01T00:00:00Z"], ["/created_at range"]),
        (
            ["created_at": nil, "updated_at": "1970-01-21T00:00:00Z", "submitted_at": "1970-01-21T00:00:00Z"],
            ["/updated_at range", "/submitted_at range"]
        ),
        (["colour": "red"], ["/colour unknown_key"]),
        (["id": ""], ["/id identifier"]),
    ]

    @Test func `A row is judged as a save is, and the others are imported`() throws {
        for (more, expected) in Self.faults {
            let answer = try bring(Self.row("bad", more))
            #expect(places(answer["results"][0]["errors"]) == expected && answer["refused"] == 1)
        }
        let mixed = try bring(Self.row("good"), Self.row("bad", ["answers": [:]]), Self.row("better"))
        #expect(mixed["results"].strings("outcome") == ["imported", "refused", "imported"])
        #expect(try list().count == 2)
    }

    @Test func `A respondent has one response, wherever it was given`() throws {
        _ = try app.server.post(
            "\(app.path)/questionnaires/survey/responses", ["user_id": "user-x", "answers": ["more": "a draft"]])
        let answer = try bring(Self.row("x"), Self.row("y"), Self.row("z", ["user_id": "user-y"]))
        #expect(answer["results"].strings("outcome") == ["refused", "imported", "refused"])
        #expect(places(answer["results"][0]["errors"]) == [" already_responded"])
    }

    @Test func `Nobody is notified, and neither a quota nor a limit counts`() throws {
        #expect(try bring(Self.row("a"), Self.row("b"), Self.row("c"))["imported"] == 3)
        let webhooks = try app.server.get("\(app.path)/webhooks").json
        #expect(!webhooks.text.contains("hooks.example.org"))
        let fetched = try app.server.get("\(app.path)/questionnaires/survey?client_id=another").json
        #expect(fetched["eligible"] == true)
    }

    @Test func `Results say how many are imported, and can leave them out`() throws {
        _ = try bring(Self.row("a", ["answers": ["stars": 1, "more": "theirs"]]), Self.row("b"))
        _ = try app.server.post(
            "\(app.path)/questionnaires/survey/responses",
            ["client_id": "c", "answers": ["stars": 5, "more": "ours"], "is_complete": true])
        let path = "\(app.path)/results/survey"
        let all = try app.server.get(path).json
        #expect(all["total_responses"] == 3 && all["submitted_count"] == 3 && all["imported"] == 2)
        let texts = all["questions"][2]["recent_answers"].array ?? []
        #expect(Set(texts.filter { $0["imported"] == true }.map { $0["answer"].string }) == ["theirs"])
        let ours = try app.server.get("\(path)?imported=false").json
        #expect(ours["total_responses"] == 1 && ours["imported"] == .null && ours["questions"][0]["average"] == 5)
        #expect(try app.server.get("\(path)?imported=true").json["total_responses"] == 2)
    }

    @Test func `The log and the audit tell of it`() throws {
        _ = try bring(Self.row("a"), dryRun: true)
        #expect(try list().isEmpty && app.recorded().isEmpty)
        _ = try bring(Self.row("a"), Self.row("b", ["answers": [:]]))
        let records = try app.telemetry()
        #expect(records.map { $0["name"] } == ["imported"])
        #expect(records[0]["extra"]["source"] == "owlmetry" && records[0]["extra"]["answers"]["stars"] == 4)
        #expect(records[0]["extra"]["submitted_at"] == "2025-02-04T04:05:06Z")
        let audit = try app.server.get("/v1/audit?limit=10000").lines.filter { $0["app"].string == app.name }
        let entry = try #require(audit.last)
        #expect(entry["action"] == "import" && entry["kind"] == "response" && entry["name"] == "survey")
        #expect(entry["source"] == "owlmetry" && entry["count"] == 2)
    }

    @Test func `An envelope that is none is refused whole`() throws {
        let path = "\(app.path)/questionnaires/survey/responses/import"
        expectProblem(try app.server.post(path, ["responses": []]), 400)
        expectProblem(try app.server.post(path, ["source": "s", "responses": [], "more": 1]), 400)
        let many = JSONValue.array((0..<101).map { Self.row("r\($0)") })
        #expect(
            places(expectProblem(try app.server.post(path, ["source": "s", "responses": many]), 422)) == [
                "/responses too_many"
            ])
        expectProblem(
            try app.server.post("\(app.path)/surveys/survey/responses/import", ["source": "s", "responses": []]), 404)
    }

    @Test func `A hundred responses are one request`() throws {
        let rows = (0..<100).map { Self.row("r\($0)", ["client_id": .string("c\($0)")]) }
        let answer = try app.server.post(
            "\(app.path)/questionnaires/survey/responses/import",
            ["source": "s", "responses": .array(rows)])
        #expect(answer.json["imported"] == 100, "\(answer.text)")
    }
}
