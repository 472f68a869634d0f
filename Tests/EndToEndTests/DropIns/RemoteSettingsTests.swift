import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Phones that poll Remote Settings (docs/reference/http-api.md#remote-settings).
@Suite struct RemoteSettingsTests {
    private static let collections = "/v1/buckets/main/collections"

    private static func manifest(_ collection: String) -> JSONValue {
        var manifest = TestApp.manifest.object ?? [:]
        manifest["collections"] = [.string(collection)]
        return .object(manifest)
    }

    private static func recipe(_ slug: String, name: String = "N") -> JSONValue {
        [
            "schemaVersion": "1.12.0", "slug": .string(slug), "userFacingName": .string(name),
            "userFacingDescription": "D", "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": ["randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 10_000],
            "branches": [
                [
                    "slug": "control", "ratio": 1,
                    "features": [["featureId": "messaging", "value": ["messages": ["{experiment}": ["text": "t"]]]]],
                ]
            ],
        ]
    }

    private func data(_ daemon: Daemon, _ collection: String, _ query: String = "") throws -> [JSONValue] {
        let answer = try daemon.get("\(Self.collections)/\(collection)/records\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json["data"].array ?? []
    }

    @Test func `A collection follows what is published, and is kept over a restart`() throws {
        var daemon = try Daemon()
        let collection = "c-\(UUID().uuidString.lowercased())"
        #expect(try daemon.get("\(Self.collections)/\(collection)/records").status == 404)
        let app = try TestApp(on: daemon, manifest: Self.manifest(collection))
        let other = try TestApp(on: daemon, manifest: Self.manifest(collection))
        #expect(try data(daemon, collection) == [])
        let batch: JSONValue = ["data": [Self.recipe("e"), Sample.message("bare").with("slug", "bare")]]
        #expect(try daemon.post("\(app.path)/recipes", batch).json["results"].array?.count == 2)
        try other.publish("f", Self.recipe("f"))
        let records = try data(daemon, collection)
        #expect(records.strings("id") == ["f", "e"])
        let known = try #require(records[0]["last_modified"].integer)
        #expect(try daemon.send("DELETE", "\(app.path)/recipes/e").status == 204)
        try other.publish("f", Self.recipe("f", name: "New"))
        let newer = try data(daemon, collection, "?_since=\(known)")
        #expect(newer.strings("id") == ["f", "e"])
        #expect(newer[1]["deleted"] == true && newer[0]["userFacingName"] == "New")
        let tag = try #require(try daemon.get("\(Self.collections)/\(collection)/records").header("ETag"))
        try daemon.kill()
        daemon = try Daemon(data: daemon.data)
        let target = "\(Self.collections)/\(collection)/records"
        #expect(try daemon.get(target, headers: ["If-None-Match": tag]).status == 304)
        #expect(try data(daemon, collection, "?_since=\(known)") == newer)
        let changeset = try daemon.get("\(Self.collections)/\(collection)/changeset?_since=\"\(known)\"&_expected=0")
        #expect(changeset.json["changes"] == .array(newer))
        #expect("\"\(changeset.json["timestamp"].integer ?? 0)\"" == tag)
    }

    @Test func `A pause ends enrollment, an end leaves a tombstone`() throws {
        let collection = "c-\(UUID().uuidString.lowercased())"
        let app = try TestApp(manifest: Self.manifest(collection))
        try app.publish("e", Self.recipe("e"))
        func put(_ state: JSONValue) throws {
            #expect(try app.server.post("\(app.path)/recipes/e/state", ["state": state]).status == 200)
        }
        try put("paused")
        #expect(try data(app.server, collection)[0]["isEnrollmentPaused"] == true)
        try put("live")
        #expect(try data(app.server, collection)[0]["isEnrollmentPaused"] == false)
        try put("ended")
        #expect(try data(app.server, collection) == [])
        #expect(try data(app.server, collection, "?_since=0")[0]["deleted"] == true)
    }

    @Test func `HEAD tells the time and the number`() throws {
        let collection = "c-\(UUID().uuidString.lowercased())"
        let app = try TestApp(manifest: Self.manifest(collection))
        try app.publish("e", Self.recipe("e"))
        let answer = try app.server.send("HEAD", "\(Self.collections)/\(collection)/records")
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.header("Total-Records") == "1" && answer.header("ETag")?.count ?? 0 > 12)
    }

    @Test func `Closed but for clients' tokens, which see their own app`() throws {
        let guarded = try GuardedDaemon()
        for app in ["one", "two"] {
            let put = try guarded.daemon.put(
                "/v1/apps/\(app)/recipes/\(app)", Self.recipe(app), headers: GuardedDaemon.bearer("owner-\(app)"))
            #expect(put.status == 201)
        }
        let target = "\(Self.collections)/nimbus-mobile-experiments/records"
        expectProblem(try guarded.daemon.get(target), 401)
        expectProblem(try guarded.daemon.get("/v1/"), 401)
        expectProblem(try guarded.daemon.get(target, headers: GuardedDaemon.bearer("owner-one")), 403)
        for (token, ids) in ["client-one": ["one"], "client-two": ["two"], "client-all": ["two", "one"]] {
            let answer = try guarded.daemon.get(target, headers: GuardedDaemon.bearer(token))
            #expect(answer.json["data"].strings("id") == ids)
            #expect(answer.header("Cache-Control") == "private, no-cache")
        }
    }

    @Test(.disabled(if: Daemon.isSeveral, "a folder is no part of a shared store"))
    func `Open to all where the setting names it`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("public: [remote_settings]\n", to: "bellwether.yaml")
        _ = try folder.write(Self.manifest("c").text, to: "apps/a/manifest.json")
        _ = try folder.write(Self.recipe("e").text, to: "recipes/a/e.json")
        let daemon = try Daemon([
            "--config", file, "--apps", folder.path + "/apps", "--recipes", folder.path + "/recipes",
        ])
        #expect(try data(daemon, "c").strings("id") == ["e"])
        #expect(try daemon.get("/v1/").status == 200)
        expectProblem(try daemon.get("/v1/apps"), 401)
    }

    @Test func `Every worker tells the same, once a publish is answered`() throws {
        let collection = "c-\(UUID().uuidString.lowercased())"
        let app = try TestApp(manifest: Self.manifest(collection))
        for step in 0..<5 {
            try app.publish("e", Self.recipe("e", name: "\(step)"))
            for _ in 0..<8 {
                #expect(try data(app.server, collection).first?["userFacingName"] == .string("\(step)"))
            }
        }
    }
}

extension JSONValue {
    fileprivate func with(_ key: String, _ value: JSONValue) -> JSONValue {
        .object((object ?? [:]).merging(key, value))
    }
}

extension [JSONValue] {
    fileprivate func strings(_ member: String) -> [String] { JSONValue.array(self).strings(member) }
}
