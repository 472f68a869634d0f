import EventLoop
import Testing

struct KeepAliveTests {
    @Test func `One connection serves many requests`() throws {
        let server = try TestServer()
        let client = try server.client()
        for number in 0..<20 {
            client.send(.get("/\(number)"))
            let answer = try client.answer()
            #expect(answer.status == 200)
            #expect(answer.body == "/\(number)")
            #expect(answer.header("Date")?.hasSuffix(" GMT") == true)
            #expect(!answer.saysClose)
        }
        #expect(server.statistics.acceptedConnections == 1)
        #expect(server.statistics.requests == 20)
        #expect(server.statistics.bytesReceived == 20 * String.get("/0").utf8.count + 10)
    }

    @Test func `Each request has an id of its own`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/id") + .get("/id"))
        let answers = [try client.answer(), try client.answer()]
        #expect(answers[0].header("X-Request-Id") != answers[1].header("X-Request-Id"))
        #expect(answers[0].header("X-Request-Id") == answers[0].body)
        client.send(.get("/id", "X-Request-Id: mine"))
        #expect(try client.answer().header("X-Request-Id") == "mine")
    }

    @Test func `Requests in one piece are answered in order`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send((0..<500).map { .get("/\($0)") }.joined())
        for number in 0..<500 { #expect(try client.answer().body == "/\(number)") }
    }

    @Test func `An error ends a pipeline after the answers before it`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/a") + .post("/echo", "b") + "GET / HTTP/1.1\r\nHost : a\r\n\r\n" + .get("/c"))
        #expect(try client.answer().body == "/a")
        #expect(try client.answer().body == "b")
        let error = try client.answer()
        #expect(error.status == 400)
        #expect(error.saysClose)
        #expect(error.header("Content-Type") == "application/problem+json")
        #expect(error.body.contains("\"status\":400"))
        #expect(try client.rest() == "")
        #expect(!client.wasReset)
        #expect(server.board.started == ["/a", "/echo"])
        #expect(server.statistics.rejected == ["field_name": 1])
    }

    @Test func `A request in single bytes is one request`() throws {
        let server = try TestServer()
        let client = try server.client()
        for byte in String.post("/echo", "content").utf8 { client.send([byte]) }
        #expect(try client.answer().body == "content")
        #expect(server.statistics.requests == 1)
    }

    @Test func `HEAD has the head of GET and no content`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n" + .get("/next"))
        let head = try client.answer(toHead: true)
        #expect(head.header("Content-Length") == "4")
        #expect(try client.answer().body == "/next")
    }

    @Test(arguments: ["GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n"])
    func `A connection that is not kept ends after its answer`(_ request: String) throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(request + .get("/b"))
        let answer = try client.answer()
        #expect(answer.body == "/a")
        #expect(answer.saysClose)
        #expect(try client.rest() == "")
        client.close()
        #expect(server.eventually { $0.statistics.openConnections == 0 })
        #expect(server.board.started == ["/a"])
    }

    @Test func `A client that finished sending gets all its answers`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/a") + .get("/b") + "GET /unfin")
        client.finishSending()
        #expect(try client.answer().body == "/a")
        #expect(try client.answer().body == "/b")
        #expect(try client.rest() == "")
        #expect(server.eventually { $0.statistics.openConnections == 0 })
    }

    @Test func `A responder sees who asks`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/peer"))
        #expect(try client.answer().body == "127.0.0.1")
    }

    @Test func `A forgotten exchange is answered 500 and counted`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/drop") + .get("/next"))
        #expect(try client.answer().status == 500)
        #expect(try client.answer().body == "/next")
        #expect(server.statistics.unansweredExchanges == 1)
    }
}
