import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `Idempotency-Key` on answers and on owner writes (docs/reference/http-api.md#idempotency-keys).
@Suite struct IdempotencyTests {
    private let key = ["Idempotency-Key": "key-1"]

    @Test func `The same key with the same body gets the first answer, also after a restart`() throws {
        let daemon = try Daemon()
        var app = try TestApp(on: daemon)
        try app.publish("x", Sample.survey())
        let first = try app.respond("c", "survey", "1", headers: key)
        #expect(first.status == 201)
        let again = try app.respond("c", "survey", "1", headers: key)
        #expect(again.status == 201)
        #expect(again.json == first.json)
        try daemon.kill()
        app = TestApp(on: try Daemon(data: daemon.data), named: app.name)
        let afterRestart = try app.respond("c", "survey", "1", headers: key)
        #expect(afterRestart.status == 201)
        #expect(afterRestart.json == first.json)
        #expect(try app.recorded().count == 3)
    }

    @Test func `With another body it is 409, and without a key the answer stands as it is`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.survey())
        _ = try app.respond("c", "survey", "1", headers: key)
        let other = try app.respond("c", "survey", "2", headers: key)
        #expect(places(expectProblem(other, 409)) == [" idempotency_key_conflict"])
        #expect(places(expectProblem(try app.respond("c", "survey", "1"), 409)) == [" already_responded"])
        #expect(try app.respond("d", "survey", "2", headers: ["Idempotency-Key": "key-2"]).status == 201)
    }

    @Test(arguments: ["a b", "", "é", String(repeating: "k", count: 129)])
    func `A key is 1 to 128 visible ASCII characters`(_ key: String) throws {
        let app = try TestApp()
        try app.publish("x", Sample.survey())
        expectProblem(try app.respond("c", "survey", "1", headers: ["Idempotency-Key": key]), 400)
    }

    @Test func `A repeated publish is done once`() throws {
        let app = try TestApp()
        let target = "\(app.path)/recipes/r"
        let first = try app.server.put(target, Sample.message("m"), headers: key)
        #expect(first.status == 201)
        #expect(try app.server.put(target, Sample.message("m", ["text": "2"])).json["revision"] == 2)
        let again = try app.server.put(target, Sample.message("m"), headers: key)
        #expect(again.status == 201)
        #expect(again.json == first.json)
        #expect(try app.server.get(target).json["messages"]["m"]["text"] == "2")
        expectProblem(try app.server.put(target, Sample.message("other"), headers: key), 409)
        // A key is valid for one path.
        #expect(try app.server.put("\(app.path)/recipes/s", Sample.message("n"), headers: key).status == 201)
    }

    @Test func `A repeated publish has its first ETag, also when the document has changed since`() throws {
        let app = try TestApp()
        for (name, first, second) in [
            ("recipes/r", Sample.message("m"), Sample.message("m", ["text": "2"])),
            ("strings/de", ["T": ["a": "1"]], ["T": ["a": "2"]]),
        ] as [(String, JSONValue, JSONValue)] {
            let target = "\(app.path)/\(name)"
            let tag = try app.server.put(target, first, headers: key).header("ETag")
            #expect(tag != nil)
            let changed = try app.server.put(target, second)
            #expect(changed.header("ETag") != tag)
            #expect(try app.server.put(target, first, headers: key).header("ETag") == tag)
            _ = try app.server.send("DELETE", target)
            #expect(try app.server.put(target, first, headers: key).header("ETag") == tag)
        }
    }

    @Test func `A repeated deletion gets its first answer, though the app is gone`() throws {
        let app = try TestApp()
        for _ in 0..<2 {
            #expect(try app.server.send("DELETE", "\(app.path)/manifest", headers: key).status == 204)
        }
        expectProblem(try app.server.send("DELETE", "\(app.path)/manifest"), 404)
    }

    @Test func `A repeated change gets its first answer, though its If-Match is past`() throws {
        let app = try TestApp()
        let target = "\(app.path)/recipes/r"
        let tag = try app.publish("r", Sample.message("m")).header("ETag") ?? ""
        let headers = key.merging(["If-Match": tag]) { $1 }
        for _ in 0..<2 {
            let answer = try app.server.put(target, Sample.message("m", ["text": "2"]), headers: headers)
            #expect(answer.status == 200)
            #expect(answer.json["revision"] == 2)
        }
    }
}
