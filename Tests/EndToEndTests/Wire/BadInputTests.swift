import BellwetherJSON
import TestSupport
import Testing

/// Bad input of every kind gets a problem document, and the daemon continues to serve.
@Suite struct BadInputTests {
    /// Expects that the daemon serves as before.
    private func expectServing(_ app: TestApp) throws {
        #expect(try app.poll().status == 200)
        #expect(try app.server.get("/__heartbeat__").json["status"] == "ok")
    }

    /// Sends bytes unchanged and reads the only response; then the connection must end.
    private func expectRefusal(_ bytes: String, _ status: Int, on app: TestApp) throws {
        let connection = try app.server.connect()
        // The daemon may refuse before it has read everything.
        try? connection.send(Array(bytes.utf8))
        expectProblem(try connection.receive(), status)
        #expect(try connection.isEnded())
        try expectServing(app)
    }

    @Test func `Malformed JSON`() throws {
        let app = try TestApp()
        for path in ["events", "messages", "responses", "explain"] {
            for text in ["{", "[1,]", "{\"a\":1}{\"b\":2}", "\u{0}", "{\"a\": \"\\ud800\"}", "{\"a\":1e999}"] {
                let answer = try app.server.send("POST", "\(app.path)/\(path)", body: Array(text.utf8))
                let faults = expectProblem(answer, 400)
                #expect(faults.first?["code"].string?.hasPrefix("json_") == true, "\(path) \(text)")
            }
            let invalid = try app.server.send("POST", "\(app.path)/\(path)", body: [0x22, 0xFF, 0x22])
            #expect(places(expectProblem(invalid, 400)) == [" json_utf8"])
        }
        try expectServing(app)
    }

    @Test func `An unknown app`() throws {
        let app = try TestApp()
        expectProblem(try app.server.get("/v1/apps/nobody/messages?client_id=c"), 404)
        for path in ["messages", "events", "responses"] {
            expectProblem(try app.server.post("/v1/apps/nobody/\(path)", ["client_id": "c"]), 404)
        }
        expectProblem(try app.server.get("/v1/apps/nobody/telemetry"), 404)
        try expectServing(app)
    }

    @Test func `JEXL that does not parse, an unknown style and wrong types`() throws {
        let app = try TestApp()
        let recipe: JSONValue = [
            "triggers": ["BAD": "locale ==", "ALSO_BAD": 7],
            "messages": ["m": ["style": "NOPE", "text": 1, "trigger-if-all": ["BAD"]]],
        ]
        let refused = try app.server.put("\(app.path)/recipes/r", recipe)
        #expect(places(expectProblem(refused, 422)) == ["/triggers/BAD jexl_parse"])
        var mended = recipe.object ?? [:]
        mended["triggers"] = ["BAD": "locale == 'en'", "ALSO_BAD": 7]
        let strict = try app.server.put("\(app.path)/recipes/r?strict=true", .object(mended))
        let expected: Set = ["/triggers/ALSO_BAD type", "/messages/m/style unknown_style", "/messages/m/text type"]
        #expect(Set(places(expectProblem(strict, 422))).isSuperset(of: expected))
        let taken = try app.server.put("\(app.path)/recipes/r", .object(mended))
        #expect(taken.status == 201)
        #expect(Set(places(taken.json["warnings"])).isSuperset(of: expected))
        try expectServing(app)
    }

    @Test func `An oversized body, announced or in chunks`() throws {
        let app = try TestApp()
        let size = (1 << 20) + 1
        let head = "POST \(app.path)/events HTTP/1.1\r\nHost: localhost\r\n"
        try expectRefusal(head + "Content-Length: \(size)\r\n\r\n", 413, on: app)
        try expectRefusal(
            head + "Transfer-Encoding: chunked\r\n\r\n100001\r\n" + String(repeating: " ", count: 4096), 413, on: app)
        // Owners may send 16 MiB.
        let long = String(repeating: "x", count: 2 << 20)
        #expect(try app.publish("long", Sample.message("m", ["text": .string(long)])).status == 201)
        let ownerHead = "PUT \(app.path)/recipes/r HTTP/1.1\r\nHost: localhost\r\n"
        try expectRefusal(ownerHead + "Content-Length: \((16 << 20) + 1)\r\n\r\n", 413, on: app)
    }

    @Test func `Ten thousand headers, a long header, a long target`() throws {
        let app = try TestApp()
        let head = "GET \(app.path)/messages?client_id=c HTTP/1.1\r\nHost: localhost\r\n"
        let headers = (0..<10_000).map { "X-\($0): y\r\n" }.joined()
        try expectRefusal(head + headers + "\r\n", 431, on: app)
        try expectRefusal(head + (0..<100).map { "X-\($0): y\r\n" }.joined() + "\r\n", 431, on: app)
        try expectRefusal(head + "X: \(String(repeating: "y", count: 16_384))\r\n\r\n", 431, on: app)
        try expectRefusal("GET /\(String(repeating: "a", count: 8192)) HTTP/1.1\r\nHost: x\r\n\r\n", 414, on: app)
    }

    @Test(
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\nHost: x\n\n", "GET / HTTP/4294967297.1\r\nHost: x\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX: a\u{0}b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
        ])
    func `What is not HTTP, or could be read in two ways`(_ bytes: String) throws {
        let app = try TestApp()
        let connection = try app.server.connect()
        try connection.send(Array(bytes.utf8))
        let answer = try connection.receive()
        expectProblem(answer, bytes.contains("4294967297") ? answer.status : 400)
        #expect([400, 505].contains(answer.status))
        #expect(try connection.isEnded())
        try expectServing(app)
    }

    @Test func `Bytes of every kind, as bodies`() throws {
        let app = try TestApp()
        var generator = SeededGenerator(seed: 7)
        let connection = try app.server.connect()
        for _ in 0..<200 {
            let body = (0..<Int.random(in: 0..<300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let path = ["events", "messages", "responses", "explain"].randomElement(using: &generator) ?? ""
            try connection.send("POST", "\(app.path)/\(path)", body: body)
            #expect(try connection.receive().status == 400)
        }
        for _ in 0..<300 {
            let value = RandomJSON.value(using: &generator)
            let path = ["events", "messages", "responses", "explain"].randomElement(using: &generator) ?? ""
            try connection.send("POST", "\(app.path)/\(path)", body: value.encoded)
            #expect([400, 422].contains(try connection.receive().status))
            try connection.send("PUT", "\(app.path)/recipes/r", body: value.encoded)
            #expect([422, 400].contains(try connection.receive().status))
        }
        try expectServing(app)
    }

    @Test func `Targets of every kind`() throws {
        let app = try TestApp()
        var generator = SeededGenerator(seed: 11)
        let parts = [
            "client_id=c", "client_id", "surface=card", "surface=", "locale=de", "locale=%", "age=1e5", "beta=null",
            "&", "=",
            "%00", "+", "device={}", "tags=[[[[", "%F0%9F%91%8D=1", "x", "after=t1", "strict=true",
        ]
        let connection = try app.server.connect()
        for _ in 0..<400 {
            let query = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }
            let path =
                ["messages", "telemetry", "manifest", "recipes/%41", "strings/de", "nothing"]
                .randomElement(using: &generator) ?? ""
            try connection.send("GET", "\(app.path)/\(path)?\(query.joined(separator: "&"))")
            #expect([200, 400, 404, 410].contains(try connection.receive().status))
        }
        try expectServing(app)
    }
}
