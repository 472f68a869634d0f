import BellwetherBase
import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// The list of changes for owners (docs/reference/http-api.md#changes).
@Suite struct ChangesRouteTests {
    private static let app = "/v1/apps/app"
    private let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest() }

    private static func questionnaire(_ title: String) -> JSONValue {
        [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": .string(title)]]],
        ]
    }

    private func put(_ path: String, _ body: JSONValue) throws {
        let answer = try world.send(.put, Self.app + path, body: body)
        guard [200, 201].contains(answer.status) else { throw Failure("\(answer.status) \(answer.json.text)") }
    }

    private func changes(_ query: String = "") throws -> JSONValue {
        let answer = try world.send(.get, Self.app + "/changes" + query)
        #expect(answer.status == 200)
        return answer.json
    }

    private func cursor(_ json: JSONValue) throws -> String { try #require(json["cursor"].string) }

    private func save(_ client: String) throws {
        let save: JSONValue = ["client_id": .string(client), "answers": ["q1": "words"], "is_complete": true]
        #expect(try world.send(.post, Self.app + "/questionnaires/q/responses", body: save).status == 201)
    }

    @Test func `What has changed since a cursor is named, once`() throws {
        try put("/recipes/q", Self.questionnaire("one"))
        let start = try changes()
        #expect(start["recipes"] == [] && start["restarted"] == false)
        try put("/recipes/q", Self.questionnaire("two"))
        try put("/strings/de", ["T": ["a": "A"]])
        let documents = try changes("?after=\(cursor(start))")
        #expect(documents["recipes"] == ["q"] && documents["strings"] == ["de"] && documents["manifest"] == false)
        #expect(documents["responses"] == [])
        try save("a")
        let answers = try changes("?after=\(cursor(documents))")
        #expect(answers["responses"] == ["q"] && answers["results"] == ["q"] && answers["recipes"] == [])
        let nothing = try changes("?after=\(cursor(answers))")
        #expect(nothing["responses"] == [] && nothing["restarted"] == false)
        #expect(try world.send(.delete, Self.app + "/recipes/q").status == 204)
        #expect(try changes("?after=\(cursor(nothing))")["recipes"] == ["q"])
    }

    @Test func `Drafts and erasures are changes, too`() throws {
        try put("/recipes/q", Self.questionnaire("one"))
        try save("a")
        let start = try changes()
        try put("/recipes/q?state=draft", Self.questionnaire("two"))
        try put("/strings/de?state=draft", ["T": ["a": "A"]])
        #expect(try world.send(.delete, Self.app + "/clients/a").status == 204)
        let json = try changes("?after=\(cursor(start))")
        #expect(json["recipes"] == ["q"] && json["strings"] == ["de"])
        #expect(json["responses"] == ["q"] && json["results"] == ["q"])
    }

    @Test func `Whoever waits is answered by the next change, and at the end of the time`() throws {
        try put("/recipes/q", Self.questionnaire("one"))
        let start = try changes()
        world.pass(seconds: 2)
        let waiting = try world.begin(.get, Self.app + "/changes?wait=25&after=\(cursor(start))")
        world.settle()
        #expect(waiting.response == nil)
        try save("a")
        world.settle()
        #expect(waiting.status == 200 && waiting.json["responses"] == ["q"])
        let idle = try world.begin(.get, Self.app + "/changes?wait=25&after=\(cursor(waiting.json))")
        world.settle()
        #expect(idle.response == nil)
        world.settle(endsWaits: true)
        #expect(idle.status == 200 && idle.json["responses"] == [])
    }

    @Test func `Changes are told at most once a second`() throws {
        try put("/recipes/q", Self.questionnaire("one"))
        let start = try changes()
        try save("a")
        let waiting = try world.begin(.get, Self.app + "/changes?wait=25&after=\(cursor(start))")
        world.settle()
        #expect(waiting.response == nil)
        try save("b")
        world.settle(endsWaits: true)
        #expect(waiting.json["responses"] == ["q"])
    }

    @Test func `A cursor of before a start, or of nobody, is told so`() throws {
        let json = try changes("?after=other.7.1773144000000")
        #expect(json["restarted"] == true && json["recipes"] == [])
        #expect(try changes("?after=\(cursor(json))")["restarted"] == false)
        for cursor in ["x", "a.b.c"] { #expect(try changes("?wait=25&after=\(cursor)")["restarted"] == true) }
        for query in ["wait=26", "wait=-1", "since=1"] {
            #expect(try world.send(.get, Self.app + "/changes?" + query).status == 400)
        }
        #expect(try world.send(.get, "/v1/apps/none/changes").status == 404)
    }

    /// The cursor has the time of another process' clock, which decides which changes may be new.
    @Test func `The cursor of another node is taken by its time`() throws {
        try put("/recipes/q", Self.questionnaire("one"))
        _ = try changes()
        world.pass(seconds: 60)
        try put("/recipes/q", Self.questionnaire("two"))
        let time = world.now.milliseconds
        world.pass(seconds: 60)
        #expect(try changes("?after=other.7.\(time)")["recipes"] == ["q"])
        #expect(try changes("?after=other.7.\(time + 30_000)")["recipes"] == [])
        #expect(try changes("?after=other.7.\(time + 90_000)")["restarted"] == true)
    }
}
