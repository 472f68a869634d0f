import BellwetherJSON
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// Flags through the protocol of OpenFeature's clients (docs/reference/features.md#openfeature).
@Suite struct FlagRouteTests {
    @Test(
        arguments: [
            ("checkout.label", #""Buy""#), ("checkout.rate", "1.0"), ("checkout.express", "false"),
            ("checkout.layout", #"{"columns":2}"#),
        ])
    func `A default has its type`(_ key: String, _ value: String) throws {
        let answer = try FlagWorld(recipes: [:]).ask(key)
        #expect(answer.status == 200 && answer.headers.contains("Content-Type: application/json\r\n"))
        let text = #"{"key":"\#(key)","value":\#(value),"reason":"STATIC","variant":"default"}"#
        #expect(String(decoding: answer.body, as: UTF8.self) == text)
    }

    @Test func `Recipes give value, reason, variant, and what an exposure has to name`() throws {
        let world = try FlagWorld()
        #expect(
            try world.ask("search.fuzzy").json == [
                "key": "search.fuzzy", "value": true, "reason": "TARGETING_MATCH", "variant": "on",
                "metadata": ["experiment": "fuzzy", "feature_id": "search"],
            ])
        let steps = try world.ask("checkout.steps").json
        #expect(steps["reason"] == "SPLIT" && steps["metadata"]["experiment"] == "steps")
        #expect(steps["variant"] == (steps["value"] == 1 ? "one" : "two"))
        let all = try world.ask("checkout").json
        #expect(all["value"]["steps"] == steps["value"] && all["value"]["label"] == "Buy")
    }

    @Test func `A flag that nothing sets has no value`() throws {
        let answer = try FlagWorld().ask("checkout.hint")
        #expect(answer.status == 200)
        #expect(answer.json == ["key": "checkout.hint", "reason": "STATIC", "variant": "default"])
    }

    @Test func `The bulk answer has every flag, as each alone`() throws {
        let world = try FlagWorld()
        let bulk = try world.ask()
        #expect(bulk.status == 200 && bulk.headers.contains("Content-Type: application/json\r\n"))
        let flags = try #require(bulk.json["flags"].array)
        #expect(
            flags.compactMap { $0["key"].string } == [
                "checkout", "checkout.steps", "checkout.label", "checkout.rate", "checkout.express", "checkout.layout",
                "checkout.hint", "search", "search.fuzzy", "seen", "seen.on",
            ])
        for flag in flags { #expect(try world.ask(flag["key"].string ?? "?").json == flag) }
        let below = try world.worker.send(
            .post, "/v1/apps/app" + FlagWorld.path, headers: FlagWorld.bearer("any"),
            body: ["context": ["targetingKey": "c"]])
        #expect(below.json["flags"] == bulk.json["flags"])
    }

    @Test func `The entity tag is the answer's: 304 for the same flags, whoever asks`() throws {
        let world = try FlagWorld(recipes: ["steps": FlagWorld.recipes["steps"] ?? .null])
        let first = try world.ask()
        let tag = try #require(first.headers.firstMatch(of: /ETag: ("[^"]+")/)).output.1
        let known = FlagWorld.bearer("mine") + [("If-None-Match", String(tag))]
        for _ in 0..<3 {
            let again = try world.ask(headers: known)
            #expect(again.status == 304 && again.body.isEmpty && again.headers.contains("ETag: \(tag)"))
        }
        // A provider keeps its entity tag when its context changes.
        var statuses: Set<Int> = []
        for number in 0..<20 {
            let other = try world.ask(client: .string("c\(number)"), headers: known)
            let flags = try world.ask(client: .string("c\(number)")).json["flags"]
            #expect((other.status == 304) == (flags == first.json["flags"]))
            statuses.insert(other.status)
        }
        #expect(statuses == [200, 304])
        #expect(try world.ask("checkout", headers: known).status == 200, "a single flag has no tag")
    }

    @Test func `What is asked again is answered from memory, without the store`() throws {
        let world = try FlagWorld()
        let first = try world.ask(context: ["plan": "pro", "unknown": 1])
        world.worker.store.fail(.unavailable("told to"))
        for _ in 0..<3 { #expect(try world.ask(context: ["plan": "pro", "unknown": 1]).body == first.body) }
        #expect(try world.ask(client: "new").status == 503)
        #expect(try world.ask(client: "new").json["errorCode"] == "GENERAL")
        world.worker.store.fail(nil)
        #expect(try world.ask(client: "new").status == 200)
    }

    @Test func `Another context is another question`() throws {
        let recipe = FlagWorld.recipe(
            "t", feature: "search", ["on": ["fuzzy": true]], ["targeting": "plan == 'pro' && seats > 1"])
        let world = try FlagWorld(recipes: ["t": recipe])
        for _ in 0..<2 {
            #expect(
                try world.ask("search.fuzzy", client: "a", context: ["plan": "pro", "seats": 2]).json["value"] == true)
            #expect(
                try world.ask("search.fuzzy", client: "b", context: ["plan": "pro", "seats": 1]).json["value"] == false)
            #expect(try world.ask("search.fuzzy", client: "b").json["value"] == false)
        }
    }

    @Test func `A publish is seen at once`() throws {
        let world = try FlagWorld()
        #expect(try world.ask("search.fuzzy").json["value"] == true)
        let other = try FlagWorld(recipes: [:])
        world.worker.serve(other.worker.worker.snapshot)
        #expect(try world.ask("search.fuzzy").json["value"] == false)
    }

    @Test func `An enrollment is recorded, an exposure only where the feature asks for it`() throws {
        let world = try FlagWorld()
        func names() throws -> [String] {
            let lines = try world.worker.send(
                .get, "/v1/apps/app/telemetry", headers: FlagWorld.bearer("pipeline")
            ).body.split(separator: UInt8(ascii: "\n"))
            return try lines.map {
                let record = try JSONValue(parsing: Array($0))
                return "\(record["name"].string ?? "") \(record["experiment"].string ?? "")"
            }
        }
        _ = try world.ask("checkout.steps")
        #expect(try names() == ["enrollment fuzzy", "enrollment seen", "enrollment steps"])
        for _ in 0..<3 { _ = try world.ask("seen.on") }
        for _ in 0..<3 { _ = try world.ask() }
        #expect(try names().dropFirst(3) == ["exposure seen"])
    }

    @Test func `A client that is not in memory is read`() throws {
        let world = try FlagWorld(heldClients: 1)
        var first: [String: [UInt8]] = [:]
        for turn in 0..<3 {
            for number in 0..<10 {
                let answer = try world.ask(client: .string("c\(number)"))
                #expect(answer.status == 200)
                if turn == 0 { first["c\(number)"] = answer.body }
                #expect(answer.body == first["c\(number)"])
            }
        }
    }
}
