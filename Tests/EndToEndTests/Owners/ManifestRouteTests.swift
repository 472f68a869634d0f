import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Manifests over the API (docs/reference/http-api.md#manifest).
@Suite struct ManifestRouteTests {
    private let minimal: JSONValue = ["app_name": "a", "default_locale": "en-US", "surfaces": ["card"]]
    private let target = "/v1/apps/app-\(UUID().uuidString)/manifest"

    @Test func `An app is created, changed, read and taken away`() throws {
        let server = try Servers.shared()
        expectProblem(try server.get(target), 404)
        let created = try server.put(target, minimal)
        #expect(created.status == 201)
        #expect(created.json == ["revision": 1, "warnings": []])
        #expect(try server.put(target, minimal).json["revision"] == 1)
        let changed = try server.put(target, ["app_name": "b", "default_locale": "de", "surfaces": ["card"]])
        #expect(changed.status == 200)
        #expect(changed.json["revision"] == 2)
        let got = try server.get(target)
        #expect(got.json["app_name"] == "b")
        #expect(got.header("ETag") == changed.header("ETag"))
        #expect(try server.get(target, headers: ["If-None-Match": got.header("ETag") ?? ""]).status == 304)
        #expect(try server.send("DELETE", target).status == 204)
        expectProblem(try server.get(target), 404)
        // The new document restarts its revisions; its tag must differ.
        let anew = try server.put(target, minimal)
        #expect(anew.status == 201)
        #expect(anew.header("ETag") != created.header("ETag") || anew.json["revision"] == created.json["revision"])
        let other = try server.put(target, ["app_name": "c", "default_locale": "de", "surfaces": []])
        #expect(try server.get(target, headers: ["If-None-Match": got.header("ETag") ?? ""]).status == 200)
        #expect(other.header("ETag") != changed.header("ETag"))
    }

    /// The app of a token is * for all apps. A token for an app of that name would be valid for all apps.
    @Test(arguments: ["*", "%2A"])
    func `No app is called *`(_ name: String) throws {
        let server = try Servers.shared()
        let refused = try server.put("/v1/apps/\(name)/manifest", minimal)
        expectProblem(refused, 422)
        #expect(refused.json["errors"][0]["code"] == "reserved")
        expectProblem(try server.get("/v1/apps/\(name)/manifest"), 404)
    }

    private static let faults: [(JSONObject, [String])] = [
        ([:], ["/app_name required", "/default_locale required", "/surfaces required"]),
        (
            ["app_name": 1, "default_locale": "!", "surfaces": "card"],
            ["/app_name type", "/default_locale locale", "/surfaces type"]
        ),
        (
            [
                "app_name": "a", "default_locale": "en", "surfaces": [], "dialect": "windows",
                "deep_link_scheme": "a://",
            ],
            ["/dialect choice", "/deep_link_scheme scheme"]
        ),
        (
            ["app_name": "a", "default_locale": "en", "surfaces": [], "attributes": ["x": "date"], "privacy": [:]],
            ["/attributes/x choice", "/privacy/base required", "/privacy/path required", "/privacy/fallback required"]
        ),
        (
            ["app_name": "a", "default_locale": "en", "surfaces": [], "messaging": ["triggers": ["T": "("]]],
            ["/messaging/triggers/T jexl_parse"]
        ),
    ]

    @Test(arguments: faults.indices)
    func `A fault refuses the manifest, and all are named`(_ index: Int) throws {
        let (manifest, expected) = Self.faults[index]
        let server = try Servers.shared()
        let answer = try server.put(target, .object(manifest))
        #expect(Set(places(expectProblem(answer, 422))) == Set(expected))
        expectProblem(try server.get(target), 404)
    }

    @Test func `What becomes malformed by a manifest is a warning, and strict refuses it`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m"))
        var manifest = TestApp.manifest.object ?? [:]
        manifest["messaging"] = ["styles": [:]]
        let strict = try app.server.put("\(app.path)/manifest?strict=true", .object(manifest))
        #expect(places(expectProblem(strict, 422)) == ["/messaging malformed"])
        #expect(try app.keys() == ["m"])
        let taken = try app.server.put("\(app.path)/manifest", .object(manifest))
        #expect(taken.status == 200)
        #expect(places(taken.json["warnings"]) == ["/messaging malformed"])
        #expect(try app.keys() == [])
    }

    @Test func `What a manifest's change takes from live recipes is a warning`() throws {
        let app = try TestApp()
        try app.publish("own", NimbusRecipe.experiment("own", ["t": Sample.message("m")], ["appName": "test_app"]))
        try app.publish("any", Sample.message("n", ["surface": "notification"]))
        #expect(try app.keys() == ["m", "n"])
        var manifest = TestApp.manifest.object ?? [:]
        manifest["app_name"] = "renamed"
        manifest["surfaces"] = ["microsurvey", "card"]
        let strict = try app.server.put("\(app.path)/manifest?strict=true", .object(manifest))
        let told = ["/app_name disqualified", "/surfaces surface_in_use"]
        #expect(places(expectProblem(strict, 422)).sorted() == told)
        #expect(try app.keys() == ["m", "n"])
        let taken = try app.server.put("\(app.path)/manifest", .object(manifest))
        #expect(taken.status == 200 && places(taken.json["warnings"]).sorted() == told)
        #expect(try app.keys() == [])
        #expect(try app.recorded().contains("nimbus_events.disqualification"))
        #expect(try app.server.put("\(app.path)/manifest", .object(manifest)).json["warnings"] == [])
    }

    @Test func `The list of apps tells what each has`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m"))
        try app.publish("s", Sample.message("bad", ["style": "NOPE"]))
        _ = try app.server.put("\(app.path)/strings/de", ["T": ["a": "b"]])
        let apps = try app.server.get("/v1/apps").json["apps"].array ?? []
        let names = apps.map { $0["app"].string ?? "" }
        #expect(names == names.sorted())
        let mine = try #require(apps.first { $0["app"].string == app.name })
        #expect(mine["app_name"] == "test_app")
        #expect(mine["default_locale"] == "en-US")
        #expect(mine["recipes"] == 2)
        #expect(mine["locales"] == ["de"])
        #expect(mine["malformed"] == ["bad"])
        #expect(mine["read_only"] == false)
    }

    @Test func `An app's own messages are offered, and a recipe patches one`() throws {
        var manifest = TestApp.manifest.object ?? [:]
        var messaging = manifest["messaging"]?.object ?? [:]
        messaging["messages"] = ["evergreen": ["surface": "card", "text": "Old", "title": "Kept"]]
        manifest["messaging"] = .object(messaging)
        let app = try TestApp(manifest: .object(manifest))
        #expect(try app.poll().json["messages"][0]["text"] == "Old")
        try app.publish("patch", ["messages": ["evergreen": ["text": "New"]]])
        let message = try app.poll().json["messages"][0]
        #expect(message["text"] == "New")
        #expect(message["title"] == "Kept")
        try app.publish("patch", ["messages": ["evergreen": nil]])
        #expect(try app.keys() == [])
    }

    @Test func `The Android dialect has its own spelling and defaults`() throws {
        var manifest = TestApp.manifest.object ?? [:]
        manifest["dialect"] = "android"
        let app = try TestApp(manifest: .object(manifest))
        try app.publish(
            "r", Sample.message("m", ["exclude-if-any": ["NEVER"], "trigger-if-all": []]))
        #expect(try app.poll().json["messages"][0]["action"]["name"] == "OPEN_URL")
        let blank = try app.publish("s", Sample.message("blank", ["text": " "]))
        #expect(places(blank.json["warnings"]) == ["/messages/blank/text empty_text"])
        let bare = try app.publish("t", Sample.message("bare", ["action": "https://example.org"]))
        #expect(places(bare.json["warnings"]) == ["/messages/bare/action unknown_action"])
    }
}
