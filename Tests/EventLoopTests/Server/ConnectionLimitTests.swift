import EventLoop
import TestSupport
import Testing

@Suite(.disabled(if: TestCertificates.areUsed, "a refusal over TLS would cost a handshake"))
struct ConnectionLimitTests {
    @Test func `One connection too many is told so, and room is made when one goes`() throws {
        let server = try TestServer(workers: 2) { $0.connections = 2 }
        let first = try server.client()
        let second = try server.client()
        for client in [first, second] {
            client.send(.get("/a"))
            #expect(try client.answer().body == "/a")
        }
        let third = try server.client()
        third.send(.get("/b"))
        let answer = try third.answer()
        #expect(answer.status == 503)
        #expect(answer.header("Retry-After") == "1")
        #expect(answer.saysClose)
        #expect(try third.rest() == "")
        #expect(!third.wasReset)
        #expect(server.statistics.refusedConnections == 1)
        #expect(server.statistics.openConnections == 2)
        first.close()
        #expect(server.eventually { $0.statistics.openConnections == 1 })
        let fourth = try server.client()
        fourth.send(.get("/c"))
        #expect(try fourth.answer().body == "/c")
        #expect(server.statistics.acceptedConnections == 3)
        #expect(server.board.started.sorted() == ["/a", "/a", "/c"])
    }

    @Test func `A flood beyond the limit leaves the server serving`() throws {
        let server = try TestServer { $0.connections = 1 }
        let inside = try server.client()
        inside.send(.get("/a"))
        #expect(try inside.answer().body == "/a")
        let flood = try (0..<200).map { _ in try server.client() }
        #expect(server.eventually { $0.statistics.refusedConnections == flood.count })
        inside.send(.get("/b"))
        #expect(try inside.answer().body == "/b")
        #expect(server.statistics.openConnections == 1)
    }
}
