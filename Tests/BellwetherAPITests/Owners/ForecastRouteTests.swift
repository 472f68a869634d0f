import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Forecasts over the polls that a worker has recorded.
struct ForecastRouteTests {
    private static func recipe(_ fields: JSONObject = [:]) -> JSONValue {
        var message: JSONObject = ["surface": "card", "text": "Hello"]
        for (key, value) in fields { message[key] = value }
        return ["messages": ["m": .object(message)], "triggers": ["OLD": "age >= 40"]]
    }

    private static let path = "/v1/apps/app/recipes/forecast"

    private static func worker(minimum: Int = 1, recipes: [String: JSONValue] = [:]) throws -> WorkerUnderTest {
        var settings = APISettings.open
        settings.minimumCell = minimum
        return try WorkerUnderTest(recipes: recipes, settings: settings)
    }

    @Test func pollsBecomeTheSample() throws {
        let test = try Self.worker()
        for client in 0..<8 {
            _ = try test.send(.get, "/v1/apps/app/messages?client_id=c\(client)&age=\(client < 2 ? 50 : 20)&locale=de")
        }
        _ = try test.send(
            .post, "/v1/apps/app/messages", headers: [("Content-Length", "1")],
            body: ["client_id": "p", "context": ["age": 60, "locale": "fr"]])
        let forecast = try test.send(.post, Self.path, body: Self.recipe(["trigger-if-all": ["OLD"]])).json
        #expect(
            forecast["sample"] == [
                "contexts": 9, "since": "2026-03-10T12:00:00Z", "capacity": 10_000,
            ])
        #expect(forecast["recipe"] == "forecast")
        #expect(forecast["eligible"]["low"] == 0.33)
        #expect(forecast["eligible"]["high"] == 0.33)
        #expect(forecast["surfaces"][0]["surface"] == "card")
        #expect(forecast["surfaces"][0]["locales"].array?.map { $0["locale"] } == ["de", "fr"])
        #expect(forecast["surfaces"][0]["locales"].array?.map { $0["contexts"] } == [8, 1])
    }

    @Test func whatIsWithheldIsNullAndSaysSo() throws {
        let test = try Self.worker(minimum: 5)
        let empty = try test.send(.post, Self.path, body: Self.recipe()).json
        #expect(empty["sample"] == ["contexts": nil, "since": nil, "capacity": 10_000])
        #expect(empty["targeted"] == .null)
        for client in 0..<20 {
            let (age, locale) = (client == 0 ? 50 : 20, client == 1 ? "fr" : "de")
            _ = try test.send(.get, "/v1/apps/app/messages?client_id=c\(client)&age=\(age)&locale=\(locale)")
        }
        let forecast = try test.send(.post, Self.path, body: Self.recipe(["trigger-if-all": ["OLD"]])).json
        #expect(forecast["sample"]["contexts"] == 20)
        #expect(forecast["targeted"] == ["low": nil, "high": nil, "interval": [0.58, 1.0], "withheld": true])
        #expect(forecast["eligible"] == ["low": nil, "high": nil, "interval": [0.0, 0.42], "withheld": true])
        let locales = forecast["surfaces"][0]["locales"]
        #expect(locales[0]["locale"] == "de" && locales[0]["contexts"] == .null && locales[0]["withheld"] == true)
        #expect(locales[1]["is_rest"] == true && locales[1]["contexts"] == .null && locales[1]["eligible"] == .null)
    }

    /// A client counts once, however often it polls, with what it sent last; a refused poll does not count.
    @Test func `A client that polls again counts once, and a refused poll does not count`() throws {
        let test = try Self.worker()
        for _ in 0..<5 { _ = try test.send(.get, "/v1/apps/app/messages?client_id=c&age=1") }
        _ = try test.send(.get, "/v1/apps/app/messages?client_id=c&age=x")
        _ = try test.send(.get, "/v1/apps/app/messages?age=1")
        let forecast = try test.send(.post, Self.path, body: Self.recipe()).json
        #expect(forecast["sample"]["contexts"] == 1)
    }

    @Test func nothingIsPublished() throws {
        let test = try Self.worker()
        let answer = try test.send(.post, Self.path + "?slug=r", body: Self.recipe())
        #expect(answer.status == 200)
        #expect(answer.json["recipe"] == "r")
        #expect(answer.json["eligible"] == .null)
        #expect(try test.send(.get, "/v1/apps/app/recipes/r").status == 404)
        #expect(try test.send(.get, "/v1/apps/app/messages?client_id=c").json["messages"] == [])
    }

    /// The forecast recipe replaces the live recipe with its slug, so that recipe is no rival.
    @Test func theRecipeOfItsSlugIsReplaced() throws {
        let test = try Self.worker(recipes: [
            "r": ["messages": ["old": ["surface": "card", "text": "Old"]]],
            "s": ["messages": ["z": ["surface": "card", "text": "Other"]]],
        ])
        _ = try test.send(.get, "/v1/apps/app/messages?client_id=c")
        let forecast = try test.send(.post, Self.path + "?slug=r", body: Self.recipe()).json
        #expect(forecast["messages"][0]["displaces"].array?.map { $0["message"] } == ["z"])
        let beside = try test.send(.post, Self.path, body: Self.recipe()).json
        #expect(beside["messages"][0]["displaces"].array?.map { $0["message"] } == ["old", "z"])
        #expect(beside["messages"][0]["outranked_by"] == [])
    }

    @Test func faultsAndWarningsAreTold() throws {
        let test = try Self.worker()
        let broken: JSONValue = ["messages": ["m": ["text": "a"]], "triggers": ["T": "age >="]]
        #expect(try test.send(.post, Self.path, body: broken).status == 422)
        #expect(try test.send(.post, Self.path, body: 3).status == 422)
        #expect(try test.send(.post, Self.path + "?slug=r&strict=true", body: Self.recipe()).status == 400)
        #expect(try test.send(.post, Self.path + "?slug=", body: Self.recipe()).status == 400)
        let several = try test.send(.post, Self.path + "?slug=&strict=true&x=1", body: Self.recipe())
        #expect(several.json["errors"].array?.map { $0["pointer"] } == ["/slug", "/strict", "/x"])
        #expect(try test.send(.post, "/v1/apps/none/recipes/forecast", body: Self.recipe()).status == 404)
        let alias = try test.send(.post, Self.path, body: Self.recipe(["trigger": ["ALWAYS"]])).json
        #expect(alias["warnings"][0]["code"] == "alias")
    }
}
