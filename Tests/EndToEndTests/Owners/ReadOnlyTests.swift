import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Documents from a file can be changed only there (docs/reference/http-api.md#recipes).
@Suite struct ReadOnlyTests {
    @Test(.disabled(if: Daemon.isSeveral, "files are pushed into a shared store"))
    func `Documents from files are 409 read_only, beside them others may be published`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/filed/manifest.json")
        try folder.write(#"{"T": {"a": "b"}}"#, to: "apps/filed/strings/de.json")
        try folder.write(Sample.message("filed").text, to: "recipes/filed/r.json")
        let daemon = try Daemon(["--dev", "--apps", folder.path + "/apps", "--recipes", folder.path + "/recipes"])
        let app = TestApp(on: daemon, named: "filed")
        #expect(try app.keys() == ["filed"])
        let targets: [(String, JSONValue)] = [
            ("manifest", TestApp.manifest), ("strings/de", ["T": ["a": "c"]]), ("recipes/r", Sample.message("x")),
        ]
        for (place, document) in targets {
            let put = try daemon.put("\(app.path)/\(place)", document)
            #expect(places(expectProblem(put, 409)) == [" read_only"])
            #expect(put.json["type"] == "urn:bellwether:read_only")
            expectProblem(try daemon.send("DELETE", "\(app.path)/\(place)"), 409)
            #expect(try daemon.get("\(app.path)/\(place)").status == 200)
        }
        #expect(try daemon.get("\(app.path)/recipes").json["recipes"][0]["read_only"] == true)
        #expect(try app.publish("own", Sample.message("own", ["surface": "notification"])).status == 201)
        #expect(try Set(app.keys()) == ["filed", "own"])
        #expect(try daemon.put("\(app.path)/strings/fr", ["T": ["a": "c"]]).status == 201)
    }

    @Test(.disabled(if: Daemon.isSeveral, "files are pushed into a shared store"))
    func `An app is taken over from its files, and stays so after a restart`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/filed/manifest.json")
        try folder.write(Sample.message("filed").text, to: "recipes/filed/r.json")
        let arguments = ["--dev", "--apps", folder.path + "/apps", "--recipes", folder.path + "/recipes"]
        let daemon = try Daemon(arguments)
        let app = TestApp(on: daemon, named: "filed")
        let taken = try daemon.post("\(app.path)/take-over", [:])
        #expect(taken.status == 200 && taken.json["revision"] == 2, "\(taken.text)")
        #expect(try app.keys() == ["filed"])
        #expect(try daemon.get("\(app.path)/recipes").json["recipes"][0]["read_only"] == false)
        #expect(try app.publish("r", Sample.message("mine")).status == 200)
        expectProblem(try daemon.post("/v1/apps/other/take-over", [:]), 404)
        try daemon.kill()
        let next = TestApp(on: try Daemon(arguments, data: daemon.data), named: "filed")
        #expect(try next.keys() == ["mine"])
        let skipped = next.server.logText.components(separatedBy: "the file is skipped").count - 1
        #expect(skipped == 2, "the manifest and the recipe")
        let records = try next.server.get("/v1/audit").lines
        #expect(records.filter { $0["by"] == "dev" }.map { $0["kind"] } == ["manifest", "recipe", "recipe"])
    }
}
