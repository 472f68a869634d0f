import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// The forecast of a recipe that went live, and what came (docs/reference/http-api.md#what-came).
@Suite struct HeldForecastTests {
    private static let path = "/v1/apps/app/recipes/e/forecast"

    private static func experiment(_ more: JSONObject = [:]) -> JSONValue {
        let value: JSONValue = [
            "messages": ["m": ["surface": "card", "experiment": "{experiment}", "text": "t"]]
        ]
        let branches = ["a", "b"].map { slug -> JSONValue in
            ["slug": .string(slug), "ratio": 1, "features": [["featureId": "messaging", "value": value]]]
        }
        var recipe: JSONObject = [
            "schemaVersion": "1.12.0", "slug": "e", "userFacingName": "E", "userFacingDescription": "D",
            "isEnrollmentPaused": false, "proposedEnrollment": 7, "targeting": "age >= 40",
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 10_000, "total": 10_000,
            ],
            "branches": .array(branches),
            "goals": [["name": "bought", "event": "buy", "counts": "sum"]],
            "notify": ["url": "https://hooks.example/bw"],
        ]
        for (key, member) in more { recipe[key] = member }
        return .object(recipe)
    }

    private let world: WorkerUnderTest
    private let watch: ForecastWatch

    init() throws {
        var settings = APISettings.open
        settings.minimumCell = 5
        world = try WorkerUnderTest(settings: settings)
        let services = world.worker.services
        watch = ForecastWatch(services.publisher, services.persistence, services.forecasts) { 5 }
    }

    /// Half of the clients are as old as told, the others are 20.
    private func poll(_ clients: Range<Int>, age: Int) throws {
        for number in clients {
            let age = number.isMultiple(of: 2) ? age : 20
            #expect(try world.send(.get, "/v1/apps/app/messages?client_id=c\(number)&age=\(age)").status == 200)
        }
    }

    private func put(_ recipe: JSONValue = experiment(), as slug: String = "e") throws {
        #expect(try world.send(.put, "/v1/apps/app/recipes/\(slug)", body: recipe).status < 300)
    }

    private func put(_ state: String) throws {
        let answer = try world.send(.post, "/v1/apps/app/recipes/e/state", body: ["state": .string(state)])
        #expect(answer.status == 200)
    }

    /// Waits until the watch has written.
    private func run() async { await withCheckedContinuation { done in watch.run { done.resume() } } }

    /// Three days of polls, and ten minutes after the last one the recipe goes live.
    private func launch(_ recipe: JSONValue = experiment()) async throws {
        for _ in 0..<3 {
            try poll(0..<300, age: 50)
            world.pass(seconds: 86_400)
        }
        try poll(0..<300, age: 50)
        world.pass(seconds: 600)
        try put(recipe)
        await run()
    }

    private func endDay() async {
        world.pass(seconds: 86_400)
        await run()
    }

    private func held() throws -> JSONValue { try world.send(.get, Self.path).json["forecast"] }

    private var problems: [JSONValue] {
        get throws {
            let all = try world.send(.get, "/v1/apps/app/activity").json["problems"].array ?? []
            return all.filter { $0["code"] == "off_plan" }
        }
    }

    private var webhooks: Int {
        get throws { try world.send(.get, "/v1/apps/app/webhooks").json["items"].array?.count ?? 0 }
    }

    @Test func `Clients that come as forecast are on plan`() async throws {
        try await launch()
        let first = try held()
        #expect(first["revision"] == 1 && first["since"] == "2026-03-13T12:10:00Z" && first["is_open"] == true)
        #expect(first["day"] == 0 && first["clients"] == .null)
        let unknown: JSONValue = ["low": 0.5, "high": 0.5, "expected": nil, "came": nil, "off_plan": false]
        #expect(first["enrolled"] == unknown && first["shown"] == unknown)
        try poll(0..<240, age: 50)
        await run()
        #expect(try held()["day"] == 0, "the day has not ended")
        await endDay()
        let held = try held()
        #expect(held["day"] == 1 && held["clients"] == 240)
        #expect(held["enrolled"]["expected"]["low"] == 120 && held["enrolled"]["expected"]["high"] == 120)
        #expect(held["enrolled"]["came"] == 120)
        #expect(held["enrolled"]["off_plan"] == false)
        // No display was reported. Fewer than those who may see a message are on plan.
        #expect(held["shown"]["expected"]["interval"][0] == 0)
        #expect(held["shown"]["came"] == .null && held["shown"]["off_plan"] == false)
        #expect(try problems.isEmpty && webhooks == 0)
    }

    /// All clients of the week are half frequent ones that are targeted, and half rare ones that are not.
    @Test func `Clients that poll often and come first are no alarm`() async throws {
        for day in 0..<4 {
            for number in 0..<150 {
                _ = try world.send(.get, "/v1/apps/app/messages?client_id=often\(number)&age=50")
                guard number % 2 == day % 2 else { continue }
                _ = try world.send(.get, "/v1/apps/app/messages?client_id=rare\(number)&age=20")
            }
            if day < 3 { world.pass(seconds: 86_400) }
        }
        world.pass(seconds: 600)
        try put()
        await run()
        #expect(try held()["enrolled"]["low"] == 0.5)
        for number in 0..<150 {
            _ = try world.send(.get, "/v1/apps/app/messages?client_id=often\(number)&age=50")
            guard number.isMultiple(of: 2) else { continue }
            _ = try world.send(.get, "/v1/apps/app/messages?client_id=rare\(number)&age=20")
        }
        await endDay()
        let enrolled = try held()["enrolled"]
        #expect(try held()["clients"] == 225 && enrolled["came"] == 150)
        #expect(enrolled["off_plan"] == false)
    }

    @Test func `What lies outside the interval is off plan, and told once`() async throws {
        try await launch()
        try poll(0..<180, age: 20)
        await endDay()
        #expect(try held()["enrolled"]["expected"]["low"] == 90)
        #expect(try held()["enrolled"]["off_plan"] == false, "fewer than 100 were expected")
        try poll(0..<300, age: 20)
        await endDay()
        let enrolled = try held()["enrolled"]
        #expect(try held()["day"] == 2 && enrolled["off_plan"] == true)
        #expect(enrolled["came"] == .null, "few are withheld, and so is nobody")
        #expect(try problems.map { $0["detail"] } == ["enrolled clients are not as forecast"])
        #expect(try problems.map { $0["slug"] } == ["e"] && problems.map { $0["count"] } == [1])
        #expect(try webhooks == 1)
        let body = try notice()
        #expect(body["type"] == "off_plan" && body["measure"] == "enrolled" && body["day"] == 2)
        #expect(body["recipe"] == "e" && body["expected"]["low"] == 150 && body["came"] == .null)
        await run()
        #expect(try problems.map { $0["count"] } == [1])
        try poll(0..<300, age: 20)
        await endDay()
        #expect(try held()["day"] == 3 && held()["enrolled"]["off_plan"] == true)
        #expect(try problems.isEmpty && webhooks == 1, "the first one is a day old, and there is no other one")
    }

    private func notice() throws -> JSONValue {
        let row = try #require(try world.store.find(.pendingWebhooks, limit: 10).first)
        guard case .webhook(let webhook, _) = try row.value.get() else { throw Failure("no webhook") }
        return try JSONValue(parsing: webhook.body)
    }

    @Test(arguments: [false, true])
    func `A paused or changed recipe is not compared any more`(_ isPaused: Bool) async throws {
        try await launch()
        try poll(0..<300, age: 50)
        await endDay()
        #expect(try held()["day"] == 1)
        if isPaused { try put("paused") } else { try put(Self.experiment(["targeting": "age >= 90"])) }
        try poll(0..<300, age: 20)
        await endDay()
        #expect(try held()["day"] == 1 && held()["revision"] == 1 && held()["is_open"] == false)
        #expect(try problems.isEmpty)
    }

    /// Nobody has come to the first revision yet.
    @Test func `A recipe that is corrected at once gets another forecast`() async throws {
        try await launch(Self.experiment(["targeting": "age >= 90"]))
        #expect(try held()["enrolled"]["low"] == .null)
        world.pass(seconds: 120)
        try put()
        await run()
        #expect(try held()["revision"] == 2 && held()["enrolled"]["low"] == 0.5)
    }

    /// The recipe was live before the daemon knew forecasts.
    @Test func `A recipe that clients know already gets no forecast`() async throws {
        try put()
        for _ in 0..<2 {
            try poll(0..<300, age: 50)
            world.pass(seconds: 7200)
        }
        try put("paused")
        try put("live")
        await run()
        #expect(try held() == .null)
    }

    @Test func `The forecast of a recipe that starts later is made at its start`() async throws {
        try await launch(Self.experiment(["startDate": "2026-03-13T14:00:00Z"]))
        #expect(try held() == .null)
        world.pass(seconds: 7200)
        await withCheckedContinuation { done in world.worker.services.publisher.follow { done.resume() } }
        await run()
        #expect(try held()["since"] == "2026-03-13T14:00:00Z")
    }

    /// Half of the enrolled clients see a control in place of the message.
    @Test func `A control is no display`() async throws {
        func messaging(_ isControl: Bool) -> JSONValue {
            let message: JSONValue = [
                "surface": "card", "experiment": "{experiment}", "text": "t", "is-control": .bool(isControl),
            ]
            return ["messages": ["m": message]]
        }
        let branches = [("a", true), ("b", false)].map { slug, isControl -> JSONValue in
            [
                "slug": .string(slug), "ratio": 1,
                "features": [["featureId": "messaging", "value": messaging(isControl)]],
            ]
        }
        try await launch(Self.experiment(["branches": .array(branches)]))
        try poll(0..<300, age: 50)
        for number in stride(from: 0, to: 300, by: 2) {
            let event: JSONValue = ["type": "message", "action": "displayed", "message": "m"]
            let body: JSONValue = ["client_id": .string("c\(number)"), "events": [event]]
            #expect(try world.send(.post, "/v1/apps/app/events", body: body).status == 200)
        }
        world.pass(seconds: 7200)
        try poll(0..<300, age: 50)
        world.pass(seconds: 79_200)
        await run()
        let (enrolled, shown) = (try held()["enrolled"], try held()["shown"])
        #expect(enrolled["came"] == 150)
        let seen = try #require(shown["came"].integer)
        #expect(seen < 150 && seen > 30, "those of one branch")
        #expect(shown["off_plan"] == false)
    }

    @Test func `A recipe without branches has displays only`() async throws {
        try await launch(["messages": ["n": ["surface": "card", "text": "t"]]])
        #expect(try held()["enrolled"] == .null)
        #expect(try held()["shown"]["high"] == .null, "nearly all is withheld")
    }

    @Test func `The correction is what came divided by what was expected`() async throws {
        try await launch()
        try poll(0..<200, age: 50)
        try poll(200..<300, age: 20)
        #expect(try world.send(.get, Self.path).json["correction"] == ["enrolled": nil, "shown": nil])
        await endDay()
        let answer = try world.send(.get, Self.path).json
        #expect(answer["correction"] == ["enrolled": ["factor": 0.67, "recipes": 1], "shown": nil])
        let forecast = try world.send(
            .post, "/v1/apps/app/recipes/forecast?slug=other", body: Self.experiment(["slug": "other"]))
        #expect(forecast.json["correction"] == answer["correction"])
        #expect(forecast.json["clients"] == ["day": 300, "week": nil], "the sample has lasted for four days")
        #expect(try world.send(.get, "/v1/apps/app/recipes/none/forecast").status == 404)
    }

    /// A withheld count could be computed from the correction.
    @Test func `The correction leaves out what is withheld`() async throws {
        try await launch()
        try poll(0..<6, age: 50)
        try poll(6..<300, age: 20)
        await endDay()
        #expect(try held()["enrolled"]["came"] == .null)
        #expect(try world.send(.get, Self.path).json["correction"]["enrolled"] == .null)
    }
}
