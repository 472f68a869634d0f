import BellwetherJSON
import TestSupport
import Testing

/// `If-Match` and `If-None-Match` on writes of owners.
@Suite struct WriteConditionTests {
    private let app: TestApp

    init() throws { app = try TestApp() }

    private func set(_ state: String, _ headers: [String: String]) throws -> HTTPResponse {
        try app.server.post("\(app.path)/recipes/r/state", ["state": .string(state)], headers: headers)
    }

    @Test func `The ETag from before a pause does not undo it`() throws {
        let recipe = "\(app.path)/recipes/r"
        let before = try #require(try app.publish("r", Sample.message("m")).header("ETag"))
        let paused = try set("paused", ["If-Match": before])
        #expect(paused.status == 200)
        let answer = try set("live", ["If-Match": before])
        expectProblem(answer, 412)
        #expect(answer.json["detail"] == "The document is at revision 1, paused.")
        expectProblem(try app.server.put(recipe, Sample.message("n"), headers: ["If-Match": before]), 412)
        expectProblem(try app.server.send("DELETE", recipe, headers: ["If-Match": before]), 412)
        #expect(try app.keys() == [])
        let now = try #require(try app.server.get(recipe).header("ETag"))
        #expect(now == paused.header("ETag") && now != before)
        #expect(try app.server.get(recipe, headers: ["If-None-Match": before]).status == 200)
        #expect(try set("live", ["If-Match": now]).status == 200)
        #expect(try app.keys() == ["m"])
    }

    @Test func `A draft that comes to lie beside what is served changes the ETag`() throws {
        let live = try #require(try app.publish("r", Sample.message("m")).header("ETag"))
        let draft = try app.publish("r", Sample.message("m", ["text": "2"]), query: "?state=draft").header("ETag")
        #expect(draft != nil && draft != live)
        expectProblem(try set("paused", ["If-Match": live]), 412)
        let promoted = try set("live", ["If-Match": draft ?? ""])
        #expect(promoted.status == 200 && promoted.header("ETag") != draft)
    }

    @Test func `If-None-Match with a star makes a document, and never replaces one`() throws {
        let isNew = ["If-None-Match": "*"]
        for (path, first, second) in [
            ("recipes/r", Sample.message("m"), Sample.message("m", ["text": "2"])),
            ("strings/de", ["T": ["a": "1"]], ["T": ["a": "2"]]),
        ] as [(String, JSONValue, JSONValue)] {
            let target = "\(app.path)/\(path)"
            #expect(try app.server.put(target, first, headers: isNew).status == 201)
            expectProblem(try app.server.put(target, second, headers: isNew), 412)
            #expect(try app.server.get(target).json == first)
        }
        expectProblem(try app.server.put("\(app.path)/manifest", TestApp.manifest, headers: isNew), 412)
        expectProblem(try app.server.post("\(app.path)/recipes", ["data": []], headers: isNew), 412)
    }
}
