import EventLoop
import Testing

struct ContentDeliveryTests {
    @Test func `Large content goes in and out`() throws {
        let server = try TestServer()
        let client = try server.client()
        let content = String(repeating: "0123456789abcdef", count: 1 << 16)
        client.send(.post("/echo", content) + .get("/next"))
        #expect(try client.answer().body == content)
        #expect(try client.answer().body == "/next")
    }

    @Test func `Chunked content arrives joined`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<100 { client.send("3\r\nabc\r\n") }
        client.send("0\r\nTrailer: x\r\n\r\n" + .get("/next"))
        #expect(try client.answer().body == String(repeating: "abc", count: 100))
        #expect(try client.answer().body == "/next")
    }

    @Test func `A client that waits is told to go on after the answers before it`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/a") + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.answer().body == "/a")
        let proceed = try client.answer()
        #expect(proceed.head == "HTTP/1.1 100 Continue")
        client.send("hi")
        #expect(try client.answer().body == "hi")
    }

    @Test func `Content over the endpoint's limit is refused before it is sent`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n")
        let answer = try client.answer()
        #expect(answer.status == 413)
        #expect(answer.saysClose)
        #expect(answer.body.contains("Content Too Large"))
        #expect(try client.rest() == "")
        #expect(server.board.started == [])
    }

    @Test func `A client that goes on sending still reads why it was refused`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.post("/small", String(repeating: "x", count: 4 << 20)))
        #expect(try client.answer().status == 413)
        #expect(try client.rest() == "")
        #expect(!client.wasReset)
        #expect(server.statistics.rejected == ["content_too_large": 1])
    }

    @Test func `A client that does not read is not read from either`() throws {
        let server = try TestServer { $0.backlogBytes = 65_536 }
        let client = try TestClient(server.port, receiveBuffer: 4096)
        let big = 8 << 20
        client.send(.get("/big/\(big)") + .get("/b"))
        #expect(server.eventually { $0.statistics.bytesSent > 0 })
        // The second request has arrived, but waits until the client has read the first response; so do the requests
        // that follow.
        while client.sendWithoutWaiting(String(repeating: .get("/c"), count: 1000)) {}
        #expect(server.board.started == ["/big/\(big)"])
        #expect(server.statistics.bytesReceived < 65_536)
        #expect(try client.answer().body.utf8.count == big)
        #expect(try client.answer().body == "/b")
        #expect(try client.answer().body == "/c")
    }

    @Test func `Many answers together are sent bit by bit to a slow client`() throws {
        let server = try TestServer { $0.backlogBytes = 65_536 }
        let client = try TestClient(server.port, receiveBuffer: 4096)
        client.send(String(repeating: .get("/big/100000"), count: 200))
        for _ in 0..<200 { #expect(try client.answer().body.utf8.count == 100_000) }
    }
}
