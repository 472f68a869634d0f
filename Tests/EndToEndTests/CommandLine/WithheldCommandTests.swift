import BellwetherJSON
import TestSupport
import Testing

/// `bellwether results` and `responses` with few responses, and with texts of several lines.
@Suite struct WithheldCommandTests {
    private let guarded: GuardedDaemon

    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Q", "keep": ["plan"],
        "schema": [
            "version": 1,
            "questions": [
                ["id": "score", "type": "nps", "title": "How likely?"],
                ["id": "words", "type": "text", "title": "Why?"],
            ],
        ],
    ]
    private static let survey: JSONValue = [
        "kind": "survey",
        "questions": [
            [
                "id": "table", "question": "How was it?", "question_type": "table_select", "required": false,
                "options": ["good", "bad"], "table_questions": [["id": "r1", "title": "The food"]],
            ],
            [
                "id": "size", "question": "How big?", "question_type": "multi_text_field", "required": false,
                "fields": [["label": "Height", "input_type": "number"], ["label": "Name"]],
            ],
        ],
    ]
    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour", "steps": [["id": "hello", "type": "welcome", "config": ["title": "Hello"]]],
    ]

    init() throws {
        guarded = try GuardedDaemon()
        let manifest = (GuardedDaemon.manifest("one").object ?? [:]).merging("attributes", ["plan": "string"])
        #expect(try send("PUT", "manifest", "admin-all", .object(manifest)).status == 200)
        for (slug, recipe) in [("q", Self.questionnaire), ("s", Self.survey), ("tour", Self.flow)] {
            #expect(try send("PUT", "recipes/\(slug)", "owner-one", recipe).status == 201)
        }
    }

    private func send(_ method: String, _ path: String, _ token: String, _ body: JSONValue) throws -> HTTPResponse {
        try guarded.daemon.send(method, "/v1/apps/one/\(path)", json: body, headers: GuardedDaemon.bearer(token))
    }

    @discardableResult
    private func answer(
        _ client: String, _ answers: JSONValue, to path: String = "questionnaires/q", plan: String = "pro"
    ) throws -> String {
        let body: JSONValue = [
            "client_id": .string(client), "answers": answers, "is_complete": true,
            "attributes": ["plan": .string(plan)],
        ]
        let answer = try send("POST", "\(path)/responses", "client-one", body)
        #expect(answer.status == 201, "\(answer.text)")
        return answer.json["id"].string ?? ""
    }

    private func run(_ token: String, _ arguments: String...) throws -> Command {
        try Command.run(
            [BellwetherProgram.path] + arguments
                + ["--app", "one", "--url", "http://127.0.0.1:\(guarded.daemon.port)"],
            environment: ["BELLWETHER_TOKEN": token])
    }

    @Test func `A withheld count is no 0`() throws {
        try answer("a", ["score": 9])
        let one = try run("reader-one", "results", "q")
        #expect(one.lines.dropFirst().first == "withheld responses", "\(one.output)\(one.errors)")
        #expect(one.output.contains("score: How likely?\n  withheld answers\n"))
        #expect(!one.output.contains("0.0 %"))
        for client in ["b", "c", "d", "e"] { try answer(client, ["score": 9]) }
        try answer("f", ["score": 0])
        let six = try run("reader-one", "results", "q").output
        #expect(six.contains("6 responses, 6 submitted"))
        #expect(six.contains("detractors, 0 to 6                             withheld\n"), "\(six)")
        #expect(six.contains("passives, 7 and 8                                    0    0.0 %\n"), "\(six)")
        for client in ["a", "b"] {
            #expect(try send("POST", "flows/tour/runs", "client-one", ["client_id": .string(client)]).status == 201)
        }
        let flow = try run("reader-one", "results", "tour")
        #expect(flow.lines.dropFirst().first == "withheld runs", "\(flow.output)")
        #expect(try run("owner-one", "results", "tour").output.contains("2 runs: 0 completed, 0 dismissed, 2 active"))
    }

    @Test func `Results are broken down and filtered by an attribute`() throws {
        for (client, plan) in [("a", "pro"), ("b", "pro"), ("c", "free")] {
            try answer(client, ["score": plan == "pro" ? 10 : 2], plan: plan)
        }
        let groups = try run("owner-one", "results", "q", "--by", "plan").output
        #expect(groups.contains("plan=pro: 2 responses, 2 submitted\n  score: 2 answers, NPS 100\n"), "\(groups)")
        #expect(groups.contains("plan=free: 1 response, 1 submitted\n  score: 1 answer, NPS -100\n"))
        let free = try run("owner-one", "results", "q", "--attribute", "plan=free").output
        #expect(free.contains("1 response, 1 submitted"))
        let unknown = try run("owner-one", "results", "q", "--by", "nope")
        #expect(unknown.status == 1 && unknown.errors.contains("it keeps: plan"), "\(unknown.errors)")
        #expect(try run("owner-one", "results", "q", "--attribute", "plan").status == 64)
    }

    @Test func `Tables have the titles of their rows, numbers a distribution, and parts are in words`() throws {
        let parts: JSONValue = ["Height": "180", "Name": "Ann"]
        try answer("a", ["table": ["r1": "good"], "size": parts], to: "surveys/s")
        let output = try run("owner-one", "results", "s").output
        #expect(output.contains("  The food: good  ████████████████████████        1  100.0 %\n"), "\(output)")
        #expect(output.contains("  Height 180  ████"))
        #expect(output.contains("  - The food: good\n") && output.contains("  - Height: 180, Name: Ann\n"))
    }

    @Test func `A break of lines is seen`() throws {
        let id = try answer("a", ["words": "line1\nline2\r\nline3\u{1B}[2J"])
        #expect(try run("owner-one", "results", "q").output.contains("  - line1 line2 line3[2J\n"))
        let shown = try run("owner-one", "responses", "show", id)
        #expect(shown.output.contains("words: Why?\n  line1\n  line2\n  line3[2J\n"), "\(shown.output)")
    }

    @Test func `What is missing, and what was deleted, is said`() throws {
        #expect(try run("owner-one", "results", "nope").errors.contains("There is no recipe \"nope\"."))
        let message: JSONValue = ["messages": ["m": ["surface": "microsurvey", "text": "Hello"]]]
        #expect(try send("PUT", "recipes/m", "owner-one", message).status == 201)
        let list = try run("owner-one", "responses", "list", "m")
        #expect(list.status == 1 && list.errors.contains("it has results, and no responses"), "\(list.errors)")
        #expect(try run("owner-one", "recipes", "delete", "m").output == "m: deleted\n")
    }
}
