import BellwetherJSON
import TestSupport
import Testing

/// A recipe's states, revisions, differences and rollbacks (docs/reference/http-api.md#lifecycle).
@Suite struct LifecycleTests {
    private let app: TestApp

    init() throws { app = try TestApp() }

    private var recipe: String { "\(app.path)/recipes/r" }

    private func set(_ state: String, headers: [String: String] = [:]) throws -> HTTPResponse {
        try app.server.post("\(recipe)/state", ["state": .string(state)], headers: headers)
    }

    @Test func `A draft goes live, pauses, goes on and ends`() throws {
        try app.publish("r", Sample.message("m"), query: "?state=draft")
        #expect(try app.keys().isEmpty)
        let live = try set("live")
        #expect(live.status == 200 && live.json["state"] == "live" && live.json["revision"] == 1)
        #expect(live.header("ETag")?.isEmpty == false)
        #expect(try app.keys() == ["m"])
        #expect(try set("paused").json["state"] == "paused")
        #expect(try app.keys().isEmpty)
        _ = try set("live")
        #expect(try app.keys() == ["m"])
        _ = try set("ended")
        #expect(try app.keys().isEmpty)
        let errors = expectProblem(try set("live"), 409)
        #expect(errors.map { $0["code"] } == ["no_transition"])
    }

    @Test func `A paused experiment keeps its clients, and an ended one lets them go`() throws {
        try app.publish("r", NimbusRecipe.experiment("r", ["t": NimbusRecipe.survey("m")]))
        #expect(try app.keys() == ["m"])
        _ = try set("paused")
        #expect(try app.keys().isEmpty)
        #expect(try app.recorded() == ["nimbus_events.enrollment"])
        _ = try set("live")
        #expect(try app.keys() == ["m"])
        _ = try set("ended")
        #expect(try app.keys().isEmpty)
        #expect(try app.recorded() == ["nimbus_events.enrollment", "nimbus_events.unenrollment"])
    }

    @Test func `A draft beside a live recipe is in the history, not in the answers`() throws {
        try app.publish("r", Sample.message("m", ["text": "one"]))
        let draft = try app.publish("r", Sample.message("m", ["text": "two"]), query: "?state=draft")
        #expect(draft.status == 200 && draft.json["state"] == "draft" && draft.json["revision"] == 2)
        #expect(try app.poll().json["messages"][0]["text"] == "one")
        let revisions = try app.server.get("\(recipe)/revisions").json["revisions"]
        #expect(revisions.strings("state") == ["live", "draft"])
        #expect(revisions[0]["author"] == "dev")
        #expect(try app.server.get("\(recipe)/revisions/1").json == Sample.message("m", ["text": "one"]))
        #expect(try app.server.get("\(app.path)/recipes").json["recipes"][0]["draft_revision"] == 2)
        _ = try set("live")
        #expect(try app.poll().json["messages"][0]["text"] == "two")
        #expect(try app.server.get("\(recipe)/revisions").json["revisions"].strings("state") == ["superseded", "live"])
    }

    @Test func `Two revisions are compared, and an earlier one comes back as a new one`() throws {
        for text in ["one", "two", "three"] { try app.publish("r", Sample.message("m", ["text": .string(text)])) }
        let last = try app.server.get("\(recipe)/revisions/3/diff").json
        let place = "/messages/m/text"
        #expect(last["from"] == 2 && last["changes"].strings("pointer") == [place])
        let whole = try app.server.get("\(recipe)/revisions/3/diff?from=1").json
        #expect(whole["changes"][0]["before"] == "one" && whole["changes"][0]["after"] == "three")
        #expect(whole["changes"][0]["op"] == "replace")
        let back = try app.server.post("\(recipe)/rollback", ["revision": 1])
        #expect(back.status == 200 && back.json["revision"] == 4 && back.json["state"] == "live")
        #expect(try app.poll().json["messages"][0]["text"] == "one")
        expectProblem(try app.server.post("\(recipe)/rollback", ["revision": 9]), 404)
        expectProblem(try app.server.get("\(recipe)/revisions/9"), 404)
        expectProblem(try app.server.get("\(recipe)/revisions/1/diff"), 404)
    }

    @Test func `A stale writer is refused`() throws {
        let first = try app.publish("r", Sample.message("m"))
        try app.publish("r", Sample.message("m", ["text": "2"]))
        let headers = ["If-Match": try #require(first.header("ETag"))]
        expectProblem(try set("paused", headers: headers), 412)
        #expect(try app.keys() == ["m"])
    }

    @Test func `An idempotency key holds for a state, too`() throws {
        try app.publish("r", Sample.message("m"))
        let headers = ["Idempotency-Key": "k-\(app.name)"]
        let first = try set("paused", headers: headers)
        _ = try set("live")
        #expect(try set("paused", headers: headers).text == first.text)
        #expect(try app.keys() == ["m"], "it was answered, not done again")
    }

    @Test(
        arguments: [
            ("POST", "/state", ["state": "gone"], 400), ("POST", "/state", [:], 400), ("POST", "/state", [], 400),
            ("POST", "/rollback", ["revision": 0], 400), ("POST", "/rollback", ["revision": "1"], 400),
            ("GET", "/revisions/0", nil, 400), ("GET", "/revisions/x", nil, 400),
            ("GET", "/revisions/2/diff?to=1", nil, 400), ("GET", "/revisions/2/diff?from=x", nil, 400),
        ] as [(String, String, JSONValue?, Int)])
    func `What makes no sense is refused`(_ method: String, _ path: String, _ body: JSONValue?, _ status: Int) throws {
        try app.publish("r", Sample.message("m"))
        let answer =
            try body.map { try app.server.post(recipe + path, $0) } ?? app.server.get(recipe + path)
        expectProblem(answer, status)
        let other = "\(app.path)/recipes/nobody" + path
        let elsewhere = try body.map { try app.server.post(other, $0) } ?? app.server.get(other)
        #expect([400, 404].contains(elsewhere.status))
    }

    @Test func `All that makes no sense in a question for a difference is told`() throws {
        try app.publish("r", Sample.message("m"))
        let answer = try app.server.get(recipe + "/revisions/x/diff?from=y&to=1")
        expectProblem(answer, 400)
        #expect(answer.json["errors"].array?.map { $0["pointer"] } == ["/revision", "/from", "/to"])
    }

    @Test func `The history of a recipe outlives it, and its app`() throws {
        for text in ["one", "two"] { try app.publish("r", Sample.message("m", ["text": .string(text)])) }
        _ = try app.server.send("DELETE", recipe)
        for path in [recipe, "\(app.path)/manifest"] {
            let revisions = try app.server.get("\(recipe)/revisions").json["revisions"]
            #expect(revisions.strings("state") == ["deleted", "deleted"])
            #expect(try app.server.get("\(recipe)/revisions/1").json == Sample.message("m", ["text": "one"]))
            #expect(try app.server.get("\(recipe)/revisions/2/diff").json["changes"].array?.count == 1)
            expectProblem(try app.server.post("\(recipe)/rollback", ["revision": 1]), 404)
            _ = try app.server.send("DELETE", path)
        }
        expectProblem(try app.server.get("\(app.path)/recipes/nobody/revisions"), 404)
        _ = try app.server.put("\(app.path)/manifest", TestApp.manifest)
        #expect(try app.publish("r", Sample.message("m")).json["revision"] == 3)
        let states = try app.server.get("\(recipe)/revisions").json["revisions"].strings("state")
        #expect(states == ["superseded", "superseded", "live"])
    }
}
