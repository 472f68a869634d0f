import EventLoop
import HTTPWire
import Testing

struct ParkingTests {
    @Test func `A parked exchange is answered when its ticket is completed`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/park"))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        #expect(server.statistics.parkedExchanges == 1)
        server.board.tickets[0].complete("done")
        server.board.tickets[0].complete("again")
        #expect(try client.answer().body == "done")
        client.send(.get("/next"))
        #expect(try client.answer().body == "/next")
        #expect(server.board.resumed == ["done"])
        #expect(server.statistics.parkedExchanges == 0)
    }

    @Test func `What is behind a parked exchange waits for it`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/park") + .get("/b") + .get("/park") + .get("/c"))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        let other = try server.client()
        other.send(.get("/other"))
        #expect(try other.answer().body == "/other")
        #expect(server.board.started == ["/park", "/other"])
        server.board.tickets[0].complete("first")
        #expect(try client.answer().body == "first")
        #expect(try client.answer().body == "/b")
        #expect(server.eventually { $0.board.tickets.count == 2 })
        server.board.tickets[1].complete("second")
        #expect(try client.answer().body == "second")
        #expect(try client.answer().body == "/c")
    }

    @Test func `What comes while an exchange is parked is kept, but not without end`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/park"))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        var sent = 0
        let batch = String(repeating: .get("/x"), count: 1000)
        while client.sendWithoutWaiting(batch) && sent < 1_000_000 { sent += 1 }
        #expect(server.statistics.bytesReceived < 1 << 20)
        server.board.tickets[0].complete("done")
        #expect(try client.answer().body == "done")
        for _ in 0..<1000 { #expect(try client.answer().body == "/x") }
    }

    @Test func `A wait that is over is answered with its own outcome`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/wait/20"))
        #expect(try client.answer().body == "nothing")
        server.board.tickets[0].complete("late")
        client.send(.get("/wait/100000"))
        #expect(server.eventually { $0.board.tickets.count == 2 })
        server.board.tickets[1].complete(nil)
        #expect(try client.answer().body == "nothing")
        #expect(server.board.resumed == ["nothing", "nothing"])
    }

    @Test(arguments: ["/park", "/wait/100000"])
    func `A client that breaks off frees its ticket`(_ path: String) throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get(path))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        client.reset()
        #expect(server.eventually { $0.statistics.openConnections == 0 && $0.statistics.parkedExchanges == 0 })
        server.board.tickets[0].complete("for nobody")
        let other = try server.client()
        other.send(.get("/other"))
        #expect(try other.answer().body == "/other")
        #expect(server.board.resumed == [])
        #expect(server.statistics.unansweredExchanges == 0)
    }

    @Test func `A client that only finished sending gets the answer it waits for`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/park"))
        client.finishSending()
        #expect(server.eventually { $0.board.tickets.count == 1 })
        server.board.tickets[0].complete("done")
        #expect(try client.answer().body == "done")
        #expect(try client.rest() == "")
    }

    @Test func `A long wait ends when its client finished sending`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/wait/1000000"))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        client.finishSending()
        #expect(try client.answer().body == "nothing")
        #expect(server.eventually { $0.statistics.openConnections == 0 })
        let hasty = try server.client()
        hasty.send(.get("/a") + .get("/wait/1000000"))
        hasty.finishSending()
        #expect(try hasty.rest().hasSuffix("nothing"))
    }

    @Test func `Many tickets completed together are all answered`() throws {
        let server = try TestServer(workers: 2)
        let clients = try (0..<50).map { _ in try server.client() }
        for client in clients { client.send(.get("/park")) }
        #expect(server.eventually { $0.board.tickets.count == 50 })
        for (number, ticket) in server.board.tickets.enumerated() { ticket.complete("\(number)") }
        let answers = Set(try clients.map { try $0.answer().body })
        #expect(answers == Set((0..<50).map { "\($0)" }))
    }

    @Test func `An exchange that a responder keeps may be answered from another request`() throws {
        let server = try TestServer()
        let first = try server.client()
        let second = try server.client()
        first.send(.get("/hold") + .get("/after"))
        second.send(.get("/hold"))
        #expect(server.eventually { $0.board.started.count == 2 })
        let third = try server.client()
        third.send(.get("/release"))
        #expect(try third.answer().body == "releasing")
        #expect(try first.answer().body == "released")
        #expect(try first.answer().body == "/after")
        #expect(try second.answer().body == "released")
    }

    @Test func `An exchange that a responder keeps outlives its client`() throws {
        let server = try TestServer()
        let first = try server.client()
        first.send(.get("/hold"))
        #expect(server.eventually { $0.board.started == ["/hold"] })
        first.reset()
        #expect(server.eventually { $0.statistics.openConnections == 0 })
        let second = try server.client()
        second.send(.get("/release"))
        #expect(try second.answer().body == "releasing")
        #expect(server.statistics.unansweredExchanges == 0)
    }
}
