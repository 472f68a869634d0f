import EventLoop
import HTTPWire
import Testing

/// Responses whose content follows piece by piece.
struct StreamTests {
    private func begun(_ server: TestServer, _ request: String = .get("/stream")) throws -> TestClient {
        let client = try server.client()
        client.send(request)
        #expect(server.eventually { $0.board.started.contains("stream begins") })
        return client
    }

    private func broadcast(_ message: String, to server: TestServer) { server.server.broadcast(message) {} }

    @Test func `Pieces come in chunks, and the connection ends after the last one`() throws {
        let server = try TestServer()
        let client = try begun(server)
        broadcast("write:one;", to: server)
        #expect(server.eventually { $0.board.received.count == 1 })
        broadcast("write:two;", to: server)
        broadcast("end", to: server)
        let text = try client.rest()
        #expect(text.contains("Transfer-Encoding: chunked\r\n") && text.contains("Connection: close\r\n"))
        #expect(!text.contains("Content-Length") && text.hasSuffix("0\r\n\r\n"))
        #expect(text.contains("6\r\nbegin;\r\n") && text.contains("4\r\none;\r\n") && text.contains("4\r\ntwo;\r\n"))
        #expect(server.eventually { $0.board.started.contains("stream ended") })
    }

    @Test func `A client of HTTP 1.0 gets the pieces until the connection ends`() throws {
        let server = try TestServer()
        let client = try begun(server, "GET /stream HTTP/1.0\r\nHost: a\r\n\r\n")
        broadcast("end", to: server)
        let text = try client.rest()
        #expect(text.hasSuffix("\r\n\r\nbegin;") && !text.contains("chunked"))
    }

    @Test func `The idle limit does not end a stream, and further requests wait in vain`() throws {
        let server = try TestServer { $0.idleSeconds = 0.05 }
        // On a machine under load, one client may be slower than that, but not a hundred clients.
        var streaming: TestClient?
        for _ in 0..<100 where streaming == nil {
            guard let client = try? server.client() else { continue }
            client.send(.get("/stream") + .get("/next"))
            if try client.readMore() { streaming = client }
        }
        let client = try #require(streaming)
        if let idle = try? server.client() {
            #expect(try idle.rest().isEmpty, "a connection without a request is closed")
        }
        broadcast("write:late;", to: server)
        broadcast("end", to: server)
        let text = try client.rest()
        #expect(text.contains("late;") && !text.contains("/next"))
    }

    @Test func `A reader that has gone ends its stream`() throws {
        let server = try TestServer()
        try begun(server).close()
        #expect(server.eventually { $0.board.started.contains("stream ended") })
        let other = try server.client()
        other.send(.get("/stream"))
        other.finishSending()
        #expect(try other.rest().contains("begin;"))
        #expect(server.eventually { $0.statistics.openConnections == 0 })
    }

    @Test func `A reader that takes nothing is disconnected`() throws {
        let server = try TestServer { $0.streamWriteSeconds = 0.05 }
        let client = try TestClient(server.port, receiveBuffer: 4096)
        client.send(.get("/stream"))
        #expect(server.eventually { $0.board.started.contains("stream begins") })
        for _ in 0..<16 { broadcast("flood", to: server) }
        #expect(server.eventually { $0.statistics.rejected["write_timeout"] == 1 })
        #expect(server.eventually { $0.board.started.contains("stream ended") })
    }

    @Test func `A drain ends streams at once`() throws {
        let server = try TestServer()
        let client = try begun(server)
        let drained = server.drain()
        #expect(try client.rest().contains("6\r\ndrain;\r\n0\r\n\r\n"))
        client.close()
        #expect(server.eventually { _ in drained.value == true })
    }
}
