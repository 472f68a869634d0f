import BellwetherJSON
import TestSupport
import Testing

/// The poll by GET, HEAD and POST, and its entity tag (docs/reference/http-api.md#the-poll).
@Suite struct PollingTests {
    @Test func `An answer has all its keys, null where there is nothing`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m"))
        let answer = try app.poll("c", "&surface=card")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        #expect(answer.header("Cache-Control") == "private, no-cache")
        #expect(answer.header("ETag")?.hasPrefix("\"") == true)
        let expected: JSONValue = [
            "key": "m", "surface": "card", "style": "MANY", "revision": 1, "priority": 40, "max_display_count": 1000,
            "display_count": 0, "experiment": nil, "branch": nil, "locale": "en-US", "dir": "ltr", "title": nil,
            "text": "Hello", "button_label": nil, "action": nil, "microsurvey": nil,
            "presents": nil,
        ]
        #expect(answer.json["messages"] == [expected])
        #expect(answer.json.object?.keys == ["messages", "next_poll_seconds"])
        #expect((270...330).contains(answer.json["next_poll_seconds"].integer ?? 0))
    }

    @Test func `POST answers as GET does`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.survey())
        let got = try app.poll("c", "&surface=microsurvey&locale=de&plan=pro&age=7&beta=true")
        let posted = try app.server.post(
            "\(app.path)/messages",
            [
                "client_id": "c", "surfaces": ["microsurvey"],
                "context": ["locale": "de", "plan": "pro", "age": 7, "beta": true],
            ])
        #expect(posted.status == 200)
        #expect(posted.body == got.body)
        #expect(posted.header("ETag") == got.header("ETag"))
    }

    @Test func `HEAD has the headers of GET and no content`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m"))
        let connection = try app.server.connect()
        let target = "\(app.path)/messages?client_id=c"
        try connection.send("GET", target)
        let got = try connection.receive()
        try connection.send("HEAD", target)
        let head = try connection.receive(isHead: true)
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head.header("Content-Length") == "\(got.body.count)")
        #expect(head.header("ETag") == got.header("ETag"))
        // No content was sent, so the next response begins in the right place.
        try connection.send("GET", target)
        #expect(try connection.receive().body == got.body)
    }

    @Test(arguments: ["GET", "HEAD"])
    func `The same answer again is 304`(_ method: String) throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m"))
        let target = "\(app.path)/messages?client_id=c"
        let tag = try #require(try app.server.get(target).header("ETag"))
        for condition in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
            let answer = try app.server.send(method, target, headers: ["If-None-Match": condition])
            #expect(answer.status == 304)
            #expect(answer.header("ETag") == tag)
            #expect(answer.body.isEmpty)
        }
        let other = try app.server.send(method, target, headers: ["If-None-Match": "\"other\""])
        #expect(other.status == 200)
    }

    @Test func `A POST is never 304`() throws {
        let app = try TestApp()
        let tag = try #require(try app.poll("c").header("ETag"))
        let answer = try app.server.post(
            "\(app.path)/messages", ["client_id": "c"], headers: ["If-None-Match": tag])
        #expect(answer.status == 200)
    }

    /// Changes of a response: after each, the old tag must get the new body.
    @Test func `It is never 304 when the body would differ`() throws {
        let app = try TestApp()
        let titled: JSONObject = ["style": "TWICE", "title": "Greetings/title"]
        try app.publish("r", Sample.message("m", titled))
        var seen: [[UInt8]: String] = [:]
        func expectNew(_ query: String = "", client: String = "c", _ change: () throws -> Void) throws {
            let before = try app.poll(client, query)
            try change()
            let after = try app.poll(client, query, headers: ["If-None-Match": before.header("ETag") ?? ""])
            #expect(after.status == 200)
            #expect(after.body != before.body)
            for answer in [before, after] {
                let tag = try #require(answer.header("ETag"))
                #expect(seen[answer.body, default: tag] == tag)
                seen[answer.body] = tag
            }
        }
        try expectNew { try app.record("c", Event.message("displayed", "m")) }
        try expectNew { try app.publish("r", Sample.message("m", titled.merging("text", "Other"))) }
        try expectNew {
            _ = try app.server.put("\(app.path)/strings/en-US", ["Greetings": ["title": "Good day"]])
        }
        try expectNew { try app.publish("second", Sample.message("n", ["surface": "notification"])) }
        try expectNew { try app.record("c", Event.message("displayed", "m")) }
        try expectNew { _ = try app.server.send("DELETE", "\(app.path)/recipes/second") }
        // Every body had its own tag.
        #expect(Set(seen.values).count == seen.count)
    }

    @Test func `Clients and languages have tags of their own where their bodies differ`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.survey())
        let answers = try ["en-US", "de", "fr"].map { try app.poll("c", "&locale=\($0)") }
        #expect(Set(answers.map { $0.header("ETag") }).count == 3)
        let tag = answers[0].header("ETag") ?? ""
        #expect(try app.poll("c", "&locale=de", headers: ["If-None-Match": tag]).status == 200)
    }

    @Test func `next_poll_seconds differs between clients and not between polls`() throws {
        let app = try TestApp()
        let seconds = try (0..<30).map { try app.poll("client-\($0)").json["next_poll_seconds"].integer ?? 0 }
        #expect(seconds.allSatisfy { (270...330).contains($0) })
        #expect(Set(seconds).count > 5)
        #expect(try app.poll("client-0").json["next_poll_seconds"].integer == seconds[0])
    }

    @Test func `Asking creates nothing`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m"))
        for index in 0..<20 { _ = try app.poll("stranger-\(index)") }
        #expect(try app.recorded() == [])
    }
}
