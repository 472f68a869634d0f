import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether responses` and `bellwether results` for a questionnaire, with a running daemon.
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

    @discardableResult
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
        #expect(shown.output.contains("why: Why are you here?\n  Work, Fun (work, fun)\n"))
        #expect(shown.output.contains("secret: Phone?\n  hidden phone\n"))
        #expect(shown.output.contains("\n  Call her\n"))
        #expect(try run(["responses", "show"], "none").status == 1)
        #expect(try run(["responses", "list"], "none").errors.contains("There is no recipe \"none\"."))
        #expect(try run(["responses", "status"], id, "wrong").status == 64)
    }

    @Test func `Answers are shown in the order of the questions`() throws {
        let id = try save("anna", ["friend": 9, "stars": 4, "liked": "All"])
        let shown = try run(["responses", "show"], id).lines.filter { $0.contains("?") }
        #expect(shown.map { String($0.prefix { $0 != ":" }) } == ["liked", "stars", "friend"])
        #expect(try run(["results"], "onboarding").output.contains("\n  1 answer\n"))
    }

    @Test func `34.5 Lists are filtered by branch, revision and question`() throws {
        try save("anna", ["liked": "All"])
        try save("bert", ["friend": 9], complete: false)
        func count(_ arguments: String...) throws -> Int {
            let command = [BellwetherProgram.path, "responses", "list", "onboarding", "--json", "--app", app.name]
            let list = try Command.run(
                command + ["--url", "http://127.0.0.1:\(app.server.port)"] + arguments)
            return list.status == 0 ? list.lines.count : -1
        }
        #expect(try count("--question", "liked") == 1 && count("--revision", "1") == 2)
        #expect(try count("--submitted-only") == 1 && count("--submitted") == 1)
        #expect(try count("--branch", "nope") == -1 && count("--question", "nope") == -1)
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
        #expect(rows[0].contains(",branch,session_id,locale,environment,os_version,app_version,"))
        #expect(rows[0].hasSuffix(",answers.liked,answers.why,answers.stars,answers.friend,texts.why"))
        #expect(rows[1].hasSuffix(",'=1+1,\"[\"\"fun\"\"]\",,,Fun"))
        #expect(!csv.output.contains("hidden phone"))
        let exports = try app.server.get("/v1/audit").lines.filter { $0["action"] == "export" }
        #expect(exports.map { [$0["kind"], $0["name"]] } == Array(repeating: ["response", "onboarding"], count: 2))
    }

    @Test func `34.6 Comments are listed, changed and deleted, and a response is deleted`() throws {
        let id = try save("anna", ["liked": "The editor"])
        try run(["responses", "comment"], id, "Call her")
        #expect(try run(["responses", "notes"], id).output.contains("Call her"))
        #expect(try run(["responses", "notes"], id, "Call him", "--change", "\(id).1").output.contains("Call him"))
        #expect(try run(["responses", "notes"], id, "--delete", "\(id).1", "--json").output == "")
        #expect(try run(["responses", "notes"], id, "text").status == 64)
        #expect(try run(["responses", "delete"], id).status == 0)
        #expect(try run(["responses", "show"], id).status == 1)
        let told = try app.server.get("/v1/audit").lines.filter { ["comment", "response"].contains($0["kind"]) }
        #expect(told.map { $0["action"].string } == ["create", "change", "delete", "delete"])
    }

    @Test func `34.5 Runs of a flow are listed, shown and exported, also when it was deleted`() throws {
        try app.publish(
            "tour",
            [
                "kind": "flow", "keep": ["plan"],
                "steps": [
                    [
                        "id": "goal", "type": "question",
                        "config": ["title": "Goal?", "options": [["id": "a", "label": "Walk"]]],
                    ]
                ],
            ])
        let begun = try app.server.post(
            "\(app.path)/flows/tour/runs", ["client_id": "anna", "context": ["campaign": "winter"]])
        let id = begun.json["run_id"].string ?? ""
        _ = try app.server.post(
            "\(app.path)/runs/\(id)/advance", ["step_id": "goal", "response": ["selected": ["a"]]])
        let list = try run(["responses", "list"], "tour")
        #expect(list.lines.first?.hasPrefix("id ") == true && list.output.contains("completed"), "\(list.errors)")
        #expect(try run(["responses", "list"], "tour", "--attribute", "campaign=none", "--json").output == "")
        let shown = try run(["responses", "show"], id)
        #expect(shown.output.contains("campaign      winter\n"))
        #expect(shown.output.contains("goal.selected: Goal?\n  Walk (a)\n"))
        #expect(try run(["recipes", "delete"], "tour").status == 0)
        let csv = try run(["responses", "export"], "tour", "--format", "csv").output
        #expect(csv.contains(",attribution.campaign,answers.goal.selected,texts.goal.selected\r\n"))
        #expect(csv.contains(",winter,\"[\"\"a\"\"]\",Walk\r\n"))
    }

    @Test func `34.6 Recipes are listed, filtered, paused, resumed and ended`() throws {
        try save("anna", ["liked": "The editor"])
        let list = try run(["recipes", "list"], "--counts")
        #expect(list.lines.first?.hasSuffix("started  submitted  last_at") == true, "\(list.errors)")
        #expect(list.output.contains("onboarding  Onboarding  questionnaire  live"))
        #expect(try run(["recipes", "list"], "--kind", "flow", "--json").output == "")
        #expect(try run(["recipes", "list"], "--search", "BOARD", "--state", "live", "--json").lines.count == 1)
        #expect(try run(["recipes", "show"], "onboarding").output.contains("What did you like?"))
        #expect(try run(["recipes", "pause"], "onboarding").output == "onboarding: paused\n")
        #expect(try run(["recipes", "resume"], "onboarding").output == "onboarding: live\n")
        let draft = try app.server.put(
            "\(app.path)/recipes/onboarding?state=draft", Sample.message("m", ["text": "draft"]))
        func inForce() throws -> JSONValue { try app.server.get("\(app.path)/recipes").json["recipes"][0]["in_force"] }
        let before = try inForce()
        #expect(draft.json["state"] == "draft" && draft.json["revision"] != before)
        for command in ["resume", "pause", "resume"] {
            #expect(try run(["recipes", command], "onboarding").status == 0)
            #expect(try inForce() == before, "the draft stays a draft")
        }
        #expect(try run(["recipes", "resume"], "onboarding", "--revision", "99").status == 1)
        #expect(try run(["recipes", "resume"], "onboarding", "--revision", draft.json["revision"].text).status == 0)
        #expect(try inForce() == draft.json["revision"])
        #expect(try run(["recipes", "end"], "onboarding").output == "onboarding: ended\n")
        #expect(try run(["recipes", "resume"], "onboarding").status == 1)
        #expect(try run(["recipes", "delete"], "none").status == 1)
    }

    @Test func `Rounds are filtered, exported, and shown with intervals`() throws {
        try app.publish(
            "nps",
            [
                "kind": "questionnaire", "name": "NPS", "repeat": ["days": 0],
                "schema": ["version": 1, "questions": [["id": "score", "type": "nps", "title": "Score?"]]],
            ])
        for score: Int64 in [3, 9] {
            let answer = try app.server.post(
                "\(app.path)/questionnaires/nps/responses",
                ["client_id": "anna", "answers": ["score": .integer(score)], "is_complete": true])
            #expect(answer.status == 201)
        }
        let groups = try run(["results"], "nps", "--by", "round").output
        #expect(groups.contains("\nround=1: 1 response, 1 submitted\n  score: 1 answer, NPS -100 (-98…49)\n"))
        #expect(groups.contains("\nround=2: 1 response, 1 submitted\n  score: 1 answer, NPS 100 (-48…99)\n"))
        #expect(try run(["results"], "nps", "--by", "quarter").output.contains("\nquarter=2"))
        let table = try run(["results"], "nps", "--by", "round", "--csv").output
        #expect(table.contains("\r\nround=2,score,nps,interval_low,,,,-48\r\n"))
        #expect(table.contains("\r\nround=2,score,nps,interval_high,,,,99\r\n"))
        let second = try run(["responses", "list"], "nps", "--round", "2")
        #expect(second.lines.count == 2 && second.lines[0].hasPrefix("id "), "\(second.errors)")
        #expect(second.lines[0].contains("  round  ") && second.lines[1].contains("  2  "))
        let csv = try run(["responses", "export"], "nps", "--round", "1", "--format", "csv").output
        #expect(csv.contains(",branch,round,session_id,") && csv.contains(",false,1,,,,1,"))
        #expect(csv.hasSuffix(",3\r\n"))
        #expect(try run(["responses", "list"], "nps", "--round", "0").status == 64)
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
