import BellwetherJSON
import TestSupport
import Testing

/// `publish.require_approval`: a document by one person is published by another.
@Suite struct ApprovalTests {
    private let folder: TemporaryDirectory
    private let file: String
    private let daemon: Daemon
    private let ann = GuardedDaemon.bearer("ann")
    private let bob = GuardedDaemon.bearer("bob")
    private let app = "/v1/apps/a"

    init() throws {
        folder = try TemporaryDirectory()
        let tokens = try ["ann", "bob"].map { "  - \($0):admin:*:\(try GuardedDaemon.digest($0))\n" }.joined()
        file = try folder.write("publish: {require_approval: true}\ntokens:\n" + tokens, to: "c.yaml")
        daemon = try Daemon(["--config", file])
        let made = try daemon.put(app + "/manifest", TestApp.manifest, headers: ann)
        guard made.status == 201, made.json["state"] == "live" else { throw Failure("no app: \(made.text)") }
        _ = try write("recipes/r", Sample.message("m", ["text": "T/hello"]))
        guard try approve("recipes/r", bob, 1).json["state"] == "live" else { throw Failure("it is not live") }
    }

    private func write(_ name: String, _ document: JSONValue, _ headers: [String: String] = [:]) throws -> HTTPResponse
    {
        try daemon.put("\(app)/\(name)", document, headers: ann.merging(headers) { $1 })
    }

    private func approve(_ name: String, _ who: [String: String], _ revision: Int64? = nil) throws -> HTTPResponse {
        var body: JSONObject = ["state": "live"]
        body["revision"] = revision.map(JSONValue.integer)
        return try daemon.post("\(app)/\(name)/state", .object(body), headers: who)
    }

    /// The texts that a client is shown.
    private func texts(_ daemon: Daemon? = nil) throws -> [String?] {
        let messages = try (daemon ?? self.daemon).get("\(app)/messages?client_id=c&locale=en-US", headers: bob)
        return messages.json["messages"].array?.map { $0["text"].string } ?? []
    }

    @Test func `A second person approves what the first one wrote`() throws {
        let written = try write("recipes/s", Sample.message("n"))
        #expect(written.status == 201 && written.json["state"] == "draft")
        let refused = try approve("recipes/s", ann)
        #expect(expectProblem(refused, 403).map { $0["code"] } == ["own_revision"])
        let unnamed = try approve("recipes/s", bob)
        #expect(expectProblem(unnamed, 422).map { $0["code"] } == ["required"])
        #expect(unnamed.json["errors"][0]["pointer"] == "/revision")
        #expect(try approve("recipes/s", bob, 1).json["state"] == "live")
        let back = try daemon.post("\(app)/recipes/s/rollback", ["revision": 1], headers: ann)
        #expect(back.json["state"] == "live", "no change")
    }

    @Test func `Strings are drafts until another token puts them live`() throws {
        let name = "strings/en-US"
        let draft = try write(name, ["T": ["hello": "Hello"]])
        #expect(draft.status == 201 && draft.json == ["revision": 1, "state": "draft", "warnings": []])
        #expect(try texts() == ["T/hello"])
        expectProblem(try approve(name, ann), 403)
        expectProblem(try approve(name, bob), 422)
        let live = try approve(name, bob, 1)
        #expect(live.status == 200 && live.json == ["revision": 1, "state": "live", "warnings": []])
        #expect(try texts() == ["Hello"])
        #expect(live.header("ETag") != draft.header("ETag"))
        expectProblem(try write(name, ["T": ["hello": "X"]], ["If-Match": draft.header("ETag") ?? ""]), 412)
        #expect(try write(name, ["T": ["hello": "Servus"]]).json["revision"] == 2)
        #expect(try texts() == ["Hello"])
        #expect(try daemon.send("DELETE", "\(app)/\(name)", headers: ann).status == 204)
        #expect(try texts() == ["T/hello"])
        expectProblem(try approve(name, bob), 404)
    }

    @Test func `A manifest is a draft until another token puts it live, also after a restart`() throws {
        var manifest = TestApp.manifest.object ?? [:]
        manifest["messaging"] = ["styles": ["MANY": ["priority": 40, "max-display-count": 0]]]
        let draft = try write("manifest", .object(manifest))
        #expect(draft.status == 200 && draft.json["state"] == "draft" && draft.json["revision"] == 2)
        #expect(try texts() == ["T/hello"])
        let newest = try daemon.get("\(app)/manifest", headers: bob)
        #expect(newest.json == .object(manifest) && newest.header("ETag") == draft.header("ETag"))
        #expect(try daemon.get("\(app)/manifest?state=draft", headers: bob).json == .object(manifest))
        #expect(try daemon.get("\(app)/manifest?state=live", headers: bob).json == TestApp.manifest)
        expectProblem(try daemon.get("\(app)/manifest?state=x", headers: bob), 400)
        #expect(try daemon.get("\(app)/bundle", headers: bob).json["manifest"] == TestApp.manifest)
        let listed = try daemon.get("/v1/apps", headers: bob).json["apps"][0]
        #expect(listed["draft_revision"] == 2 && listed["draft_locales"] == [])
        try daemon.kill()
        let next = try Daemon(["--config", file], data: daemon.data)
        #expect(try texts(next) == ["T/hello"])
        let state = "\(app)/manifest/state"
        expectProblem(try next.post(state, ["state": "live"], headers: ann), 403)
        expectProblem(try next.post(state, ["state": "paused"], headers: bob), 400)
        expectProblem(try next.post(state, ["state": "live"], headers: bob), 422)
        #expect(try next.post(state, ["state": "live", "revision": 2], headers: bob).json["state"] == "live")
        #expect(try texts(next) == [])
        #expect(try next.get("\(app)/manifest?state=live", headers: bob).json == .object(manifest))
        expectProblem(try next.get("\(app)/manifest?state=draft", headers: bob), 404)
        let records = try next.get("/v1/audit?after=3", headers: bob).lines
        #expect(records.map { $0["by"] } == ["ann", "bob"])
        #expect(records.map { $0["action"] } == ["change", "state"])
        #expect(records.map { $0["state"] } == ["draft", "live"] && records.map { $0["revision"] } == [2, 2])
        #expect(records[1]["in_force"] == 2 && records[1]["previous_in_force"] == 1)
        #expect(records[1]["before"] == records[0]["after"] && records[1]["after"] == records[0]["after"])
    }

    @Test func `An approved revision that was paused is resumed by its author, a draft beside it is not`() throws {
        func set(_ state: String, _ who: [String: String]) throws -> HTTPResponse {
            try daemon.post("\(app)/recipes/r/state", ["state": .string(state)], headers: who)
        }
        #expect(try set("paused", ann).status == 200)
        #expect(try set("live", ann).json == ["revision": 1, "state": "live", "warnings": []])
        #expect(try texts() == ["T/hello"])
        _ = try write("recipes/r", Sample.message("m", ["text": "New"]))
        expectProblem(try set("live", ann), 403)
        #expect(try set("paused", ann).status == 200)
        #expect(try set("live", ann).json == ["revision": 1, "state": "live", "warnings": []])
        #expect(try texts() == ["T/hello"])
        #expect(try set("paused", bob).status == 200)
        #expect(try set("live", bob).json["revision"] == 1, "to resume is no approval")
        #expect(try texts() == ["T/hello"])
        #expect(try approve("recipes/r", bob, 2).json["revision"] == 2)
        #expect(try texts() == ["New"])
    }

    @Test(arguments: ["recipes/r", "manifest", "strings/en-US"])
    func `An approval names the revision that was looked at`(_ name: String) throws {
        func document(_ text: String) -> JSONValue {
            var manifest = TestApp.manifest.object ?? [:]
            manifest["short_name"] = .string(text)
            return switch name {
            case "manifest": .object(manifest)
            case "recipes/r": Sample.message("m", ["text": .string(text)])
            default: ["T": ["hello": .string(text)]]
            }
        }
        func approve(_ revision: JSONValue?) throws -> HTTPResponse {
            var body: JSONObject = ["state": "live"]
            body["revision"] = revision
            return try daemon.post("\(app)/\(name)/state", .object(body), headers: bob)
        }
        let first = try #require(try write(name, document("looked at")).json["revision"].integer)
        let second = try write(name, document("put since")).json["revision"]
        #expect(second == .integer(first + 1))
        let refused = try approve(.integer(first))
        expectProblem(refused, 412)
        #expect(refused.json["detail"].string?.contains("revision \(first + 1)") == true)
        expectProblem(try approve(.integer(first + 2)), 412)
        for wrong in ["1", 0, [1]] as [JSONValue] { expectProblem(try approve(wrong), 400) }
        #expect(try approve(second).json["revision"] == second)
        #expect(try approve(second).status == 200, "it is live already")
        expectProblem(try approve(.integer(first)), 412)
    }

    @Test func `A recipe is paused in the revision that is in force, whatever waits beside it`() throws {
        _ = try write("recipes/r", Sample.message("m", ["text": "New"]))
        func set(_ state: JSONValue, _ revision: JSONValue, _ who: [String: String]) throws -> Int {
            try daemon.post("\(app)/recipes/r/state", ["state": state, "revision": revision], headers: who).status
        }
        #expect(try set("paused", 2, bob) == 412)
        #expect(try set("paused", 1, bob) == 200)
        #expect(try set("live", 3, bob) == 412)
        #expect(try set("live", 1, bob) == 200)
        #expect(try set("paused", 1, bob) == 200)
        #expect(try set("live", 1, ann) == 200, "who wrote the draft resumes what was approved")
        #expect(try texts() == ["T/hello"])
        #expect(try set("live", 2, bob) == 200)
    }

    @Test func `A second person approves a push with the same push`() throws {
        var manifest = TestApp.manifest.object ?? [:]
        manifest["short_name"] = "New"
        try folder.write(JSONValue.object(manifest).text, to: "a/manifest.json")
        try folder.write(#"{"T": {"hello": "Hello"}}"#, to: "a/strings/en-US.json")
        try folder.write(Sample.message("m", ["text": "T/hello", "title": "New"]).text, to: "a/r.json")
        func push(_ who: String, _ options: String...) throws -> Command {
            let command = [BellwetherProgram.path, "push", "--url", "http://127.0.0.1:\(daemon.port)", "--app", "a"]
            return try Command.run(
                command + options + [folder.path + "/a"],
                environment: ["BELLWETHER_TOKEN": who, "XDG_STATE_HOME": folder.path + "/" + who])
        }
        let written = try push("ann")
        #expect(written.status == 0 && written.lines.last == "1 created, 2 changed")
        #expect(written.output.split(separator: "[stays_draft]").count == 4)
        let own = try push("ann", "--live")
        #expect(own.status == 1 && own.lines.last == "3 refused")
        #expect(own.output.contains("[own_revision]"))
        #expect(try texts() == ["T/hello"])
        let approved = try push("bob", "--live")
        #expect(approved.status == 0 && approved.lines.last == "3 changed")
        // Another node may serve the poll.
        #expect(try eventually { try texts() == ["Hello"] })
        #expect(try push("ann").lines.last == "3 unchanged")
    }

    @Test func `Where nobody has to approve there is nothing to put live`() throws {
        let app = try TestApp()
        let state = "\(app.path)/manifest/state"
        #expect(try app.server.post(state, ["state": "live"]).json == ["revision": 1, "state": "live", "warnings": []])
        expectProblem(try app.server.post("\(app.path)/strings/de/state", ["state": "live"]), 404)
        expectProblem(try app.server.post("/v1/apps/nobody/manifest/state", ["state": "live"]), 404)
        expectProblem(try app.server.post(state, [:]), 400)
    }
}
