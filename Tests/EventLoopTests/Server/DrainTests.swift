import EventLoop
import HTTPWire
import TestSupport
import Testing

struct DrainTests {
    @Test func `An idle server ends and listens no more`() throws {
        let server = try TestServer(workers: 2)
        let idle = try server.client()
        idle.send(.get("/a"))
        #expect(try idle.answer().body == "/a")
        let drained = server.drain()
        #expect(eventually { drained.value != nil })
        #expect(drained.value == true)
        #expect(try idle.rest() == "")
        #expect(throws: TestClient.Failure.self) { try server.client() }
    }

    @Test func `What is in flight is finished`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/park"))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        let drained = try server.beginDrain()
        #expect(drained.value == nil)
        server.board.tickets[0].complete("done")
        let answer = try client.answer()
        #expect(answer.body == "done")
        #expect(answer.saysClose)
        #expect(try client.rest() == "")
        client.close()
        #expect(eventually { drained.value == true })
    }

    @Test func `A request that is half here is finished`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.answer().status == 100)
        let drained = try server.beginDrain()
        client.send("done")
        let answer = try client.answer()
        #expect(answer.body == "done")
        #expect(answer.saysClose)
        client.close()
        #expect(eventually { drained.value == true })
    }

    @Test func `Long waits end with their own outcome`() throws {
        let server = try TestServer(workers: 2)
        let clients = try (0..<20).map { _ in try server.client() }
        for client in clients { client.send(.get("/wait/1000000")) }
        #expect(server.eventually { $0.board.tickets.count == 20 })
        let drained = server.drain()
        for client in clients {
            let answer = try client.answer()
            #expect(answer.body == "nothing")
            #expect(answer.saysClose)
            client.close()
        }
        #expect(eventually { drained.value == true })
    }

    @Test func `A wait that begins during the drain ends at once`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/park") + .get("/wait/1000000"))
        let second = try server.client()
        second.send("GET /wait/1000000 HTTP/1.1\r\n")
        #expect(server.eventually { $0.board.tickets.count == 1 && $0.statistics.openConnections == 2 })
        _ = try server.beginDrain()
        second.send("Host: a\r\n\r\n")
        #expect(try second.answer().body == "nothing")
        server.board.tickets[0].complete("done")
        #expect(try client.answer().body == "done")
    }

    @Test func `What does not end in time is cut off`() throws {
        let server = try TestServer { $0.drainSeconds = 0.05 }
        let client = try server.client()
        client.send(.get("/park"))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        let drained = server.drain()
        #expect(eventually { drained.value != nil })
        #expect(drained.value == false)
        #expect(try client.rest() == "")
        server.board.tickets[0].complete("for nobody")
        #expect(server.board.resumed == [])
        #expect(server.statistics.openConnections == 0)
    }

    @Test func `Clients that the kernel has let in are served`() throws {
        let server = try TestServer()
        let clients = try (0..<30).map { _ in try server.client() }
        for client in clients { client.send(.get("/a")) }
        let drained = server.drain()
        for client in clients {
            let answer = try client.answer()
            #expect(answer.body == "/a")
            client.close()
        }
        #expect(eventually { drained.value == true })
    }

    @Test func `A request that comes soon after an answer is answered, though the drain has begun`() throws {
        let server = try TestServer { $0.drainIdleSeconds = 60 }
        let client = try server.client()
        client.send(.get("/a"))
        #expect(try client.answer().saysClose == false)
        let drained = server.drain()
        #expect(eventually { (try? server.client()) == nil })
        #expect(drained.value == nil)
        client.send(.get("/b"))
        let answer = try client.answer()
        #expect(answer.body == "/b")
        #expect(answer.saysClose)
        #expect(try client.rest() == "")
        client.close()
        #expect(eventually { drained.value == true })
    }

    @Test func `Requests that had arrived are all answered, and only the last answer says close`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/park") + .get("/a") + .get("/big/100000") + .get("/b"))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        let drained = try server.beginDrain()
        // A later request is read, but gets no response.
        client.send(.get("/late"))
        server.board.tickets[0].complete("done")
        let answers = try (0..<4).map { _ in try client.answer() }
        #expect(answers.map { $0.body.prefix(4) } == ["done", "/a", "xxxx", "/b"])
        #expect(answers.map(\.saysClose) == [false, false, false, true])
        #expect(try client.rest() == "")
        client.close()
        #expect(eventually { drained.value == true })
        #expect(!server.board.started.contains("/late"))
    }

    @Test func `Requests that nobody has read yet count as arrived`() throws {
        let server = try TestServer { $0.headBytes = 1024 }
        let client = try server.client()
        let count = 400
        client.send(.get("/park") + String(repeating: .get("/a"), count: count))
        #expect(server.eventually { $0.board.tickets.count == 1 })
        let drained = try server.beginDrain()
        server.board.tickets[0].complete("done")
        let answers = try (0...count).map { _ in try client.answer() }
        #expect(answers.map(\.saysClose) == Array(repeating: false, count: count) + [true])
        client.close()
        #expect(eventually { drained.value == true })
    }

    @Test func `A second drain is answered, too, and so is one before the start`() throws {
        let server = try TestServer()
        let first = server.drain()
        let second = server.drain()
        #expect(eventually { first.value == true && second.value == true })
        let third = server.drain()
        #expect(third.value == true)
        let unstarted = try Server(ServerSettings()) { TestResponder($0, $1, Board()) }
        let box = Box<Bool>()
        unstarted.drain { box.value = $0 }
        #expect(box.value == true)
    }
}
