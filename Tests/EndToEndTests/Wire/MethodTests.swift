import BellwetherJSON
import TestSupport
import Testing

/// Methods, paths, and the headers of every response (docs/reference/http-api.md#conventions).
@Suite struct MethodTests {
    @Test(
        arguments: [
            ("DELETE", "/v1/apps/a/messages", ["GET", "POST", "HEAD", "OPTIONS"]),
            ("GET", "/v1/apps/a/events", ["POST", "OPTIONS"]), ("PATCH", "/v1/apps/a/events", ["POST", "OPTIONS"]),
            ("POST", "/v1/apps/a/manifest", ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"]),
            ("BREW", "/v1/apps", ["GET", "HEAD", "OPTIONS"]), ("HEAD", "/v1/apps/a/events", ["POST", "OPTIONS"]),
        ])
    func `A method that a path does not have is 405 with Allow`(
        _ method: String, _ path: String, _ allowed: [String]
    ) throws {
        let server = try Servers.shared()
        let answer = try server.send(method, path, body: method == "HEAD" ? nil : Array("{}".utf8))
        #expect(answer.status == 405)
        let methods = answer.header("Allow")?.split(separator: ", ").map(String.init) ?? []
        #expect(Set(methods) == Set(allowed))
        if method != "HEAD" { expectProblem(answer, 405) }
    }

    @Test func `OPTIONS tells what a path has`() throws {
        let server = try Servers.shared()
        let answer = try server.send("OPTIONS", "/v1/apps/a/recipes/r")
        #expect(answer.status == 204)
        #expect(answer.header("Allow") == "GET, PUT, DELETE, HEAD, OPTIONS")
        #expect(try server.send("OPTIONS", "*").status == 204)
        expectProblem(try server.send("OPTIONS", "/nowhere"), 404)
    }

    @Test(arguments: [
        "/v1", "/v1/apps/", "/v1/apps/a/messages/", "/v1/apps//messages", "/v2/apps", "/V1/apps", "/metrics/",
    ])
    func `A path that is nobody's is 404, with a body too`(_ path: String) throws {
        let server = try Servers.shared()
        expectProblem(try server.get(path), 404)
        expectProblem(try server.post(path, ["some": "body"]), 404)
    }

    @Test func `A path that is no percent-encoded UTF-8 is 400`() throws {
        let server = try Servers.shared()
        for path in ["/v1/apps/%ff/messages?client_id=c", "/v1/apps/%zz/messages", "/%"] {
            expectProblem(try server.get(path), 400)
        }
    }

    @Test func `A request id that is sane comes back, another is replaced`() throws {
        let server = try Servers.shared()
        for id in ["abc-123", "A.b_c", String(repeating: "x", count: 128)] {
            for path in ["/__version__", "/nowhere"] {
                #expect(try server.get(path, headers: ["X-Request-Id": id]).header("X-Request-Id") == id)
            }
        }
        for id in ["", "a b", "é", "<script>", String(repeating: "x", count: 129)] {
            let made = try #require(
                try server.get("/__version__", headers: ["X-Request-Id": id]).header("X-Request-Id"))
            #expect(made != id)
            #expect(!made.isEmpty)
        }
        let ids = try (0..<20).map { _ in try server.get("/__version__").header("X-Request-Id") ?? "" }
        #expect(Set(ids).count == 20)
        // An id that the daemon makes is a UUIDv7 (docs/reference/http-api.md#times-and-identifiers).
        let form = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(ids.allSatisfy { $0.wholeMatch(of: form) != nil })
    }

    @Test func `Requests sent at once are answered in order, writes before the reads behind them`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        let connection = try app.server.connect()
        let event = JSONValue.object(["client_id": "c", "events": [Event.message("displayed", "m")]]).encoded
        for _ in 0..<10 {
            try connection.send("POST", "\(app.path)/events", body: event)
            try connection.send("GET", "\(app.path)/messages?client_id=c")
        }
        for count in 1...10 {
            #expect(try connection.receive().json["accepted"] == 1)
            #expect(try connection.receive().json["messages"][0]["display_count"].integer == Int64(count))
        }
    }

    @Test func `A chunked body, and one that waits to be asked for`() throws {
        let app = try TestApp()
        let connection = try app.server.connect()
        let body = JSONValue.object(["client_id": "c", "events": [Event.behavior("visit")]]).text
        let half = body.index(body.startIndex, offsetBy: 20)
        let head = "POST \(app.path)/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        let chunks = [String(body[..<half]), String(body[half...])].map {
            "\(String($0.utf8.count, radix: 16));x=y\r\n\($0)\r\n"
        }
        try connection.send(Array((head + "\r\n" + chunks.joined() + "0\r\n\r\n").utf8))
        #expect(try connection.receive().json["accepted"] == 1)
        try connection.send(Array((head + "Expect: 100-continue\r\n\r\n").utf8))
        #expect(try connection.receive().status == 100)
        try connection.send(Array((chunks.joined() + "0\r\n\r\n").utf8))
        #expect(try connection.receive().json["accepted"] == 1)
        // The body is sent byte by byte.
        let slow = "POST \(app.path)/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        for byte in (slow + body).utf8 { try connection.send([byte]) }
        #expect(try connection.receive().json["accepted"] == 1)
    }

    @Test func `A client that speaks HTTP/1.0 is answered and let go`() throws {
        let server = try Servers.shared()
        let connection = try server.connect()
        try connection.send(Array("GET /__version__ HTTP/1.0\r\n\r\n".utf8))
        #expect(try connection.receive().status == 200)
        #expect(try connection.isEnded())
    }

    @Test func `Too many connections are turned away with 503 and Retry-After`() throws {
        let daemon = try Daemon(environment: ["BELLWETHER_LIMITS_CONNECTIONS": "2", "BELLWETHER_HTTP_WORKERS": "1"])
        let first = try daemon.connect()
        let second = try daemon.connect()
        for connection in [first, second] {
            try connection.send("GET", "/__lbheartbeat__")
            #expect(try connection.receive().status == 200)
        }
        let third = try daemon.connect()
        let answer = try third.receive()
        expectProblem(answer, 503)
        #expect(answer.header("Retry-After") == "1")
        try first.send("GET", "/__lbheartbeat__")
        #expect(try first.receive().status == 200)
    }
}
