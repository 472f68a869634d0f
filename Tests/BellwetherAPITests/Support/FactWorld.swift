import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// One app with three questionnaires whose answers are the fact `n`, at one node or at several.
final class FactWorld {
    static let path = "/v1/apps/app"
    static let recipes = ["a", "b", "c"]

    let store = TestStore(sharing: .asked)
    let nodes: [WorkerUnderTest]
    /// The ids of the responses by the number of the step that saved them.
    private(set) var responses: [Int: String] = [:]

    init(nodes count: Int = 1, facts: JSONValue = ["n": "q"]) async throws {
        let store = store
        nodes = try (0..<count).map { _ in try WorkerUnderTest(over: store, settings: .open) }
        try put("manifest", ["app_name": "a", "default_locale": "en-US", "surfaces": ["card"]])
        for slug in Self.recipes { try put("recipes/\(slug)", Self.questionnaire(facts)) }
        let offer: JSONValue = [
            "triggers": ["HIGH": "answer.n != null && answer.n >= 5"],
            "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["HIGH"]]],
        ]
        try put("recipes/offer", offer)
        for node in nodes.dropFirst() { await node.hear() }
    }

    static func questionnaire(_ facts: JSONValue?) -> JSONValue {
        var recipe: JSONObject = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q", "type": "nps", "title": "T"]]],
        ]
        recipe["facts"] = facts
        return .object(recipe)
    }

    func put(_ path: String, _ document: JSONValue) throws {
        let answer = try nodes[0].send(.put, "\(Self.path)/\(path)", body: document)
        guard answer.status / 100 == 2 else { throw Failure("\(path): \(answer.json)") }
    }

    var now: Timestamp { nodes[0].now }

    func pass(milliseconds: Int64) { for node in nodes { node.pass(milliseconds: milliseconds) } }

    /// The fact of a client, as explain tells it; null if there is none.
    func fact(of client: String, at node: Int = 0) throws -> JSONValue {
        let body: JSONValue = ["client_id": .string(client), "surface": "card"]
        let answer = try nodes[node].send(.post, "\(Self.path)/explain", body: body)
        guard answer.status == 200 else { throw Failure("\(answer.json)") }
        return answer.json["audience"]["answers"]["n"]["value"]
    }

    /// Whether a poll offers the message whose trigger reads the fact.
    func isOffered(to client: String, at node: Int = 0) throws -> Bool {
        let answer = try nodes[node].send(.get, "\(Self.path)/messages?client_id=\(client)")
        guard answer.status == 200 else { throw Failure("\(answer.json)") }
        return answer.json["messages"].array?.isEmpty == false
    }

    private static func person(_ who: String) -> JSONObject {
        [who.hasPrefix("u") ? "user_id" : "client_id": .string(who)]
    }

    /// Performs a step of the vectors, and returns the response.
    @discardableResult
    func perform(_ step: JSONValue, _ index: Int, at node: Int = 0) throws -> RecordedResponse {
        let world = nodes[node]
        let who = step["who"].string ?? ""
        let questionnaire = "\(Self.path)/questionnaires/\(step["recipe"].string ?? "")/responses"
        let answers: JSONValue = step["value"] == .null ? [:] : ["q": step["value"]]
        switch step["op"].string {
        case "save":
            var body = Self.person(who)
            (body["answers"], body["is_complete"]) = (answers, step["final"])
            if step["is_dev"] == true { body["is_dev"] = true }
            let answer = try world.send(.post, questionnaire, body: .object(body))
            responses[index] = answer.json["id"].string
            return answer
        case "import":
            var row = Self.person(who)
            let time = now.adding(milliseconds: -(step["ago"].integer ?? 0) * 1000).rfc3339
            (row["id"], row["answers"]) = (.string("i\(index)"), answers)
            (row["created_at"], row["submitted_at"]) = (.string(time), .string(time))
            let body: JSONValue = ["source": "test", "responses": [.object(row)]]
            return try world.send(.post, "\(questionnaire)/import", body: body)
        case "identify":
            let body: JSONValue = ["client_id": .string(who), "user_id": step["user"]]
            return try world.send(.post, "\(Self.path)/identify", body: body)
        case "delete":
            let id = step["of"].integer.flatMap { responses[Int($0)] } ?? "none"
            return try world.send(.delete, "\(Self.path)/responses/\(id)")
        case "erase":
            let kind = who.hasPrefix("u") ? "users" : "clients"
            return try world.send(.delete, "\(Self.path)/\(kind)/\(who)")
        default: throw Failure("unknown step \(step.text)")
        }
    }
}
