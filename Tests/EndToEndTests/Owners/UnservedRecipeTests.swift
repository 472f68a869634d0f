import BellwetherJSON
import TestSupport
import Testing

/// Recipes that are not served: owners get the reason and the time.
@Suite struct UnservedRecipeTests {
    private let app: TestApp

    init() throws { app = try TestApp() }

    private func experiment(_ slug: String, _ dates: JSONObject) -> JSONValue {
        NimbusRecipe.experiment(slug, ["t": NimbusRecipe.survey(slug)], dates)
    }

    @Test func `A recipe whose end has passed is ended at once, and a restart changes nothing`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        let over = experiment("over", ["endDate": "2020-02-01"])
        let validated = try daemon.post("\(app.path)/recipes/validate", over)
        #expect(validated.json["warnings"].strings("code") == ["end_passed"])
        let published = try app.publish("over", over)
        #expect(published.status == 201 && published.json["state"] == "ended")
        #expect(published.json["warnings"].strings("pointer") == ["/endDate"])
        let list = try daemon.get("\(app.path)/recipes").text
        #expect(try app.keys() == [])
        try daemon.kill()
        let next = try Daemon(data: daemon.data)
        #expect(try next.get("\(app.path)/recipes").text == list)
        let errors = expectProblem(try next.post("\(app.path)/recipes/over/state", ["state": "live"]), 409)
        #expect(errors.map { $0["code"] } == ["no_transition"])
    }

    @Test func `A rollback to a revision whose end has passed ends the recipe`() throws {
        try app.publish("r", experiment("r", [:]))
        try app.publish("r", experiment("r", ["endDate": "2020-02-01"]), query: "?state=draft")
        try app.publish("r", experiment("r", ["endDate": "2099-02-01"]))
        #expect(try app.keys() == ["r"])
        let back = try app.server.post("\(app.path)/recipes/r/rollback", ["revision": 2])
        #expect(back.status == 200 && back.json["state"] == "ended")
        #expect(back.json["warnings"].strings("code") == ["end_passed"])
        #expect(try app.keys() == [])
    }

    @Test func `An end before the start is a fault`() throws {
        let reversed = experiment("r", ["startDate": "2099-02-02", "endDate": "2099-02-01"])
        for answer in [
            try app.server.put("\(app.path)/recipes/r", reversed),
            try app.server.post("\(app.path)/recipes/validate", reversed),
            try app.server.post("\(app.path)/recipes/forecast", reversed),
        ] {
            #expect(places(expectProblem(answer, 422)) == ["/endDate dates"])
        }
    }

    @Test func `The list and explain name what is not served, with its reason and date`() throws {
        try app.publish("ended", experiment("ended", ["endDate": "2020-02-01"]))
        try app.publish("live", experiment("live", ["endDate": "2099-02-01"]))
        try app.publish("paused", experiment("paused", [:]))
        let paused = try app.server.post("\(app.path)/recipes/paused/state", ["state": "paused"])
        #expect(paused.json["state"] == "paused")
        try app.publish("scheduled", experiment("scheduled", ["startDate": "2099-01-01T12:00:00Z"]))
        try app.publish("written", experiment("written", [:]), query: "?state=draft")

        let recipes = try app.server.get("\(app.path)/recipes").json["recipes"].array ?? []
        let told = recipes.filter { $0["not_served"] != .null }
        #expect(recipes.map { $0["state"] } == ["ended", "live", "paused", "live", "draft"])
        #expect(told.map { $0["slug"] } == ["ended", "paused", "scheduled", "written"])
        #expect(told.map { $0["not_served"]["reason"] } == ["ended", "paused", "scheduled", "draft"])
        #expect(told[0]["not_served"]["date"] == "2020-02-01T00:00:00Z")
        #expect(told[2]["not_served"]["date"] == "2099-01-01T12:00:00Z")
        let since = try #require(told[1]["not_served"]["date"].string)
        #expect(since >= told[1]["published_at"].string ?? "")

        let question: JSONValue = ["surface": "microsurvey", "context": ["nimbus_id": "n"]]
        let explanation = try app.server.post("\(app.path)/explain", question).json
        #expect(explanation["selected"] == "live")
        let named = explanation["not_served"].array ?? []
        #expect(named.map { $0["slug"] } == told.map { $0["slug"] })
        #expect(named.map { $0["date"] } == told.map { $0["not_served"]["date"] })
        #expect(named.map { $0["reason"] } == told.map { $0["not_served"]["reason"] })
        let known = try app.server.post("\(app.path)/explain", ["client_id": "c", "surface": "microsurvey"]).json
        #expect(known["not_served"] == explanation["not_served"])
    }

    @Test func `Publishing to an ended recipe warns, and validate says so before`() throws {
        let message = Sample.message("m")
        try app.publish("r", message)
        _ = try app.server.post("\(app.path)/recipes/r/state", ["state": "ended"])
        let validated = try app.server.post("\(app.path)/recipes/validate?slug=r", message)
        let published = try app.publish("r", message)
        #expect(published.json["state"] == "ended" && published.json["warnings"].strings("code") == ["recipe_ended"])
        #expect(validated.json["warnings"] == published.json["warnings"])
        let strict = try app.server.put("\(app.path)/recipes/r?strict=true", message)
        #expect(places(expectProblem(strict, 422)) == [" recipe_ended"])
    }
}
