import EventLoop
import Testing

/// The times are as short as possible. The tests prove that the end comes, and which end it is.
struct DeadlineTests {
    @Test func `A connection with no request is closed without a word`() throws {
        let server = try TestServer { $0.idleSeconds = 0.05 }
        // On a machine under load, one client may be slower than that, but not a hundred clients. The limit holds for
        // a handshake, too.
        var silent: TestClient?
        for _ in 0..<100 where silent == nil { silent = try? server.client() }
        #expect(try silent?.rest() == "")
        var served: TestClient?
        for _ in 0..<100 where served == nil {
            guard let client = try? server.client() else { continue }
            client.send(.get("/a"))
            if (try? client.answer())?.body == "/a" { served = client }
        }
        #expect(try served?.rest() == "")
        #expect(server.statistics.rejected == [:])
    }

    @Test func `A head that is not finished in time is refused, however often a byte comes`() throws {
        let server = try TestServer {
            $0.headSeconds = 0.1
            $0.idleSeconds = 1000
        }
        let client = try server.client()
        client.send("GET / HTTP/1.1\r\nX: ")
        while server.statistics.rejected.isEmpty && client.sendWithoutWaiting("y") {
            _ = try client.isQuiet(milliseconds: 5)
        }
        #expect(try client.answer().status == 408)
        #expect(try client.rest() == "")
        #expect(server.statistics.rejected == ["head_timeout": 1])
    }

    @Test func `The time of a second head counts from its own first byte`() throws {
        let server = try TestServer { $0.headSeconds = 0.1 }
        let client = try server.client()
        client.send(.get("/a") + "GET /b")
        #expect(try client.answer().body == "/a")
        #expect(try client.answer().status == 408)
    }

    @Test(arguments: ["Content-Length: 1000", "Transfer-Encoding: chunked"])
    func `Content that is not finished in time is refused`(_ framing: String) throws {
        let server = try TestServer {
            $0.contentSeconds = 0.1
            $0.bytesPerSecond = 1 << 20
        }
        let client = try server.client()
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
        while server.statistics.rejected.isEmpty && client.sendWithoutWaiting("1") {
            _ = try client.isQuiet(milliseconds: 5)
            if framing.hasPrefix("Transfer") { break }
        }
        #expect(try client.answer().status == 408)
        #expect(server.statistics.rejected == ["content_timeout": 1])
    }

    @Test func `Large content gets time by its size`() throws {
        let server = try TestServer {
            $0.contentSeconds = 0.001
            $0.bytesPerSecond = 10
        }
        let client = try server.client()
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        #expect(try client.isQuiet(milliseconds: 150))
        client.send(String(repeating: "x", count: 1000))
        #expect(try client.answer().status == 200)
    }

    @Test func `A client that does not take its answer is cut off`() throws {
        let server = try TestServer {
            $0.writeSeconds = 0.1
            $0.bytesPerSecond = 1 << 30
        }
        let client = try TestClient(server.port, receiveBuffer: 4096)
        client.send(.get("/big/8000000"))
        #expect(server.eventually { $0.statistics.rejected == ["write_timeout": 1] })
        #expect(server.eventually { $0.statistics.openConnections == 0 })
    }

    @Test func `A client that stays after its last answer is let go`() throws {
        let server = try TestServer { $0.lingerSeconds = 0.05 }
        let client = try server.client()
        client.send(.get("/a", "Connection: close"))
        #expect(try client.rest().hasSuffix("/a"))
        #expect(server.eventually { $0.statistics.openConnections == 0 })
    }
}
