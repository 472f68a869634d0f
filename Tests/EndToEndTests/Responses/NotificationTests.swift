import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Notifications of the real program: the responses that are notified, and the form of a notification
/// (docs/reference/surveys.md#notifications).
@Suite struct NotificationTests {
    private let folder: TemporaryDirectory
    private let receiver: WebhookReceiver
    private static let detractors: JSONValue = ["ref": "answer.score", "op": "lte", "value": 6]

    init() throws {
        folder = try TemporaryDirectory()
        receiver = try WebhookReceiver { _ in .status(204) }
    }

    /// An app with the questionnaire `q`.
    private func app(_ notify: JSONObject = [:], publicURL: String? = nil) throws -> TestApp {
        let address = publicURL.map { "http: {public_url: \"\($0)\"}\n" } ?? ""
        let config = try folder.write(address + "webhooks: {allow_networks: [127.0.0.0/8]}\n", to: "c.yaml")
        let app = try TestApp(on: Daemon(["--dev", "--config", config], data: folder))
        let texts = try app.server.put(
            "\(app.path)/strings/en-US", ["Q": ["Why": "Why this score?", "Late": "Too late"]])
        #expect(texts.status == 200 || texts.status == 201, "\(texts.text)")
        let answer = try put(notify, in: app)
        #expect(answer.status == 201, "\(answer.text)")
        return app
    }

    private func put(_ notify: JSONObject, in app: TestApp) throws -> HTTPResponse {
        var own: JSONObject = ["url": .string(receiver.url)]
        for (key, value) in notify { own[key] = value }
        let questions: JSONValue = [
            ["id": "score", "type": "nps", "title": "How likely?"],
            [
                "id": "why", "type": "multi_choice", "title": "Q/Why",
                "options": [["id": "a", "label": "Q/Late"], ["id": "b", "label": "Too dear"]],
            ],
            ["id": "words", "type": "text", "title": "Anything else?"],
            ["id": "mail", "type": "text", "title": "Your address?", "sensitive": true],
        ]
        return try app.server.put(
            "\(app.path)/recipes/q",
            [
                "kind": "questionnaire", "name": "Trips", "schema": ["version": 1, "questions": questions],
                "notify": .object(own),
            ])
    }

    /// Submits a response and returns its id.
    private func submit(_ answers: JSONObject, _ client: String, to app: TestApp) throws -> String {
        let body: JSONValue = [
            "client_id": .string(client), "answers": .object(answers), "is_complete": true,
        ]
        let answer = try app.server.post("\(app.path)/questionnaires/q/responses", body)
        #expect(answer.status == 201, "\(answer.text)")
        return answer.json["id"].string ?? answer.json["response_id"].string ?? ""
    }

    private func notices(_ count: Int) throws -> [JSONValue] {
        #expect(eventually { receiver.requests.count >= count })
        return try receiver.requests.map { try JSONValue(parsing: $0.body) }
    }

    private static let answers: JSONObject = [
        "score": 3, "why": ["a", "b"], "words": "Nothing & <!channel>", "mail": "me@example.org",
    ]

    @Test func `A notification says what was asked and answered in words, and where the response is`() throws {
        let app = try app(publicURL: "https://bellwether.example/x/")
        let id = try submit(Self.answers, "c", to: app)
        let data = try #require(try notices(1).first)["data"]
        #expect(
            data["questions"] == [
                ["id": "score", "question": "How likely?", "answer": "3"],
                ["id": "why", "question": "Why this score?", "answer": "Too late, Too dear"],
                ["id": "words", "question": "Anything else?", "answer": "Nothing & <!channel>"],
            ])
        #expect(data["answers"]["why"] == ["a", "b"] && data["summary"] == "3")
        #expect(data["link"].string == "https://bellwether.example/x\(app.path)/responses/\(id)")
        #expect(try app.server.get("\(app.path)/responses/\(id)").status == 200)
    }

    @Test func `Without the setting http public_url there is no link`() throws {
        let app = try app()
        _ = try submit(Self.answers, "c", to: app)
        #expect(try #require(try notices(1).first)["data"].object?["link"] == nil)
    }

    @Test func `Only responses for which the condition holds are told of`() throws {
        let app = try app(["when": Self.detractors])
        _ = try submit(["score": 9], "promoter", to: app)
        _ = try submit(["score": 6], "detractor", to: app)
        _ = try submit(["words": "no score"], "other", to: app)
        // Notifications are sent in the order in which they were written.
        #expect(try notices(1).map { $0["data"]["answers"]["score"] } == [6])
        #expect(try eventually { try app.server.get("\(app.path)/webhooks").json["items"] == [] })
        #expect(receiver.requests.count == 1)
        #expect(try app.server.get("\(app.path)/questionnaires/q").json.object?["notify"] == nil)
    }

    @Test func `A completed run of a flow is told of once, an open or dismissed one is not`() throws {
        let app = try app(publicURL: "http://127.0.0.1:1")
        let steps: JSONValue = [
            [
                "id": "goal", "type": "question",
                "config": [
                    "title": "Q/Why", "options": [["id": "a", "label": "Q/Late"], ["id": "b", "label": "Too dear"]],
                ],
            ],
            ["id": "end", "type": "welcome", "config": ["title": "Welcome"]],
        ]
        let when: JSONValue = ["ref": "step.goal.selected", "op": "contains", "value": "a"]
        let flow: JSONValue = [
            "kind": "flow", "name": "Tour", "steps": steps, "notify": ["url": .string(receiver.url), "when": when],
        ]
        #expect(try app.server.put("\(app.path)/recipes/tour", flow).status == 201)
        func walk(_ client: String, _ choice: String, ends: Bool = true) throws -> String {
            let start = try app.server.post("\(app.path)/flows/tour/runs", ["client_id": .string(client)])
            let run = try #require(start.json["run_id"].string)
            let goal: JSONValue = ["step_id": "goal", "response": ["selected": [.string(choice)]]]
            #expect(try app.server.post("\(app.path)/runs/\(run)/advance", goal).status == 200)
            let last = ends ? "advance" : "dismiss"
            #expect(try app.server.post("\(app.path)/runs/\(run)/\(last)", ["step_id": "end"]).status == 200)
            return run
        }
        _ = try walk("b", "b")
        _ = try walk("c", "a", ends: false)
        let run = try walk("a", "a")
        let notice = try #require(try notices(1).first)
        #expect(notice["type"] == "flow.response_new")
        let data = notice["data"]
        #expect(data["response_id"].string == run && data["slug"] == "tour" && data["name"] == "Tour")
        let words: JSONValue = [
            "step_id": "goal", "id": "selected", "question": "Why this score?", "answer": "Too late",
        ]
        #expect(data["questions"] == [words] && data["summary"] == "Too late")
        #expect(data["answers"]["goal"] == ["selected": ["a"]] && data["outcome"] == ["reason": "finished"])
        #expect(data["link"].string == "http://127.0.0.1:1\(app.path)/responses/\(run)")
        #expect(try eventually { try app.server.get("\(app.path)/webhooks").json["items"] == [] })
        #expect(receiver.requests.count == 1)
        #expect(try app.server.get("\(app.path)/flows/tour").json["flow"].object?["notify"] == nil)
    }

    @Test func `As text it is what chat tools take`() throws {
        let app = try app(["format": "text"], publicURL: "http://127.0.0.1:1")
        let id = try submit(Self.answers, "c", to: app)
        #expect(
            try notices(1).first == [
                "text": .string(
                    """
                    New response: Trips

                    How likely?
                    3

                    Why this score?
                    Too late, Too dear

                    Anything else?
                    Nothing &amp; &lt;!channel&gt;

                    http://127.0.0.1:1\(app.path)/responses/\(id)
                    """)
            ])
    }

    @Test func `A text has at most 4,000 characters, and keeps its link`() throws {
        let app = try app(["format": "text"], publicURL: "http://127.0.0.1:1")
        let id = try submit(["score": 3, "words": .string(String(repeating: "<", count: 1500))], "c", to: app)
        let text = try #require(try notices(1).first?["text"].string)
        #expect((3990...4000).contains(text.unicodeScalars.count))
        #expect(text.hasSuffix("&lt;…\n\nhttp://127.0.0.1:1\(app.path)/responses/\(id)"))
    }

    @Test func `A condition or a format that cannot be read is refused`() throws {
        let app = try app()
        let faults: [(JSONObject, String)] = [
            (["when": ["ref": "nowhere", "op": "eq", "value": 1]], "/notify/when/ref"),
            (["format": "html"], "/notify/format"),
        ]
        for (notify, pointer) in faults {
            let answer = try put(notify, in: app)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.json["errors"][0]["pointer"].string == pointer, "\(answer.text)")
        }
        let config = try folder.write("http: {public_url: \"bellwether.example\"}\n", to: "d.yaml")
        let refused = try Command.run(
            [BellwetherProgram.path, "serve", "--dev", "--port", "0", "--config", config, "--data", folder.path + "/d"])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("http.public_url"), "\(refused.errors)")
    }
}
