import BellwetherJSON
import TestSupport
import Testing

/// String tables over the API (docs/reference/http-api.md#strings).
@Suite struct StringsRouteTests {
    @Test func `A locale is created, changed, read and taken away, and the next poll knows`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m", ["text": "T/hello"]))
        let target = "\(app.path)/strings/de"
        expectProblem(try app.server.get(target), 404)
        let created = try app.server.put(target, ["T": ["hello": "Hallo"]])
        #expect(created.status == 201)
        #expect(created.json == ["revision": 1, "warnings": []])
        #expect(try app.poll("c", "&locale=de").json["messages"][0]["text"] == "Hallo")
        let changed = try app.server.put(target, ["T": ["hello": "Servus"]])
        #expect(changed.status == 200)
        #expect(changed.json["revision"] == 2)
        #expect(try app.poll("c", "&locale=de").json["messages"][0]["text"] == "Servus")
        #expect(try app.server.get(target).json == ["T": ["hello": "Servus"]])
        #expect(try app.server.send("DELETE", target).status == 204)
        #expect(try app.poll("c", "&locale=de").json["messages"][0]["text"] == "T/hello")
        // The table is created again with another text and the same revision: the old tag must not match.
        _ = try app.server.put(target, ["T": ["hello": "Moin"]])
        let old = ["If-None-Match": created.header("ETag") ?? ""]
        #expect(try app.server.get(target, headers: old).status == 200)
    }

    @Test func `Faults are named; a locale must be one`() throws {
        let app = try TestApp()
        let answer = try app.server.put("\(app.path)/strings/de", ["T": ["a": 1, "b": "fine"], "U": 7])
        #expect(Set(places(expectProblem(answer, 422))) == ["/T/a type", "/U type"])
        #expect((400...422).contains(try app.server.put("\(app.path)/strings/%21", ["T": [:]]).status))
        expectProblem(try app.server.send("DELETE", "\(app.path)/strings/fr"), 404)
    }

    @Test func `If-Match guards strings, too`() throws {
        let app = try TestApp()
        let target = "\(app.path)/strings/de"
        let tag = try app.server.put(target, ["T": ["a": "1"]]).header("ETag") ?? ""
        _ = try app.server.put(target, ["T": ["a": "2"]])
        expectProblem(try app.server.put(target, ["T": ["a": "3"]], headers: ["If-Match": tag]), 412)
    }
}
