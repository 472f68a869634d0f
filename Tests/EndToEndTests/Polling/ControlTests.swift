import BellwetherJSON
import TestSupport
import Testing

/// Controls and malformed messages: the only things that a poll itself records (docs/reference/http-api.md#the-poll,
/// docs/reference/messaging.md#controls).
@Suite struct ControlTests {
    private func recipe(onControl: String, controls: Int = 1, styled style: String = "TWICE") -> JSONValue {
        var messages: JSONObject = [:]
        for index in 0..<controls {
            messages["control-\(index)"] = [
                "is-control": true, "experiment": "{experiment}", "surface": "card", "style": .string(style),
            ]
        }
        messages["treatment"] = ["surface": "card", "style": "MANY", "text": "Hello"]
        return ["on-control": .string(onControl), "messages": .object(messages)]
    }

    @Test func `show-next-message counts every control it passes`() throws {
        let app = try TestApp()
        try app.publish("x", recipe(onControl: "show-next-message", controls: 2))
        #expect(try app.keys("c", "&surface=card") == ["treatment"])
        #expect(try app.recorded() == ["nimbus_events.exposure", "nimbus_events.exposure"])
        #expect(try app.telemetry().allSatisfy { $0["extra"]["experiment"] == "x" && $0["branch"] == "rollout" })
        // The second display of each is its last, and the expiry is recorded.
        #expect(try app.keys("c", "&surface=card") == ["treatment"])
        #expect(try app.recorded().filter { $0 == "messaging.expired" }.count == 2)
        #expect(try app.recorded().contains("messaging.shown") == false)
        // Expired controls are skipped, and nothing more is recorded.
        let before = try app.recorded().count
        #expect(try app.keys("c", "&surface=card") == ["treatment"])
        #expect(try app.recorded().count == before)
    }

    @Test func `show-none blocks the surface until the control has expired`() throws {
        let app = try TestApp()
        try app.publish("x", recipe(onControl: "show-none"))
        #expect(try app.keys("c", "&surface=card") == [])
        #expect(try app.keys("c", "&surface=card") == [])
        #expect(try app.keys("c", "&surface=card") == ["treatment"])
        #expect(
            try app.recorded() == ["nimbus_events.exposure", "nimbus_events.exposure", "messaging.expired"])
    }

    @Test func `A control is not shown twice to a client that polls on two connections at once`() throws {
        let app = try TestApp()
        try app.publish("x", recipe(onControl: "show-none", styled: "ONCE"))
        let connections = try (0..<8).map { _ in try app.server.connect() }
        for connection in connections { try connection.send("GET", "\(app.path)/messages?client_id=c&surface=card") }
        let answers = try connections.map { try $0.receive().json["messages"].strings("key") }
        #expect(answers.filter { $0.isEmpty }.count == 1)
        #expect(answers.filter { $0 == ["treatment"] }.count == 7)
        #expect(try app.recorded() == ["nimbus_events.exposure", "messaging.expired"])
    }

    @Test func `A control that names no experiment is malformed, and counted all the same`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("lost", ["is-control": true, "style": "ONCE"]))
        #expect(try app.keys("c", "&surface=card") == [])
        #expect(
            try app.recorded() == ["messaging.malformed", "nimbus_events.malformed_feature", "messaging.expired"])
    }

    @Test func `Malformed messages are reported once per client and catalog`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("bad", ["style": "NO_SUCH_STYLE"]))
        try app.publish("y", Sample.message("good"))
        for _ in 0..<3 { #expect(try app.keys("c") == ["good"]) }
        #expect(try app.recorded() == ["messaging.malformed", "nimbus_events.malformed_feature"])
        let records = try app.telemetry()
        #expect(records[0]["extra"] == ["message_key": "bad", "message_surface": "card"])
        #expect(records[1]["extra"]["feature_id"] == "messaging")
        #expect(records[1]["extra"]["part_id"] == "bad")
        _ = try app.keys("d")
        #expect(try app.recorded().count == 4)
        try app.publish("y", Sample.message("good", ["text": "Better"]))
        _ = try app.keys("c")
        #expect(try app.recorded().count == 6)
    }
}
