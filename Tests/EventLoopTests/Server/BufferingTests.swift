import EventLoop
import HTTPWire
import TestSupport
import Testing

/// The memory that all connections together may occupy.
struct BufferingTests {
    private static let megabyte = 1 << 20

    private static let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(megabyte)\r\n\r\n"

    /// Announces a megabyte and sends a part of it.
    private func begin(_ client: TestClient, bytes: Int) {
        client.send(Self.head)
        client.send([UInt8](repeating: 0x61, count: bytes))
    }

    @Test func `Content beyond the bound is told so, and there is room again when it is gone`() throws {
        let server = try TestServer { $0.bufferedBytes = Self.megabyte }
        var clients = try (0..<6).map { _ in try server.client() }
        for client in clients { begin(client, bytes: 300_000) }
        // What follows a refusal is not decrypted, and is counted with what encryption adds.
        let sent = clients.count * (Self.head.utf8.count + 300_000)
        #expect(server.eventually { $0.statistics.bytesReceived >= sent })
        #expect(TestCertificates.areUsed || server.statistics.bytesReceived == sent)
        // At most three have room.
        let rejected = server.statistics.rejected["overload"] ?? 0
        #expect((3...5).contains(rejected))
        let small = try server.client()
        small.send(.get("/a") + .post("/echo", "content"))
        #expect(try small.answer().body == "/a")
        #expect(try small.answer().body == "content")
        var refused = 0
        for client in clients where try !client.isQuiet(milliseconds: 0) {
            let answer = try client.answer()
            #expect(answer.status == 503)
            #expect(answer.header("Retry-After") == "1")
            #expect(answer.saysClose)
            refused += 1
        }
        #expect(refused == rejected)
        clients.removeAll()
        #expect(server.eventually { $0.statistics.openConnections == 1 })
        let content = String(repeating: "x", count: 800_000)
        small.send(.post("/echo", content))
        #expect(try small.answer().body == content)
    }

    @Test func `Who does not take an answer is cut off when there is too much of that`() throws {
        let server = try TestServer { $0.bufferedBytes = Self.megabyte }
        let slow = try (0..<4).map { _ in try TestClient(server.port, receiveBuffer: 4096) }
        for client in slow { client.send(.get("/big/\(16 << 20)")) }
        #expect(server.eventually { $0.statistics.rejected == ["overload": slow.count] })
        #expect(server.eventually { $0.statistics.openConnections == 0 })
        let client = try server.client()
        client.send(.get("/a"))
        #expect(try client.answer().body == "/a")
    }

    @Test func `What is parked counts, and is finished`() throws {
        let server = try TestServer { $0.bufferedBytes = Self.megabyte }
        let parked = try server.client()
        parked.send(.post("/park", String(repeating: "x", count: 900_000)))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        let other = try server.client()
        begin(other, bytes: 300_000)
        #expect(try other.answer().status == 503)
        server.board.tickets[0].complete("done")
        #expect(try parked.answer().body == "done")
        let next = try server.client()
        next.send(.post("/echo", "content"))
        #expect(try next.answer().body == "content")
    }
}
