import BellwetherBase
import BellwetherJSON
import Foundation
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// The vectors of rounds (docs/reference/rounds.md), with a clock that the test sets.
@Suite struct RoundVectorTests {
    @Test func `Each case answers as its vector says`() throws {
        let cases = try VectorFile.read("rounds")["cases"].array ?? []
        #expect(cases.count > 70)
        for document in cases {
            var world = try RoundWorld(document)
            for (index, step) in (document["steps"].array ?? []).enumerated() {
                let want = step["want"].object ?? [:]
                var got = try world.perform(step, index)
                let wanted = want.map { "\($0.key)=\(world.normal($0.value, of: $0.key).text)" }.sorted()
                let known = Set(want.map(\.key) + (step["op"] == "poll" ? [] : ["round", "until"]))
                got = JSONObject(got.filter { known.contains($0.key) })
                let found = got.map { "\($0.key)=\($0.value.text)" }.sorted()
                #expect(found == wanted, "\(document["id"].text) step \(index) \(step.text)")
            }
        }
    }
}

/// One app with the recipe `s`, and the steps of the vectors.
struct RoundWorld {
    private static let base = "2027-03-01T00:00:00Z"
    private let world: WorkerUnderTest
    private let kind: String
    private let pacing: JSONValue
    private let start: Timestamp
    private var responses: [Int: Identifier] = [:]

    init(_ document: JSONValue) throws {
        kind = try #require(document["kind"].string)
        pacing = document["pacing"]
        world = try WorkerUnderTest(at: Self.base)
        start = world.now
        let recipe = Self.recipe(kind, document["repeat"], pacing)
        let answer = try world.send(.put, "/v1/apps/app/recipes/s", body: recipe)
        #expect(answer.status == 201, "\(answer.json)")
    }

    private static func recipe(_ kind: String, _ rule: JSONValue, _ pacing: JSONValue) -> JSONValue {
        let offer: JSONValue = ["surface": "card", "text": "A minute?", "pacing": pacing]
        let options: [JSONValue] = (0...10).map { ["id": .string("o\($0)"), "label": .string("\($0)")] }
        var recipe: JSONObject =
            switch kind {
            case "questionnaire":
                ["name": "S", "schema": ["version": 1, "questions": [["id": "q", "type": "nps", "title": "Q?"]]]]
            case "survey":
                [
                    "questions": [
                        [
                            "id": "q", "question": "Q?", "question_type": "segment_select",
                            "values": .array((0...10).map { .string("\($0)") }),
                        ]
                    ]
                ]
            default:
                [
                    "active": true,
                    "steps": [
                        [
                            "id": "a", "type": "question",
                            "config": ["title": "Q?", "options": .array(options)],
                        ]
                    ],
                ]
            }
        recipe["kind"] = .string(kind)
        recipe["offer"] = offer
        if rule != .null { recipe["repeat"] = rule }
        return .object(recipe)
    }

    private var path: String { "/v1/apps/app/\(kind)s" }

    func normal(_ value: JSONValue, of key: String) -> JSONValue {
        guard key == "until", let seconds = value.double else { return value }
        return .string(start.adding(milliseconds: Int64((seconds * 1000).rounded())).rfc3339)
    }

    private static func person(_ step: JSONValue) -> JSONObject {
        let who = step["who"].string ?? ""
        return [who.hasPrefix("u") ? "user_id" : "client_id": .string(who)]
    }

    mutating func perform(_ step: JSONValue, _ index: Int) throws -> JSONObject {
        let time = start.adding(milliseconds: Int64(((step["t"].double ?? 0) * 1000).rounded()))
        world.pass(milliseconds: time.milliseconds - world.now.milliseconds)
        let person = Self.person(step)
        let query = person.map { "\($0.key)=\($0.value.string ?? "")" }.joined()
        switch step["op"].string {
        case "fetch":
            var got = try world.send(.get, "\(path)/s?\(query)").json.object ?? [:]
            if got["eligible"] == true {
                let draft = got["in_progress"]?["answers"]["q"] ?? .null
                got["draft"] =
                    kind == "survey" ? draft.string.flatMap { Int($0) }.map { .integer(Int64($0)) } ?? .null : draft
            }
            return got
        case "save": return try save(step, index, person)
        case "poll": return try poll(step)
        case "event":
            let at = time.adding(milliseconds: -Int64((step["ago"].double ?? 0) * 1000))
            let event: JSONValue = [
                "type": "message", "action": step["action"], "message": "s", "at": .string(at.rfc3339),
            ]
            let body: JSONValue = ["client_id": step["who"], "events": [event]]
            let answer = try world.send(.post, "/v1/apps/app/events", body: body)
            #expect(answer.json["accepted"] == 1, "\(answer.json)")
        case "identify":
            let body: JSONValue = ["client_id": step["who"], "user_id": step["user"]]
            return try world.send(.post, "/v1/apps/app/identify", body: body).json.object ?? [:]
        case "dismiss":
            #expect(try world.send(.post, "/v1/apps/app/questionnaires/dismiss", body: .object(person)).status == 200)
        case "erase":
            let kind = person["user_id"] == nil ? "clients" : "users"
            #expect(try world.send(.delete, "/v1/apps/app/\(kind)/\(step["who"].string ?? "")").status == 204)
        case "publish":
            let recipe = Self.recipe(kind, step["repeat"], pacing)
            let answer = try world.send(.put, "/v1/apps/app/recipes/s", body: recipe)
            #expect(answer.status / 100 == 2, "\(answer.json)")
        case "state":
            let answer = try world.send(.post, "/v1/apps/app/recipes/s/state", body: ["state": step["state"]])
            #expect(answer.status == 200, "\(answer.json)")
        case "delete": try delete(step)
        case "import": return try load(step, index, person, time)
        case "results":
            let groups = try world.send(.get, "/v1/apps/app/results/s?by=round").json["by"]["groups"].array ?? []
            return [
                "rounds": .array(
                    groups.map { group in
                        [group["value"], group["submitted_count"], Self.nps(group["questions"][0])]
                    })
            ]
        case "rows":
            let rows = try items().filter { $0["status"] != "draft" }.map { [$0["round"], value($0)] }
            return ["rows": .array(rows.sorted { "\($0)" < "\($1)" }.sorted(by: Self.isBefore).map { .array($0) })]
        default: Issue.record("unknown step \(step)")
        }
        return [:]
    }

    /// The score of the question; of a survey or a flow, whose options are 0 to 10, it is computed from their counts.
    private static func nps(_ question: JSONValue) -> JSONValue {
        guard question["score"] == .null, let choices = question["choices"].array else { return question["score"] }
        var (sum, count): (Int64, Int64) = (0, 0)
        for (value, choice) in choices.enumerated() {
            let given = choice["count"].integer ?? 0
            sum += value >= 9 ? given : value <= 6 ? -given : 0
            count += given
        }
        return .integer(Int64((100 * Double(sum) / Double(count) + 0.5).rounded(.down)))
    }

    private static func isBefore(_ one: [JSONValue], _ other: [JSONValue]) -> Bool {
        for (a, b) in zip(one, other) where a != b { return a.integer ?? -1 < b.integer ?? -1 }
        return false
    }

    private func value(_ item: JSONValue) -> JSONValue {
        let answer = kind == "flow" ? item["answers"]["a"]["selected"][0] : item["answers"]["q"]
        return answer.string.flatMap { Int($0.filter(\.isNumber)) }.map { .integer(Int64($0)) } ?? answer
    }

    private func items() throws -> [JSONValue] {
        let runs = kind == "flow" ? "runs" : "responses"
        return try world.send(.get, "\(path)/s/\(runs)?limit=200&data_mode=all").json["items"].array ?? []
    }

    private mutating func save(_ step: JSONValue, _ index: Int, _ person: JSONObject) throws -> JSONObject {
        if kind == "flow" { return try run(step, index, person) }
        var body = person
        let value = step["value"]
        body["answers"] = ["q": kind == "survey" ? .string("\(value.integer ?? 0)") : value]
        body["is_complete"] = step["final"]
        if step["round"] != .null { body["round"] = step["round"] }
        if let of = step["of"].integer { body["response_id"] = responses[Int(of)].map { .string($0) } }
        let key = step["key"].string.map { [(name: "Idempotency-Key", value: $0)] } ?? []
        let answer = try world.send(.post, "\(path)/s/responses", headers: key, body: .object(body))
        responses[index] = answer.json["id"].identifier
        return Self.outcome(answer)
    }

    private static func outcome(_ answer: RecordedResponse) -> JSONObject {
        var got = answer.json.object ?? [:]
        got["status"] = .integer(Int64(answer.status))
        got["code"] = answer.json["errors"][0]["code"]
        return got
    }

    private mutating func run(_ step: JSONValue, _ index: Int, _ person: JSONObject) throws -> JSONObject {
        var body = person
        if step["round"] != .null { body["round"] = step["round"] }
        let answer = try world.send(.post, "\(path)/s/runs", body: .object(body))
        guard step["final"] == true, answer.status < 300 else { return Self.outcome(answer) }
        let id = answer.json["run_id"].string ?? ""
        let action: JSONValue = [
            "action": "next", "step_id": "a",
            "response": ["selected": [.string("o\(step["value"].integer ?? 0)")]],
        ]
        let advanced = try world.send(.post, "/v1/apps/app/runs/\(id)/advance", body: action)
        #expect(advanced.status == 200 && advanced.json["status"] == "completed", "\(advanced.json)")
        #expect(advanced.json["round"] == answer.json["round"])
        return Self.outcome(answer)
    }

    private func poll(_ step: JSONValue) throws -> JSONObject {
        let messages = try world.send(.get, "/v1/apps/app/messages?client_id=\(step["who"].string ?? "")")
        let body: JSONValue = ["client_id": step["who"], "surface": "card"]
        let explained = try world.send(.post, "/v1/apps/app/explain", body: body).json["messages"][0]
        var got: JSONObject = [
            "offered": .bool(messages.json["messages"].array?.isEmpty == false), "reason": explained["reason"],
        ]
        let values = explained["blocked_by"][0]["values"].object ?? [:]
        for key in ["round", "until"] { got[key] = values[key] }
        return got
    }

    private func delete(_ step: JSONValue) throws {
        let who = step["who"].string ?? ""
        let found = try items().first { item in
            let isUsers = who.hasPrefix("u")
            return item["round"] == step["round"] && item["status"] != "draft"
                && (isUsers ? item["user_id"].string == who : item["client_id"].string == who)
        }
        let id = try #require(found?["id"].string)
        #expect(try world.send(.delete, "/v1/apps/app/responses/\(id)").status == 204)
    }

    private func load(
        _ step: JSONValue, _ index: Int, _ person: JSONObject, _ time: Timestamp
    ) throws -> JSONObject {
        var row = person
        let at = time.adding(milliseconds: -Int64((step["ago"].double ?? 0) * 1000)).rfc3339
        row["id"] = .string("i\(index)")
        row["answers"] = ["q": step["value"]]
        (row["created_at"], row["submitted_at"]) = (.string(at), .string(at))
        let body: JSONValue = ["source": "test", "responses": [.object(row)]]
        let answer = try world.send(.post, "\(path)/s/responses/import", body: body)
        return ["outcome": answer.json["imported"] == 1 ? "imported" : "refused"]
    }
}
