import BellwetherJSON
import TestSupport
import Testing

/// Features for services that use the API of Cirrus (docs/reference/http-api.md#cirrus), with the real curl.
@Suite struct CirrusTests {
    private static func manifest(_ id: String) -> JSONValue {
        [
            "app_name": "web", "app_id": .string(id), "channel": "release", "default_locale": "en-US",
            "surfaces": ["card"],
        ]
    }

    private static func recipe(
        _ slug: String, feature: String, value: JSONValue, rollout: Bool = false, targeting: String = "true"
    ) -> JSONValue {
        [
            "schemaVersion": "1.12.0", "slug": .string(slug), "appName": "web", "channel": "release",
            "userFacingName": "n", "userFacingDescription": "d", "isEnrollmentPaused": false,
            "isRollout": .bool(rollout), "proposedEnrollment": 7, "targeting": .string(targeting),
            "bucketConfig": [
                "randomizationUnit": "user_id", "namespace": .string(slug), "start": 0, "count": 10_000,
                "total": 10_000,
            ],
            "branches": [
                ["slug": "on", "ratio": 1, "features": [["featureId": .string(feature), "value": value]]]
            ],
        ]
    }

    /// Calls curl as in the documentation of Cirrus: `curl -X POST URL -H 'Content-Type: application/json' -d BODY`.
    private func curl(
        _ daemon: Daemon, _ path: String, _ body: String, _ more: String...
    ) throws -> (status: Int, type: String, body: JSONValue) {
        let url = "http://127.0.0.1:\(daemon.port)\(path)"
        let result = try Command.run(
            [
                "curl", "-s", "-S", "-X", "POST", url, "-H", "Content-Type: application/json", "-d", body, "-w",
                "\n%{http_code} %{content_type}",
            ] + more)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        let words = (lines.last ?? "").split(separator: " ")
        let text = lines.dropLast().joined(separator: "\n")
        return (
            Int(words.first ?? "") ?? 0, String(words.last ?? ""), (try? JSONValue(parsing: text)) ?? .string(text)
        )
    }

    private func question(_ appID: String, _ more: JSONObject = [:]) -> String {
        var context: JSONObject = ["app_id": .string(appID)]
        for (key, value) in more { context[key] = value }
        return JSONValue.object(["client_id": "me", "context": .object(context)]).text
    }

    @Test func `A service gets features and enrollments of a published app`() throws {
        let app = try TestApp(manifest: Self.manifest("shop"))
        try app.publish("bare", Sample.message("m", ["text": "of {experiment}"]))
        try app.publish("r", Self.recipe("r", feature: "banner", value: ["text": "Sale", "ink": "red"], rollout: true))
        try app.publish(
            "e", Self.recipe("e", feature: "banner", value: ["text": "{experiment}"], targeting: "plan == 'paid'"))
        let free = try curl(app.server, "/v1/features/", question(app.name))
        #expect(free.status == 200 && free.type == "application/json")
        #expect(free.body["banner"] == ["text": "Sale", "ink": "red"])
        #expect(free.body["messaging"]["messages"]["m"]["text"] == "of bare")
        let paid = try curl(app.server, "/v2/features", question(app.name, ["plan": "paid"]))
        #expect(paid.body["Features"]["banner"] == ["text": "e", "ink": "red"])
        #expect(paid.body["Enrollments"].strings("experiment") == ["bare", "r", "e"])
        #expect(paid.body["Enrollments"].strings("branch") == ["rollout", "on", "on"])
        #expect(paid.body["Enrollments"].strings("app_id") == ["shop", "shop", "shop"])
        #expect(try app.telemetry().isEmpty)
    }

    @Test func `A publish and a deletion are seen at once`() throws {
        let app = try TestApp(manifest: Self.manifest("pausing"))
        try app.publish("e", Self.recipe("e", feature: "f", value: ["n": 1]))
        let body = question(app.name)
        #expect(try curl(app.server, "/v1/features/", body).body == ["f": ["n": 1]])
        try app.publish("e", Self.recipe("e", feature: "f", value: ["n": 2]))
        #expect(try curl(app.server, "/v1/features/", body).body == ["f": ["n": 2]])
        _ = try app.server.send("DELETE", "\(app.path)/recipes/e")
        #expect(try curl(app.server, "/v1/features/", body).body == [:])
    }

    @Test func `Refusals are Cirrus'`() throws {
        let daemon = try Servers.shared()
        let empty = try curl(daemon, "/v1/features/", #"{"client_id": "", "context": {}}"#)
        #expect(empty.status == 400 && empty.type == "application/json")
        #expect(empty.body == ["detail": "Client ID value is missing or empty"])
        let preview = try curl(daemon, "/v1/features/?nimbus_preview=true", question("x"))
        #expect(preview.status == 400)
        #expect(preview.body == ["detail": "This Cirrus doesn’t support preview mode"])
        let missing = try curl(daemon, "/v2/features/", #"{"client_id": "me"}"#)
        #expect(missing.status == 422)
        #expect(
            missing.body == [
                "detail": [
                    [
                        "type": "missing", "loc": ["body", "context"], "msg": "Field required",
                        "input": ["client_id": "me"],
                    ]
                ]
            ])
    }

    @Test func `Hostile contexts do not bring it down`() throws {
        let app = try TestApp(manifest: Self.manifest("hostile"))
        try app.publish(
            "e", Self.recipe("e", feature: "f", value: [:], targeting: "'x' in items || a.b.c[.d == 1][0] == language"))
        let connection = try app.server.connect()
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var context: JSONObject = ["app_id": .string(app.name)]
            for key in ["items", "a", "locale", "language", "channel", "app_name", "is_already_enrolled"] {
                context[key] = RandomJSON.value(using: &generator)
            }
            let body: JSONValue = [
                "client_id": .string("c" + RandomJSON.string(using: &generator)), "context": .object(context),
            ]
            try connection.send(
                "POST", "/v2/features/", headers: ["Content-Type": "application/json"], body: body.encoded)
            let answer = try connection.receive(isHead: false)
            #expect(answer.status == 200, "\(body.text)")
            #expect(answer.json["Enrollments"].array != nil)
        }
        let items = JSONValue.array(Array(repeating: 0, count: 300_000))
        let large = try app.server.post(
            "/v1/features/", ["client_id": "c", "context": ["app_id": .string(app.name), "items": items]])
        #expect(large.status == 200 && large.json == [:])
        let tooLarge = try app.server.send(
            "POST", "/v1/features/", body: [UInt8](repeating: UInt8(ascii: " "), count: 1 << 21))
        #expect(tooLarge.status == 413)
        #expect(try app.server.get("/__heartbeat__").json["status"] == "ok")
    }
}
