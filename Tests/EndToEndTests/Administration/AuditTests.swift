import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `GET /v1/audit`: each change with its author and time (docs/reference/http-api.md#audit).
@Suite struct AuditTests {
    private func members(_ records: [JSONValue], _ keys: String...) -> [[JSONValue]] {
        records.map { record in keys.map { record[$0] } }
    }

    @Test func `Owners' and administrators' changes are told by their tokens`() throws {
        let guarded = try GuardedDaemon()
        func send(_ token: String, _ method: String, _ path: String, _ body: JSONValue? = nil) throws -> Int {
            try guarded.daemon.send(method, path, headers: GuardedDaemon.bearer(token), body: body?.encoded).status
        }
        let admin = GuardedDaemon.bearer("admin-all")
        let start = try guarded.daemon.get("/v1/audit", headers: admin).header("Bellwether-Next") ?? ""
        #expect(try send("owner-one", "PUT", "/v1/apps/one/recipes/r", Sample.message("m")) == 201)
        #expect(try send("owner-one", "PUT", "/v1/apps/one/recipes/r", Sample.message("m")) == 200)
        #expect(try send("owner-all", "PUT", "/v1/apps/one/recipes/r", Sample.message("n")) == 200)
        #expect(try send("owner-one", "PUT", "/v1/apps/one/recipes/r", ["bucketConfig": 1]) == 422)
        #expect(try send("owner-two", "PUT", "/v1/apps/two/strings/de", ["T": ["k": "v"]]) == 201)
        #expect(try send("owner-all", "DELETE", "/v1/apps/one/recipes/r") == 204)
        _ = try guarded.issue("t", "client", "one")
        try guarded.revoke("t")
        let answer = try guarded.daemon.get("/v1/audit?after=\(start)", headers: admin)
        #expect(answer.header("Content-Type") == "application/x-ndjson")
        #expect(
            members(answer.lines, "by", "action", "kind", "app", "name") == [
                ["owner-one", "create", "recipe", "one", "r"], ["owner-all", "change", "recipe", "one", "r"],
                ["owner-two", "create", "strings", "two", "de"], ["owner-all", "delete", "recipe", "one", "r"],
                ["admin-all", "create", "token", "one", "t"], ["admin-all", "revoke", "token", "one", "t"],
            ])
        #expect(answer.lines[1]["before"] == answer.lines[0]["after"])
        #expect(answer.lines[3]["before"] == answer.lines[1]["after"])
        let digest = try GuardedDaemon.digest(Sample.message("m").text)
        #expect(answer.lines[0]["after"].string == digest)
    }

    @Test func `Folders are the author of what comes from files`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/filed/manifest.json")
        try folder.write(Sample.message("m").text, to: "recipes/filed/r.json")
        let arguments = ["--dev", "--apps", folder.path + "/apps", "--recipes", folder.path + "/recipes"]
        let daemon = try Daemon(arguments)
        try daemon.kill()
        // Unchanged files give no second record.
        let next = try Daemon(arguments, data: daemon.data)
        _ = try next.put("/v1/apps/filed/strings/de", ["T": ["k": "v"]])
        #expect(
            members(try next.get("/v1/audit").lines, "sequence", "by", "action", "kind") == [
                [1, "file", "create", "manifest"], [2, "file", "create", "recipe"], [3, "dev", "create", "strings"],
            ])
    }

    @Test func `A recipe's end is followed on nobody's behalf`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        // On a slow machine, an end that is too near may pass before the recipe is stored.
        let seconds = try [2, 8, 32].first { seconds in
            let end = JSONValue.string(Date(timeIntervalSinceNow: TimeInterval(seconds)).ISO8601Format())
            let recipe = NimbusRecipe.experiment("r\(seconds)", ["t": NimbusRecipe.survey("m")], ["endDate": end])
            return try app.publish("r\(seconds)", recipe).json["state"] == "live"
        }
        let name = JSONValue.string("r\(try #require(seconds))")
        var last: [JSONValue] = []
        let hasEnded = try eventually {
            last = try daemon.get("/v1/audit?after=1").lines.filter { $0["name"] == name }.suffix(1)
            return last.first?["by"] == "daemon"
        }
        #expect(hasEnded)
        #expect(members(last, "action", "revision", "previous_state", "state") == [["state", 1, "live", "ended"]])
    }

    @Test func `A recipe's states are told, those of files, too`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/filed/manifest.json")
        let over = NimbusRecipe.experiment(
            "over", ["t": NimbusRecipe.survey("m")], ["startDate": "2020-01-01", "endDate": "2020-02-01"])
        try folder.write(over.text, to: "recipes/filed/over.json")
        let daemon = try Daemon(["--dev", "--apps", folder.path + "/apps", "--recipes", folder.path + "/recipes"])
        let recipe = "/v1/apps/filed/recipes/r"
        _ = try daemon.put(recipe, Sample.message("one"))
        _ = try daemon.put(recipe + "?state=draft", Sample.message("two"))
        _ = try daemon.post(recipe + "/state", ["state": "live"])
        _ = try daemon.post(recipe + "/state", ["state": "paused"])
        let records = try daemon.get("/v1/audit?after=1").lines
        #expect(
            members(records, "by", "action", "name", "revision", "in_force", "previous_state", "state") == [
                ["file", "create", "over", 1, 1, nil, "ended"],
                ["dev", "create", "r", 1, 1, nil, "live"], ["dev", "change", "r", 2, 1, "live", "live"],
                ["dev", "state", "r", 2, 2, "live", "live"], ["dev", "state", "r", 2, 2, "live", "paused"],
            ])
    }

    @Test func `Pages follow one another, each record once`() throws {
        let daemon = try Daemon()
        _ = try daemon.put("/v1/apps/a/manifest", TestApp.manifest)
        for number in 1...5 {
            _ = try daemon.put("/v1/apps/a/recipes/r", Sample.message("m", ["text": .string("\(number)")]))
        }
        var (after, sequences) = ("", [Int64]())
        while true {
            let page = try daemon.get("/v1/audit?limit=2&after=\(after)")
            #expect(page.lines.count <= 2)
            let next = page.header("Bellwether-Next") ?? "?"
            if page.lines.isEmpty {
                #expect(next == after)
                break
            }
            sequences += page.lines.compactMap { $0["sequence"].integer }
            after = next
        }
        #expect(sequences == Array(1...6))
    }

    @Test(
        arguments: [
            "after=x", "after=-1", "after=9223372036854775808", "limit=0", "limit=10001", "limit=", "wait=1",
            "limit=1&limit=2",
        ])
    func `A query that is none is refused`(_ query: String) throws {
        let answer = try Servers.shared().get("/v1/audit?\(query)")
        #expect(places(expectProblem(answer, 400)).count == 1)
    }

    @Test func `The farthest place is empty`() throws {
        let answer = try Servers.shared().get("/v1/audit?after=9223372036854775807&limit=10000")
        #expect((answer.status, answer.body) == (200, []))
    }
}
