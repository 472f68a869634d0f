import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The log as Glean's `events` pings (docs/reference/http-api.md#formats).
@Suite struct GleanTests {
    private func pings(_ app: TestApp, _ query: String = "") throws -> [JSONValue] {
        let answer = try app.server.get("\(app.path)/telemetry?format=glean\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.header("Content-Type") == "application/x-ndjson")
        return answer.lines
    }

    /// The category and name of each event.
    private func names(_ ping: JSONValue) -> [String] {
        (ping["events"].array ?? []).map { "\($0["category"].string ?? "?").\($0["name"].string ?? "?")" }
    }

    @Test func `A client's displays and its answer are one ping`() throws {
        var manifest = TestApp.manifest.object ?? [:]
        manifest["channel"] = "nightly"
        let app = try TestApp(manifest: .object(manifest))
        let client = "5f0c1a52-7f4e-4c0e-9d3c-0d7a3c1f0b11"
        try app.publish("asked", Sample.survey())
        try app.record(client, Event.message("displayed", "survey"))
        #expect(try app.respond(client, "survey", "2", ["locale": "de"]).status == 201)
        let pings = try pings(app)
        #expect(pings.count == 1)
        let ping = try #require(pings.first)
        #expect(try names(ping) == app.recorded())
        #expect(
            names(ping) == [
                "nimbus_events.exposure", "messaging.shown", "messaging.dismissed",
                "microsurvey.submit_button_tapped", "microsurvey.confirmation_shown",
            ])
        #expect(
            ping["events"][3]["extra"] == [
                "survey_id": "survey", "user_selection": "Perhaps", "option_index": "2",
                "option_string_id": "Perhaps", "locale": "de", "revision": "1",
            ])
        #expect(ping["ping_info"]["experiments"] == ["asked": ["branch": "rollout"]])
        let information = ping["client_info"]
        #expect(information["client_id"] == .string(client))
        #expect(information["app_channel"] == "nightly" && information["locale"] == "de")
    }

    @Test func `Older events come first, and times are relative to them`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        let twoDaysAgo = Date.now.addingTimeInterval(-2 * 86_400).ISO8601Format()
        let minute = twoDaysAgo.prefix(17)
        try app.record("c", Event.message("displayed", "m", ["at": .string("\(minute)05.250Z")]))
        try app.record("c", Event.message("clicked", "m", ["at": .string("\(minute)05Z")]))
        let ping = try #require(try pings(app).first)
        #expect(names(ping) == ["messaging.clicked", "messaging.shown"])
        #expect(ping["events"][0]["timestamp"] == 0 && ping["events"][1]["timestamp"] == 250)
        #expect(ping["ping_info"]["start_time"] == .string("\(minute.dropLast())+00:00"))
    }

    @Test func `Pages of both formats hold the same records`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        for index in 0..<7 { try app.record("c\(index % 3)", Event.message("displayed", "m")) }
        var cursor = ""
        var counts: [Int] = []
        while true {
            let records = try app.server.get("\(app.path)/telemetry?after=\(cursor)&limit=3")
            let answer = try app.server.get("\(app.path)/telemetry?after=\(cursor)&limit=3&format=glean")
            let next = try #require(answer.header("Bellwether-Next"))
            #expect(next == records.header("Bellwether-Next"))
            #expect(answer.lines.map { names($0).count }.reduce(0, +) == records.lines.count)
            if next == cursor { break }
            counts.append(records.lines.count)
            cursor = next
        }
        #expect(counts == [3, 3, 1])
    }

    @Test func `An empty log is an empty body`() throws {
        let app = try TestApp()
        #expect(try pings(app).isEmpty)
        #expect(try pings(app, "&wait=0&limit=1&after=").isEmpty)
    }
}
