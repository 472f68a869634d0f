import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Recipes over the API (docs/reference/http-api.md#recipes).
@Suite struct RecipeRouteTests {
    @Test func `A recipe is created, changed, read and deleted`() throws {
        let app = try TestApp()
        let target = "\(app.path)/recipes/r"
        expectProblem(try app.server.get(target), 404)
        let created = try app.server.put(target, Sample.message("m"))
        #expect(created.status == 201)
        #expect(created.json == ["revision": 1, "state": "live", "warnings": []])
        let changed = try app.server.put(target, Sample.message("m", ["text": "New"]))
        #expect(changed.status == 200)
        #expect(changed.json == ["revision": 2, "state": "live", "warnings": []])
        #expect(try app.poll().json["messages"][0]["revision"] == 2)
        let got = try app.server.get(target)
        #expect(got.status == 200)
        #expect(got.json == Sample.message("m", ["text": "New"]))
        #expect(got.header("ETag") == changed.header("ETag"))
        #expect(try app.server.get(target, headers: ["If-None-Match": got.header("ETag") ?? ""]).status == 304)
        let deleted = try app.server.send("DELETE", target)
        #expect(deleted.status == 204)
        #expect(deleted.body.isEmpty)
        #expect(try app.keys() == [])
        expectProblem(try app.server.get(target), 404)
        expectProblem(try app.server.send("DELETE", target), 404)
    }

    @Test(arguments: ["forecast", "validate"])
    func `What a path of the API is called no recipe can be`(_ slug: String) throws {
        let app = try TestApp()
        let target = "\(app.path)/recipes/\(slug)"
        #expect(places(expectProblem(try app.server.put(target, Sample.message("m")), 422)) == [" reserved"])
        let named: JSONValue = ["slug": .string(slug), "messages": [:]]
        #expect(places(expectProblem(try app.server.put(target, named), 422)) == ["/slug reserved"])
        let checked = try app.server.post("\(app.path)/recipes/validate", named)
        #expect(places(expectProblem(checked, 422)) == ["/slug reserved"])
        expectProblem(try app.server.get(target), 404)
        #expect(try app.server.get("\(app.path)/recipes").json["recipes"] == [])
    }

    @Test func `No recipe has a name of more than 128 characters`() throws {
        let app = try TestApp()
        let target = "\(app.path)/recipes/\(String(repeating: "s", count: 129))"
        #expect(places(expectProblem(try app.server.put(target, Sample.message("m")), 400)) == ["/slug identifier"])
        expectProblem(try app.server.get(target), 404)
        expectProblem(try app.server.post("\(target)/state", ["state": "paused"]), 404)
        expectProblem(try app.server.send("DELETE", target), 404)
    }

    @Test func `A recipe made anew goes on with its revisions`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m"))
        try app.publish("r", Sample.message("m", ["text": "2"]))
        _ = try app.server.send("DELETE", "\(app.path)/recipes/r")
        let anew = try app.publish("r", Sample.message("m", ["text": "3"]))
        #expect(anew.status == 201)
        #expect(anew.json["revision"] == 3)
    }

    @Test func `The same document keeps its revision, however it is spaced`() throws {
        let app = try TestApp()
        let document = Sample.message("m")
        let first = try app.publish("r", document)
        for text in [document.text, document.prettyText, " \(document.text)\n"] {
            let answer = try app.server.send("PUT", "\(app.path)/recipes/r", body: Array(text.utf8))
            #expect(answer.status == 200)
            #expect(answer.json["revision"] == 1)
            #expect(answer.header("ETag") == first.header("ETag"))
        }
    }

    @Test func `A document is given back as its author wrote it`() throws {
        let app = try TestApp()
        let text = "{ \"messages\" : {\"m\": {\"text\": \"Zo\\u00eb\",\n\"surface\":\"card\", \"priority\": 1.0}} }"
        #expect(try app.server.send("PUT", "\(app.path)/recipes/r", body: Array(text.utf8)).status == 201)
        #expect(try app.server.get("\(app.path)/recipes/r").text == text)
    }

    @Test func `If-Match guards against lost updates`() throws {
        let app = try TestApp()
        let target = "\(app.path)/recipes/r"
        func put(_ text: String, _ condition: String) throws -> HTTPResponse {
            try app.server.put(target, Sample.message("m", ["text": .string(text)]), headers: ["If-Match": condition])
        }
        expectProblem(try put("0", "*"), 412)
        expectProblem(try put("0", "\"1\""), 412)
        let first = try #require(try app.publish("r", Sample.message("m")).header("ETag"))
        let second = try put("2", first)
        #expect(second.status == 200)
        expectProblem(try put("3", first), 412)
        expectProblem(try app.server.send("DELETE", target, headers: ["If-Match": first]), 412)
        #expect(try app.server.get(target).json["messages"]["m"]["text"] == "2")
        // A list, any revision, the revision without quotes, the tag of a compressed response.
        let tag = try #require(second.header("ETag"))
        #expect(try put("4", "\"x\", \(tag)").json["revision"] == 3)
        #expect(try put("5", "*").json["revision"] == 4)
        #expect(try put("6", "\"4\"").json["revision"] == 5)
        let weak = "W/" + (try app.server.get(target).header("ETag") ?? "")
        #expect(try app.server.send("DELETE", target, headers: ["If-Match": weak]).status == 204)
    }

    @Test func `The list tells what there is`() throws {
        let app = try TestApp()
        #expect(try app.server.get("\(app.path)/recipes").json == ["recipes": []])
        try app.publish("b", Sample.message("m"))
        try app.publish("a", Sample.message("n"), query: "?state=draft")
        let recipes = try app.server.get("\(app.path)/recipes").json["recipes"]
        #expect(recipes.strings("slug") == ["a", "b"])
        #expect(recipes.strings("state") == ["draft", "live"])
        #expect(recipes[0]["revision"] == 1)
        #expect(recipes[0]["read_only"] == false)
    }

    @Test func `A draft is stored, and not served until it is published`() throws {
        let app = try TestApp()
        let draft = try app.publish("r", Sample.message("m"), query: "?state=draft")
        #expect(draft.status == 201)
        #expect(draft.json["state"] == "draft")
        #expect(try app.keys() == [])
        #expect(try app.server.get("\(app.path)/recipes/r").json == Sample.message("m"))
        // An existing recipe keeps its state.
        #expect(try app.publish("r", Sample.message("m", ["text": "2"])).json["state"] == "draft")
        #expect(try app.keys() == [])
    }

    @Test func `What is no recipe's place is refused`() throws {
        let app = try TestApp()
        let long = String(repeating: "s", count: 129)
        for slug in [long, "a%01b"] {
            expectProblem(try app.server.put("\(app.path)/recipes/\(slug)", Sample.message()), 400)
        }
        for path in ["recipes/r", "strings/de"] {
            expectProblem(try app.server.put("/v1/apps/nobody/\(path)", ["messages": [:]]), 404)
            expectProblem(try app.server.get("/v1/apps/nobody/\(path)"), 404)
            expectProblem(try app.server.send("DELETE", "/v1/apps/nobody/\(path)"), 404)
        }
        expectProblem(try app.server.get("/v1/apps/nobody/recipes"), 404)
    }

    @Test(arguments: [
        "?strict=yes", "?strickt=true", "?state=gone", "?state=draft&nonsense", "?strict=true&strict=false",
        "?strict=%ff",
    ])
    func `A parameter that is not known is refused`(_ query: String) throws {
        let app = try TestApp()
        expectProblem(try app.server.put("\(app.path)/recipes/r\(query)", Sample.message()), 400)
        expectProblem(try app.server.get("\(app.path)/recipes/r"), 404)
    }
}
