import BellwetherJSON
import TestSupport
import Testing

/// Forecasts on a running daemon: the sample comes from all its workers.
@Suite struct ForecastTests {
    private static func recipe(_ trigger: String) -> JSONValue {
        [
            "messages": ["f": ["surface": "card", "text": "Hello", "trigger-if-all": ["T"]]],
            "triggers": ["T": .string(trigger)],
        ]
    }

    @Test(.disabled(if: Daemon.isSeveral, "each node samples the polls that it answers"))
    func pollsOfAllWorkersAreSampled() throws {
        let app = try TestApp()
        try app.publish("other", Sample.message("zz", ["style": "MANY"]))
        for client in 0..<40 {
            #expect(try app.poll("c\(client)", "&plan=\(client < 10 ? "pro" : "free")&locale=de").status == 200)
        }
        let path = "\(app.path)/recipes/forecast"
        let forecast = try app.server.post(path, Self.recipe("plan == 'pro'")).json
        #expect(forecast["sample"]["contexts"] == 40)
        #expect(forecast["eligible"]["low"] == 0.25)
        #expect(forecast["eligible"]["high"] == 0.25)
        #expect(forecast["surfaces"][0]["locales"][0]["locale"] == "de")
        #expect(forecast["messages"][0]["displaces"][0]["message"] == "zz")
        let visited = try app.server.post(path, Self.recipe("'visit'|eventSum('Days', 7, 0) > 0 && plan == 'pro'"))
        #expect(visited.json["eligible"]["high"] == 0.0, "counters are known")
        let unknown = try app.server.post(path, Self.recipe("'other' in enrollments && plan == 'pro'"))
        #expect(unknown.json["eligible"]["low"] == 0.0)
        #expect(unknown.json["eligible"]["high"] == 0.25)
        #expect(try app.keys("c1") == ["zz"])
        expectProblem(try app.server.get("\(app.path)/recipes/f"), 404)
    }

    /// A forecast for a person's attributes must be the same, whether such a person polled or not.
    @Test(.disabled(if: Daemon.isSeveral, "each node samples the polls that it answers"))
    func aSinglePersonIsNotToldFromNobody() throws {
        let app = try TestApp(on: try Daemon(environment: ["BELLWETHER_RESULTS_MINIMUM_CELL": "5"]))
        for client in 0..<40 {
            let (plan, age) = client == 0 ? ("staff", 63) : ("pro", 30)
            #expect(try app.poll("c\(client)", "&plan=\(plan)&age=\(age)&locale=de").status == 200)
        }
        func answer(_ targeting: String) throws -> JSONValue {
            let recipe = NimbusRecipe.experiment(
                "e", ["a": Sample.message("f")], ["targeting": .string(targeting)])
            return try app.server.post("\(app.path)/recipes/forecast", recipe).json
        }
        let there = try answer("plan == 'staff' && age >= 63 && age < 64")
        #expect(try there == answer("plan == 'staff' && age >= 64 && age < 65"))
        #expect(there["targeted"] == ["low": nil, "high": nil, "interval": [0.0, 0.24], "withheld": true])
        let others = try answer("plan != 'staff'")
        #expect(try others == answer("plan != 'nobody'"))
        #expect(others["targeted"]["low"] == .null && others["targeted"]["interval"] == [0.76, 1.0])
    }

    @Test func aRestartBeginsAnew() throws {
        let data = try TemporaryDirectory()
        let first = try TestApp(on: try Daemon(data: data))
        _ = try first.poll()
        first.server.signal(15)
        _ = try first.server.wait()
        let again = TestApp(on: try Daemon(data: data), named: first.name)
        let forecast = try again.server.post("\(again.path)/recipes/forecast", Self.recipe("true")).json
        #expect(forecast["sample"] == ["contexts": 0, "since": nil, "capacity": 10_000])
        #expect(forecast["eligible"] == .null)
    }

    @Test func ownersAloneAsk() throws {
        let guarded = try GuardedDaemon()
        let answer = try guarded.daemon.post(
            "/v1/apps/one/recipes/forecast", Self.recipe("true"), headers: GuardedDaemon.bearer("client-one"))
        expectProblem(answer, 403)
    }
}
