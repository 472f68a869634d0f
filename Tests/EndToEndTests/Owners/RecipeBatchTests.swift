import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Many recipes in one request (docs/reference/http-api.md#batches).
@Suite struct RecipeBatchTests {
    private func recipe(_ slug: String, _ key: String) -> JSONValue {
        .object((Sample.message(key).object ?? [:]).merging("slug", .string(slug)))
    }

    @Test func `Each recipe stands alone, and is told of in the order of the request`() throws {
        let app = try TestApp()
        try app.publish("old", recipe("old", "old"))
        let answer = try app.server.post(
            "\(app.path)/recipes",
            [
                "data": [
                    recipe("new", "m"), ["slug": "bad", "triggers": ["T": "!true"]], "no recipe", recipe("old", "old"),
                    recipe("old", "n"), ["messages": [:]],
                ]
            ])
        #expect(answer.status == 200)
        let results = answer.json["results"].array ?? []
        #expect(results.map { $0["status"] } == [201, 422, 400, 200, 200, 400])
        #expect(results.map { $0["slug"] } == ["new", "bad", .null, "old", "old", .null])
        #expect(results.map { $0["revision"] } == [1, .null, .null, 1, 2, .null])
        #expect(places(results[1]["errors"]) == ["/triggers/T jexl_parse"])
        #expect(places(results[2]["errors"]) == [" type"])
        #expect(places(results[5]["errors"]) == ["/slug required"])
        #expect(results.allSatisfy { $0["errors"].array != nil && $0["warnings"].array != nil })
        #expect(try app.server.get("\(app.path)/recipes/new").json == recipe("new", "m"))
        #expect(try app.server.get("\(app.path)/recipes").json["recipes"].strings("slug") == ["new", "old"])
    }

    @Test func `Once it is answered every worker serves it`() throws {
        let app = try TestApp()
        let recipes = (0..<50).map { recipe("r\($0)", "m\($0)") }
        #expect(try app.server.post("\(app.path)/recipes", ["data": .array(recipes)]).status == 200)
        for _ in 0..<8 {
            #expect(try app.server.get("\(app.path)/recipes").json["recipes"].array?.count == 50)
        }
        let summary = try app.server.get("/v1/apps").json["apps"].array?.first { $0["app"].string == app.name }
        #expect(summary?["revision"] == 2, "one for the manifest, one for all recipes")
    }

    @Test func `Without a list, or with too long a one, nothing is done`() throws {
        let app = try TestApp()
        let target = "\(app.path)/recipes"
        expectProblem(try app.server.post(target, ["changes": [recipe("r", "m")]]), 400)
        expectProblem(try app.server.post(target, [recipe("r", "m")]), 400)
        expectProblem(try app.server.send("POST", target, body: Array("{\"data\":[".utf8)), 400)
        let many = Array(repeating: recipe("r", "m"), count: 1001)
        #expect(places(expectProblem(try app.server.post(target, ["data": .array(many)]), 422)) == ["/data too_many"])
        expectProblem(try app.server.post(target + "?state=draft", ["data": []]), 400)
        expectProblem(try app.server.post(target, ["data": []], headers: ["If-Match": "*"]), 412)
        expectProblem(try app.server.post("/v1/apps/none/recipes", ["data": []]), 404)
        #expect(try app.server.get(target).json["recipes"] == [])
        #expect(try app.server.post(target, ["data": []]).json == ["results": []])
    }

    @Test func `Strict refuses what would be warned of`() throws {
        let app = try TestApp()
        let doubtful: JSONValue = ["slug": "d", "messages": ["d": ["surface": "card", "style": "NOPE", "text": "t"]]]
        let data: JSONValue = ["data": [recipe("a", "a"), doubtful]]
        let strict = try app.server.post("\(app.path)/recipes?strict=true", data).json["results"]
        #expect(strict[0]["status"] == 201 && strict[1]["status"] == 422)
        #expect(places(strict[1]["errors"]) == ["/messages/d/style unknown_style"])
        let lenient = try app.server.post("\(app.path)/recipes", data).json["results"]
        #expect(lenient[0]["status"] == 200 && lenient[1]["status"] == 201)
        #expect(places(lenient[1]["warnings"]) == ["/messages/d/style unknown_style"])
    }

    @Test func `A repeated request gets its first answer, also after a restart`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        let key = ["Idempotency-Key": "k"]
        let body: JSONValue = ["data": [recipe("a", "m"), ["slug": "bad"]]]
        let first = try daemon.post("\(app.path)/recipes", body, headers: key)
        #expect(first.json["results"][0]["status"] == 201)
        #expect(try daemon.post("\(app.path)/recipes", body, headers: key).json == first.json)
        #expect(try daemon.post("\(app.path)/recipes", body).json["results"][0]["status"] == 200)
        expectProblem(try daemon.post("\(app.path)/recipes", ["data": []], headers: key), 409)
        try daemon.kill()
        let again = try Daemon(data: daemon.data)
        #expect(try again.post("\(app.path)/recipes", body, headers: key).json == first.json)
        #expect(try again.get("\(app.path)/recipes/a").json == recipe("a", "m"))
    }

    @Test func `It is for owners of the app`() throws {
        let guarded = try GuardedDaemon()
        func status(_ token: String) throws -> Int {
            try guarded.daemon.post(
                "/v1/apps/one/recipes", ["data": []], headers: GuardedDaemon.bearer(token)
            ).status
        }
        #expect(try status("owner-one") == 200)
        #expect(try status("client-one") == 403)
        #expect(try status("owner-two") == 403)
        expectProblem(try guarded.daemon.post("/v1/apps/one/recipes", ["data": []]), 401)
    }
}
