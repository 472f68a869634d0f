import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether responses` and `bellwether results` of a questionnaire, which ask a running daemon.
@Suite struct ResponsesCommandTests {
    private let app: TestApp

    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Onboarding",
        "schema": [
            "version": 1,
            "questions": [
                ["id": "liked", "type": "text", "title": "What did you like?"],
                [
                    "id": "why", "type": "multi_choice", "title": "Why are you here?",
                    "options": [["id": "work", "label": "Work"], ["id": "fun", "label": "Fun"]],
                ],
                ["id": "stars", "type": "rating", "title": "How was it?"],
                ["id": "friend", "type": "nps", "title": "Would you tell a friend?"],
                ["id": "secret", "type": "text", "title": "Phone?", "sensitive": true],
            ],
        ],
    ]

    init() throws {
        app = try TestApp(on: try Daemon())
        try app.publish("onboarding", Self.questionnaire)
    }

    @discardableResult
    private func save(_ client: String, _ answers: JSONValue, complete: Bool = true) throws -> String {
        let answer = try app.server.post(
            "\(app.path)/questionnaires/onboarding/responses",
            ["client_id": .string(client), "answers": answers, "is_complete": .bool(complete)])
        guard answer.status == 201 else { throw Failure("not saved: \(answer.text)") }
        return answer.json["id"].string ?? ""
    }

    private func run(_ command: [String], _ arguments: String...) throws -> Command {
        try Command.run(
            [BellwetherProgram.path] + command + arguments
                + ["--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)"])
    }

    @Test func `Responses are listed, shown, triaged and commented on`() throws {
        let id = try save(
            "anna", ["liked": "The editor", "why": ["work", "fun"], "friend": 9, "secret": "hidden phone"])
        try save("bert", ["liked": "Nothing"], complete: false)
        let list = try run(["responses", "list"], "onboarding")
        #expect(list.status == 0 && list.lines.count == 3, "\(list.errors)")
        #expect(list.lines.first?.hasPrefix("id ") == true)
        #expect(try run(["responses", "list"], "onboarding", "--status", "new", "--json").lines.count == 1)
        #expect(try run(["responses", "list"], "onboarding", "--limit", "1", "--json").lines.count == 1)

        #expect(try run(["responses", "status"], id, "in_review").output == "\(id): in_review\n")
        #expect(try run(["responses", "comment"], id, "Call her").output == "\(id).1\n")
        let shown = try run(["responses", "show"], id)
        #expect(shown.lines.first == "\(id): onboarding, in_review")
        #expect(shown.output.contains("liked: What did you like?\n  The editor\n"))
        #expect(shown.output.contains("why: Why are you here?\n  work, fun\n"))
        #expect(shown.output.contains("secret: Phone?\n  hidden phone\n"))
        #expect(shown.output.contains("\n  Call her\n"))
        #expect(try run(["responses", "show"], "none").status == 1)
        #expect(try run(["responses", "status"], id, "wrong").status == 64)
    }

    @Test func `All pages are exported, and no cell is a formula`() throws {
        for client in 0..<203 { try save("c\(client)", ["liked": "=1+1", "why": ["fun"], "secret": "hidden phone"]) }
        let lines = try run(["responses", "export"], "onboarding")
        #expect(lines.lines.count == 203, "\(lines.errors)")
        #expect(!lines.output.contains("hidden phone"))
        let csv = try run(["responses", "export"], "onboarding", "--format", "csv")
        let rows = csv.output.components(separatedBy: "\r\n")
        #expect(rows.count == 205)
        #expect(rows[0].hasPrefix("id,status,user_id,client_id,"))
        #expect(rows[0].hasSuffix("branch,answers.liked,answers.why,answers.stars,answers.friend"))
        #expect(rows[1].hasSuffix(",'=1+1,\"[\"\"fun\"\"]\",,"))
        #expect(!csv.output.contains("hidden phone"))
        let exports = try app.server.get("/v1/audit").lines.filter { $0["action"] == "export" }
        #expect(exports.map { [$0["kind"], $0["name"]] } == Array(repeating: ["response", "onboarding"], count: 2))
    }

    @Test func `Results have bars, scores and where people stopped`() throws {
        for (client, friend) in [10, 9, 8, 6].enumerated() {
            try save(
                "c\(client)",
                ["why": ["work"], "stars": .integer(client < 1 ? 5 : 4), "friend": .integer(Int64(friend))])
        }
        try save("d", ["liked": "The map"], complete: false)
        let results = try run(["results"], "onboarding")
        #expect(results.status == 0, "\(results.errors)")
        #expect(results.lines.prefix(2) == ["onboarding: questionnaire, live, revision 1", "5 responses, 4 submitted"])
        #expect(results.output.contains("stars: How was it?\n  4 answers, mean 4.25\n"))
        #expect(results.output.contains("friend: Would you tell a friend?\n  4 answers, NPS 25\n"))
        #expect(results.output.contains("  promoters, 9 and 10  ████████████                    2   50.0 %\n"))
        #expect(results.output.contains("  - The map\n"))
        #expect(results.output.contains("  why     ███████████████████▎            4   80.0 %  1 stopped here\n"))
        let json = try JSONValue(parsing: Array(run(["results"], "onboarding", "--json").output.utf8))
        #expect(json["submitted_count"] == 4)
        let csv = try run(["results"], "onboarding", "--csv").output
        #expect(csv.hasPrefix("group,question,type,measure,option,text,count,value\r\n"))
        #expect(csv.contains("\r\n,friend,nps,score,,,4,25\r\n"))
        #expect(csv.contains("\r\n,why,multi_choice,option,work,Work,4,\r\n"))
        #expect(csv.contains("\r\n,why,,stopped,,,1,\r\n"))
    }
}
