import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
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

    /// Waits until the watch has written.
    private func run() async { await withCheckedContinuation { done in watch.run { done.resume() } } }

    private func held() throws -> JSONValue { try world.send(.get, Self.path).json["forecast"] }

    private var problems: [JSONValue] {
        get throws { try world.send(.get, "/v1/apps/app/activity").json["problems"].array ?? [] }
    }

    private var webhooks: Int {
        get throws { try world.send(.get, "/v1/apps/app/webhooks").json["items"].array?.count ?? 0 }
    }

    @Test func `Clients that come as forecast are on plan`() async throws {
        try poll(0..<300, age: 50)
        world.pass(seconds: 7200)
        try put()
        #expect(try held() == .null)
        await run()
        #expect(try held()["enrolled"] == ["expected": nil, "came": nil, "off_plan": false])
        try poll(0..<240, age: 50)
        await run()
        let held = try held()
        #expect(held["clients"] == 240)
        #expect(held["revision"] == 1 && held["since"] == "2026-03-10T14:00:00Z")
        #expect(held["enrolled"]["expected"]["low"] == 120 && held["enrolled"]["expected"]["high"] == 120)
        #expect(held["enrolled"]["came"] == 120)
        #expect(held["enrolled"]["off_plan"] == false)
        // Every enrolled client gets the message, but no display was reported.
        #expect(held["shown"]["came"] == 0 && held["shown"]["off_plan"] == false)
        world.pass(seconds: 86_400)
        try poll(0..<300, age: 50)
        await run()
        #expect(try self.held()["enrolled"]["off_plan"] == false)
        #expect(try self.held()["shown"]["off_plan"] == true, "a day is enough to show a message")
    }

    @Test func `What lies outside the interval is off plan, and told once`() async throws {
        try poll(0..<300, age: 50)
        world.pass(seconds: 7200)
        try put()
        await run()
        try poll(0..<180, age: 20)
        await run()
        #expect(try held()["enrolled"]["expected"]["low"] == 90)
        #expect(try held()["enrolled"]["off_plan"] == false, "fewer than 100 were expected")
        world.pass(seconds: 600)
        try poll(180..<300, age: 20)
        await run()
        let enrolled = try held()["enrolled"]
        #expect(enrolled["came"] == 0 && enrolled["off_plan"] == true)
        let told = try problems.filter { $0["code"] == "off_plan" }
        #expect(told.map { $0["detail"] } == ["enrolled clients are not as forecast"])
        #expect(told.allSatisfy { $0["slug"] == "e" && $0["count"] == 1 })
        #expect(try webhooks == 1)
        world.pass(seconds: 600)
        await run()
        #expect(try problems.filter { $0["code"] == "off_plan" }.allSatisfy { $0["count"] == 1 })
        #expect(try webhooks == 1)
    }

    @Test func `A paused or changed recipe is not compared any more`() async throws {
        try poll(0..<300, age: 50)
        world.pass(seconds: 7200)
        try put()
        await run()
        try poll(0..<150, age: 50)
        await run()
        try put(Self.experiment(["targeting": "age >= 90"]))
        world.pass(seconds: 600)
        try poll(150..<300, age: 50)
        await run()
        #expect(try held()["clients"] == 150 && held()["revision"] == 1)
        #expect(try problems.isEmpty)
    }

    /// The recipe was live before the daemon knew forecasts.
    @Test func `A recipe that clients know already gets no forecast`() async throws {
        try put()
        try poll(0..<300, age: 50)
        #expect(try world.send(.post, "/v1/apps/app/recipes/e/state", body: ["state": "paused"]).status == 200)
        world.pass(seconds: 7200)
        #expect(try world.send(.post, "/v1/apps/app/recipes/e/state", body: ["state": "live"]).status == 200)
        await run()
        #expect(try held() == .null)
    }

    @Test func `The correction is what came divided by what was expected`() async throws {
        try poll(0..<300, age: 50)
        world.pass(seconds: 7200)
        try put()
        await run()
        try poll(0..<200, age: 50)
        try poll(200..<300, age: 20)
        await run()
        let answer = try world.send(.get, Self.path).json
        #expect(answer["correction"] == ["recipes": 1, "enrolled": 0.667, "shown": 0.0])
        let forecast = try world.send(
            .post, "/v1/apps/app/recipes/forecast?slug=other", body: Self.experiment(["slug": "other"]))
        #expect(forecast.json["correction"] == answer["correction"])
        #expect(forecast.json["clients"] == ["day": nil, "week": nil], "the sample has lasted for two hours")
        #expect(try world.send(.get, "/v1/apps/app/recipes/none/forecast").status == 404)
    }

    @Test func `The forecast is deleted with its recipe`() async throws {
        try poll(0..<300, age: 50)
        world.pass(seconds: 7200)
        try put()
        try put(Self.experiment(["slug": "f", "userFacingName": "F"]), as: "f")
        await run()
        #expect(try world.send(.delete, "/v1/apps/app/recipes/e").status == 204)
        await run()
        let rows = try world.store.find(.small(.forecast, app: "app"), limit: 10)
        #expect(rows.map(\.name) == [.forecast(app: "app", slug: "f")])
    }

    /// Another process may have counted more clients.
    @Test func `The count of more clients stays`() async throws {
        try poll(0..<300, age: 50)
        world.pass(seconds: 7200)
        try put()
        await run()
        try poll(0..<250, age: 50)
        await run()
        let other = ForecastRecipe()
        let services = world.worker.services
        let fewer = ForecastWatch(services.publisher, services.persistence, other) { 5 }
        world.pass(seconds: 600)
        var state = ClientState()
        state.ledger["m"].displayCount = 1
        let context = TargetingContext(requestedLocale: nil, defaultLocale: "en", attributes: [:])
        _ = other.samples.offer(context, state, hash: 1, of: "app", at: world.now)
        await withCheckedContinuation { done in fewer.run { done.resume() } }
        #expect(try held()["clients"] == 250 && held()["shown"]["came"] == 0)
    }
}
