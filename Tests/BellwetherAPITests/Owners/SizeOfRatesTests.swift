import BellwetherAuthoring
import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// The size of an experiment, from what the app's clients did until now (docs/reference/goals.md#size).
@Suite struct SizeOfRatesTests {
    private static let path = "/v1/apps/app/recipes/size"

    private let world: WorkerUnderTest

    init() throws {
        var settings = APISettings.open
        settings.minimumCell = 5
        world = try WorkerUnderTest(settings: settings)
    }

    /// Each client polls, after a number of purchases 20 days ago and another number two days ago.
    private func fill(_ clients: Int, _ purchases: (Int) -> (before: Int64, now: Int64)) throws {
        func report(_ client: Int, _ count: Int64) throws {
            guard count > 0 else { return }
            let event: JSONValue = ["type": "behavior", "name": "purchase", "count": .integer(count)]
            let body: JSONValue = ["client_id": .string("c\(client)"), "events": [event]]
            #expect(try world.send(.post, "/v1/apps/app/events", body: body).json["accepted"] == 1)
        }
        for client in 0..<clients { try report(client, purchases(client).before) }
        world.pass(seconds: 18 * 86_400)
        for client in 0..<clients { try report(client, purchases(client).now) }
        world.pass(seconds: 2 * 86_400)
        for client in 0..<clients { _ = try world.send(.get, "/v1/apps/app/messages?client_id=c\(client)") }
    }

    private func size(_ members: JSONObject) throws -> RecordedResponse {
        try world.send(.post, Self.path, body: ["size": .object(members)])
    }

    @Test func `The share of clients with the event is the mean`() throws {
        try fill(200) { ($0 < 80 ? 1 : 0, $0 < 40 ? 2 : 0) }
        let answer = try size(["counts": "converted", "event": "purchase", "within_days": 7, "mde": 0.2])
        #expect(answer.status == 200)
        // y is 1 of 40 and x is 1 of 80 clients: r = (0.2 - 0.2 · 0.4) / √(0.2 · 0.8 · 0.4 · 0.6)
        #expect(answer.json["rates"] == ["mean": 0.2, "correlation": 0.61])
        let told = try size(["counts": "converted", "mean": 0.2, "correlation": 0.61, "mde": 0.2])
        #expect(told.json["rates"] == .null && told.json["plan_clients"] == answer.json["plan_clients"])
        let own = try size(["counts": "converted", "event": "purchase", "within_days": 7, "mean": 0.5, "mde": 0.2])
        #expect(own.json["plan_clients"] != answer.json["plan_clients"], "a given mean counts")
        // The earlier purchases are in this window.
        let longer = try size(["counts": "converted", "event": "purchase", "within_days": 28, "mde": 0.2])
        #expect(longer.json["rates"]["mean"] == 0.4)
    }

    @Test func `A sum has a standard deviation, and a cap`() throws {
        try fill(100) { (0, $0 < 50 ? 4 : 0) }
        let answer = try size(["counts": "sum", "event": "purchase", "mde": 0.2])
        #expect(answer.json["rates"] == ["mean": 2.0, "sd": 2.0, "correlation": 0.0])
        let capped = try size(["counts": "sum", "event": "purchase", "cap": 2, "mde": 0.2])
        #expect(capped.json["rates"]["mean"] == 1.0)
    }

    @Test func `The days follow from the clients that polled in a week`() throws {
        try fill(100) { _ in (0, 0) }
        world.pass(seconds: 6 * 86_400)
        for client in 0..<140 { _ = try world.send(.get, "/v1/apps/app/messages?client_id=d\(client)") }
        let event: JSONValue = ["type": "behavior", "name": "purchase"]
        for client in 0..<60 {
            _ = try world.send(
                .post, "/v1/apps/app/events", body: ["client_id": .string("d\(client)"), "events": [event]])
        }
        world.pass(seconds: 86_400)
        for client in 0..<140 { _ = try world.send(.get, "/v1/apps/app/messages?client_id=d\(client)") }
        let request: JSONObject = ["counts": "converted", "event": "purchase", "share": 0.5, "mde": 0.2]
        let answer = try size(request)
        #expect(answer.json["rates"]["mean"] == 0.25)
        #expect(answer.json["rates"]["exposed_per_day"] == 17.0, "240 / 7 / 2")
        let clients = try #require(answer.json["all_clients"].integer)
        #expect(answer.json["days"] == .integer((clients + 16) / 17))
    }

    @Test func `What few clients did is not revealed`() throws {
        try fill(200) { (0, $0 < 4 ? 1 : 0) }
        for event in ["purchase", "never"] {
            let answer = try size(["counts": "converted", "event": .string(event), "mde": 0.2])
            #expect(answer.status == 400)
            #expect(answer.json["errors"].array?.map { $0["pointer"] } == ["/size/event", "/size/mean"])
        }
    }

    @Test func `All faults are told`() throws {
        let answer = try size([
            "counts": "converted", "event": "purchase", "within_days": 29, "share": 0, "cap": 0, "mean": 0.1, "mde": 11,
        ])
        #expect(
            answer.json["errors"].array?.compactMap { $0["pointer"].string }.sorted() == [
                "/size/cap", "/size/mde", "/size/share", "/size/within_days",
            ])
        #expect(GoalRates.rounded(.leastNonzeroMagnitude) == 0)
        let tiny = try size([
            "counts": "converted", "event": "purchase", "share": .number(.leastNonzeroMagnitude), "mean": 0.1,
            "mde": 0.1,
        ])
        #expect(tiny.json["errors"].array?.map { $0["pointer"] } == ["/size/share"])
        let alone = try size(["counts": "converted", "share": 0.5, "mean": 0.1, "mde": 0.1])
        #expect(alone.json["errors"].array?.map { $0["pointer"] } == ["/size/share"])
    }

    @Test func `The agents' tool asks the app, if it gets an event`() throws {
        try fill(200) { (0, $0 < 40 ? 1 : 0) }
        func tool(_ members: JSONObject) throws -> JSONValue {
            var arguments: JSONObject = ["counts": "converted", "mde": 0.2, "app": "app"]
            for (name, value) in members { arguments[name] = value }
            let call: JSONValue = [
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": ["name": "size", "arguments": .object(arguments)],
            ]
            return try world.send(.post, "/mcp", body: call).json["result"]["structuredContent"]
        }
        let asked = try tool(["event": "purchase", "within_days": 7])
        #expect(asked["rates"]["mean"] == 0.2)
        // With a mean the app does not matter.
        let told = try tool(["mean": 0.2, "correlation": asked["rates"]["correlation"]])
        #expect(told["plan_clients"] == asked["plan_clients"] && told["plan_clients"].integer != nil)
    }

    /// The largest counts of fewer than five clients count as the next smaller one.
    @Test func `A cap does not tell the count of a single client`() throws {
        try fill(200) { (0, $0 < 100 ? 2 : $0 == 100 ? 900 : 0) }
        let all = try size(["counts": "sum", "event": "purchase", "mde": 0.2]).json["rates"]
        #expect(all["mean"] == 1.0)
        #expect(try size(["counts": "sum", "event": "purchase", "cap": 899, "mde": 0.2]).json["rates"] == all)
    }

    @Test func `A rate that no size can be computed from is told at the event`() throws {
        try fill(200) { _ in (0, 1) }
        for counts in ["converted", "sum"] {
            let answer = try size(["counts": .string(counts), "event": "purchase", "mde": 0.2])
            let pointers = answer.json["errors"].array?.compactMap { $0["pointer"].string } ?? []
            #expect(answer.status == 400 && pointers.first == "/size/event", "\(pointers)")
        }
    }
}
