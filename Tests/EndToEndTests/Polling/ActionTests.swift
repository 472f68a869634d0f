import BellwetherJSON
import TestSupport
import Testing

/// The URL that an action opens (docs/reference/messaging.md#action-urls).
@Suite struct ActionTests {
    private func action(_ fields: JSONObject, query: String = "") throws -> JSONValue {
        let app = try TestApp()
        try app.publish("x", Sample.message("m", fields))
        return try app.poll("c", "&surface=card" + query).json["messages"][0]["action"]
    }

    @Test func `A named action gets the app's scheme and its parameters`() throws {
        let action = try action(
            [
                "action": "OPEN", "action-params": ["url": "https://example.com?a=1&b={plan}", "app": "{experiment}"],
            ], query: "&plan=pro")
        #expect(
            action == [
                "name": "OPEN", "url": "testfox://open-url?app=x&url=https://example.com?a%3D1%26b%3Dpro",
            ])
    }

    @Test func `A URL of its own has no name; the name of an attribute that is not there stays, encoded`() throws {
        let action = try action(["action": "https://example.org/{plan}/{age}"], query: "&age=7")
        #expect(action == ["name": nil, "url": "https://example.org/%7Bplan%7D/7"])
    }

    @Test func `A uuid is stable until the next display, and differs between clients`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m", ["action": "https://example.org/?id={uuid}"]))
        func action(_ client: String) throws -> JSONValue {
            try app.poll(client).json["messages"][0]["action"]
        }
        let first = try action("c")
        let uuid = try #require(first["uuid"].string)
        #expect(uuid.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(first["url"].string == "https://example.org/?id=\(uuid)")
        #expect(try action("c") == first)
        #expect(try action("d") != first)
        try app.record("c", Event.message("displayed", "m"))
        #expect(try action("c") != first)
    }

    @Test func `Percent signs in texts survive; the app's name is put in`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m", ["text": "50% off %@, %1$@ only", "title": "100%"]))
        let message = try app.poll().json["messages"][0]
        #expect(message["text"] == "50% off Testfox, Testfox only")
        #expect(message["title"] == "100%")
    }
}
