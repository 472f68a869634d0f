import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

/// The notes that owners attach to a recipe (docs/reference/http-api.md#notes).
@Suite struct NoteRouteTests {
    private let world: WorkerUnderTest
    private static let recipe = "/v1/apps/app/recipes/q"

    init() throws { world = try WorkerUnderTest() }

    @discardableResult
    private func put(_ slug: String, _ title: String, _ query: String = "") throws -> JSONValue {
        let document: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": .string(title)]]],
        ]
        let answer = try world.send(.put, "/v1/apps/app/recipes/\(slug)\(query)", body: document)
        #expect([200, 201].contains(answer.status))
        return answer.json
    }

    private func note(_ body: JSONValue, of slug: String = "q") throws -> (status: Int, json: JSONValue) {
        let answer = try world.send(.patch, "/v1/apps/app/recipes/\(slug)/note", body: body)
        return (answer.status, answer.json)
    }

    private func slugs(_ query: String = "") throws -> [String] {
        let list = try world.send(.get, "/v1/apps/app/recipes\(query)").json["recipes"].array ?? []
        return list.compactMap { $0["slug"].string }.filter { $0 == "q" || $0 == "p" }
    }

    private func listed() throws -> JSONValue {
        let list = try world.send(.get, "/v1/apps/app/recipes?archived=all").json["recipes"].array ?? []
        return try #require(list.first { $0["slug"] == "q" })
    }

    @Test func `An owner and labels stand in the list, make no revision, and are what it is filtered by`() throws {
        try put("q", "one")
        try put("p", "one")
        #expect(try listed()["owner"] == .null && listed()["labels"] == [] && listed()["archived"] == false)
        let kept = try note(["owner": "Ana", "labels": ["winter", "Umfrage für alle", "winter"]])
        #expect(kept.status == 200)
        #expect(
            kept.json == [
                "owner": "Ana", "labels": ["winter", "Umfrage für alle"], "archived": false, "sent_back": .null,
            ])
        #expect(try listed()["owner"] == "Ana" && listed()["revision"] == 1)
        #expect(try slugs("?owner=Ana") == ["q"] && slugs("?owner=Ben") == [])
        #expect(try slugs("?label=winter") == ["q"] && slugs("?label=Umfrage%20f%C3%BCr%20alle") == ["q"])
        #expect(try slugs("?owner=Ana&label=summer") == [] && slugs() == ["p", "q"])
        #expect(try note(["labels": []]).json["owner"] == "Ana")
        #expect(try note(["owner": .null]).json["owner"] == .null)
        #expect(try slugs("?counts=true&owner=Ana") == [])
    }

    @Test func `What has ended can be archived, and is then listed only where it is asked for`() throws {
        try put("q", "one")
        #expect(try note(["archived": true]).json["errors"][0]["code"] == "not_ended")
        #expect(try world.send(.post, Self.recipe + "/state", body: ["state": "ended"]).status == 200)
        #expect(try note(["archived": true]).json["archived"] == true)
        #expect(try slugs() == [] && slugs("?archived=true") == ["q"] && slugs("?archived=all") == ["q"])
        #expect(try slugs("?archived=false") == [])
        #expect(try note(["archived": false]).json["archived"] == false)
        #expect(try slugs() == ["q"])
        #expect(try world.send(.get, "/v1/apps/app/recipes?archived=yes").status == 400)
    }

    @Test func `A draft is sent back with a comment, which is about that draft alone`() throws {
        try put("q", "one")
        try put("q", "two", "?state=draft")
        #expect(try note(["sent_back": ["revision": 1, "comment": "No"]]).status == 409)
        let answer = try note(["sent_back": ["revision": 2, "comment": "Ask for one thing at a time."]])
        #expect(answer.json["sent_back"]["comment"] == "Ask for one thing at a time.")
        #expect(try listed()["sent_back"]["author"] == "dev" && listed()["draft"]["revision"] == 2)
        try put("q", "three", "?state=draft")
        #expect(try listed()["sent_back"] == .null && listed()["draft"]["revision"] == 3)
    }

    @Test func `The list has another tag when a note has changed`() throws {
        try put("q", "one")
        let fields = try world.send(.get, "/v1/apps/app/recipes").headers.split(separator: "\r\n")
        let tag = try #require(fields.first { $0.lowercased().hasPrefix("etag: ") }?.dropFirst(6)).description
        let headers = [("If-None-Match", tag)]
        #expect(try world.send(.get, "/v1/apps/app/recipes", headers: headers).status == 304)
        _ = try note(["owner": "Ana"])
        #expect(try world.send(.get, "/v1/apps/app/recipes", headers: headers).status == 200)
    }

    @Test func `The audit tells what was noted, nothing of a comment, and nothing where nothing changed`() throws {
        try put("q", "one", "?state=draft")
        _ = try note(["owner": "Ana", "sent_back": ["revision": 1, "comment": "secret words"]])
        _ = try note(["owner": "Ana"])
        let records = try world.send(.get, "/v1/audit?kind=note").json["items"]
        #expect(records[0]["owner"] == "Ana" && records[0]["sent_back"] == 1 && records[0]["name"] == "q")
        #expect(!records.text.contains("secret words") && records.array?.count == 1)
    }

    @Test(
        arguments: [
            (["owner": ""], "/owner"), (["owner": 1], "/owner"), (["owner": " "], "/owner"),
            (["owner": "a\u{7}"], "/owner"), (["labels": "x"], "/labels"), (["labels": [""]], "/labels/0"),
            (["labels": .array((0...20).map { .string("\($0)") })], "/labels"), (["colour": 1], "/colour"),
            (["archived": "yes"], "/archived"), (["sent_back": [:]], "/sent_back/revision"),
            (["sent_back": ["revision": 1, "comment": " "]], "/sent_back/comment"),
        ] as [(JSONValue, String)])
    func `A note with a fault is refused at its place`(_ body: JSONValue, _ pointer: String) throws {
        try put("q", "one", "?state=draft")
        let answer = try note(body)
        #expect(answer.status == 422 && answer.json["errors"][0]["pointer"].string == pointer, "\(answer.json.text)")
    }

    @Test func `There is no note of a recipe that there is not`() throws {
        #expect(try note(["owner": "Ana"], of: "none").status == 404)
    }
}
