import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Simultaneous requests that share rows: two devices of one user, respondents of one quota. Every acknowledged write
/// is stored, whatever else its commit contains (docs/reliability.md#promises).
@Suite struct SharedRowTests {
    /// The number of pairs. `PAIRS=10000 swift test --filter SharedRowTests` runs more.
    private static let pairs = ProcessInfo.processInfo.environment["PAIRS"].flatMap { Int($0) } ?? 500
    private static let width = 20

    private static func questionnaire(_ pacing: JSONValue? = nil) -> JSONValue {
        var recipe: JSONObject = [
            "kind": "questionnaire", "name": "Q",
            "schema": [
                "version": 1,
                "questions": [
                    ["id": "n", "type": "rating", "title": "How much?", "scale": 5],
                    ["id": "t", "type": "text", "title": "Why?"],
                ],
            ],
        ]
        if let pacing { recipe["offer"] = ["surface": "card", "text": "A minute?", "pacing": pacing] }
        return .object(recipe)
    }

    private let app: TestApp
    private let connections: [HTTPConnection]

    init() throws {
        let app = try TestApp()
        (self.app, connections) = (app, try (0..<(2 * Self.width)).map { _ in try app.server.connect() })
    }

    private struct Request {
        var method = "POST"
        let path: String
        var body: JSONValue?
    }

    /// Sends all requests at once, each on its own connection.
    private func send(_ requests: [Request]) throws -> [HTTPResponse] {
        for (connection, request) in zip(connections, requests) {
            try connection.send(
                request.method, "\(app.path)/\(request.path)", headers: ["Content-Type": "application/json"],
                body: request.body?.encoded)
        }
        return try zip(connections, requests).map { connection, _ in try connection.receive() }
    }

    private func save(_ client: String, _ answers: JSONValue, final: Bool = false) -> Request {
        let body: JSONValue = ["client_id": .string(client), "answers": answers, "is_complete": .bool(final)]
        return Request(path: "questionnaires/q/responses", body: body)
    }

    private func identify(_ client: String, as user: String) -> Request {
        Request(path: "identify", body: ["client_id": .string(client), "user_id": .string(user)])
    }

    private func displayed(_ client: String) -> Request {
        Request(path: "events", body: ["client_id": .string(client), "events": [Event.message("displayed", "m")]])
    }

    /// Users with two devices each, `a…` and `b…`.
    private func users(_ round: Int) throws -> [String] {
        let users = (0..<Self.width).map { "\(round)-\($0)" }
        let devices = users.flatMap { [identify("a\($0)", as: $0), identify("b\($0)", as: $0)] }
        #expect(try send(devices).allSatisfy { $0.status == 200 })
        return users
    }

    @Test func `What one device submits stays, while the other's save is refused`() throws {
        try app.publish("q", Self.questionnaire())
        for round in 0..<(Self.pairs / Self.width) {
            let users = try users(round)
            let drafts = try send(users.map { save("a\($0)", ["t": "draft"]) })
            let answers = try send(
                users.flatMap { [save("a\($0)", ["n": 99]), save("b\($0)", ["t": "final"], final: true)] })
            for (index, draft) in drafts.enumerated() {
                #expect([409, 422].contains(answers[2 * index].status), "refused, before or after the other")
                let submitted = answers[2 * index + 1]
                #expect(submitted.status == 200 && submitted.json["was_submitted"] == true)
                let id = try #require(draft.json["id"].string)
                let stored = try app.server.get("\(app.path)/responses/\(id)").json
                #expect(stored["status"] == "new" && stored["answers"]["t"] == "final", "of user \(users[index])")
            }
        }
    }

    @Test func `What one device displayed counts, while the other saves a draft`() throws {
        try app.publish("q", Self.questionnaire())
        try app.publish("once", Sample.message("m", ["style": "ONCE"]))
        for round in 0..<5 {
            let users = try users(round)
            _ = try send(users.map { save("a\($0)", ["t": "draft"]) })
            let answers = try send(users.flatMap { [save("a\($0)", ["t": "more"]), displayed("b\($0)")] })
            #expect(answers.allSatisfy { $0.status == 200 })
            for user in users { #expect(try app.keys("a\(user)") == [], "of user \(user)") }
        }
    }

    @Test func `A quota takes as many as it says, while others save drafts that change nothing`() throws {
        let limit = 15
        let condition: JSONValue = ["ref": "answer.n", "op": "eq", "value": 5]
        let quota: JSONValue = ["name": "five", "when": condition, "limit": .integer(Int64(limit))]
        try app.publish("q", Self.questionnaire(["quotas": [quota]]))
        _ = try send((0..<Self.width).map { save("old\($0)", ["t": "draft"]) })
        var taken = 0
        for wave in 0..<4 {
            let answers = try send(
                (0..<Self.width).flatMap { number in
                    [save("old\(number)", ["t": "draft"]), save("\(wave)-\(number)", ["n": 5], final: true)]
                })
            #expect(answers.allSatisfy { $0.status < 300 })
            taken += answers.count { $0.json["status"] == "new" }
        }
        #expect(taken == limit)
        let listed = try app.server.get("\(app.path)/questionnaires/q/responses?status=new&limit=100").json["items"]
        #expect(listed.array?.count == limit)
    }

    /// The requests include deletions: the search for a respondent's deleted run needs the most rounds of rows.
    @Test func `A healthy store refuses nothing, whatever happens at once`() throws {
        let quotas: JSONValue = [
            ["name": "five", "when": ["ref": "answer.n", "op": "eq", "value": 5], "limit": 20],
            ["name": "all", "when": true, "limit": 100, "action": "continue"],
        ]
        try app.publish("q", Self.questionnaire(["quotas": quotas, "response_limit": 60]))
        try app.publish("m", Sample.message("m"))
        let step: JSONValue = ["id": "a", "type": "welcome", "config": ["title": "A"]]
        try app.publish("tour", ["kind": "flow", "id": "tour", "name": "T", "steps": [step]])
        var random = SeededGenerator(seed: 7)
        var responses: [String] = []
        for _ in 0..<60 {
            let requests = (0..<(2 * Self.width)).map { _ in operation(responses.suffix(60), using: &random) }
            for (request, answer) in zip(requests, try send(requests)) {
                #expect(answer.status < 500, "\(request.method) \(request.path): \(answer.text)")
                if request.method == "POST", let id = answer.json["id"].string { responses.append(id) }
            }
        }
    }

    private func operation(_ responses: ArraySlice<String>, using random: inout SeededGenerator) -> Request {
        let client = "c\(Int.random(in: 0..<12, using: &random))"
        let number = Int64.random(in: 1...6, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return identify(client, as: "u\(number % 4)")
        case 1: return displayed(client)
        case 2: return Request(path: "flows/tour/runs", body: ["client_id": .string(client)])
        case 3, 4:
            guard let id = responses.randomElement(using: &random) else { return displayed(client) }
            return Request(method: "DELETE", path: "responses/\(id)")
        case 5: return Request(method: "DELETE", path: "clients/\(client)")
        case 6: return save("new\(Int.random(in: 0..<500, using: &random))", ["n": .integer(number)], final: true)
        default: return save(client, ["n": .integer(number)], final: number > 3)
        }
    }
}
