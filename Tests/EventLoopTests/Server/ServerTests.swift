import EventLoop
import Glibc
import HTTPWire
import TestSupport
import Testing

struct ServerTests {
    @Test func `All workers share one free port`() throws {
        let server = try TestServer(workers: 2)
        #expect(server.port > 0)
        var seen: Set<String> = []
        // The kernel spreads connections by their addresses: a few dozen reach every worker.
        for _ in 0..<1000 where seen.count < 2 {
            let client = try server.client()
            client.send(.get("/worker"))
            seen.insert(try client.answer().body)
        }
        #expect(seen == ["0", "1"])
    }

    @Test func `A broadcast is acknowledged when every worker has it`() throws {
        let server = try TestServer(workers: 2)
        let seen = Box<[String]>()
        server.server.broadcast("news") { [board = server.board] in seen.value = board.received.sorted() }
        #expect(eventually { seen.value != nil })
        #expect(seen.value == ["0:news", "1:news"])
    }

    @Test func `Broadcasts arrive in their order, before requests that come later`() throws {
        let server = try TestServer()
        let client = try server.client()
        for round in 0..<50 {
            let acknowledged = Box<Bool>()
            server.server.broadcast(round) { acknowledged.value = true }
            #expect(eventually { acknowledged.value == true })
            client.send(.get("/\(round)"))
            _ = try client.answer()
        }
        #expect(server.board.received == (0..<50).map { "0:\($0)" })
    }

    @Test func `A broadcast before the start is delivered at the start, one after the end is acknowledged`() throws {
        let board = Board()
        let server = try Server(ServerSettings()) { TestResponder($0, $1, board) }
        let early = Box<Bool>()
        let late = Box<Bool>()
        server.broadcast("early") { early.value = true }
        #expect(early.value == nil)
        try server.start()
        #expect(eventually { early.value == true })
        let drained = Box<Bool>()
        server.drain { drained.value = $0 }
        #expect(eventually { drained.value == true })
        server.broadcast("late") { late.value = true }
        #expect(eventually { late.value == true })
        #expect(board.received == ["0:early"])
    }

    @Test func `A broadcast can answer what a responder keeps`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(.get("/hold") + .get("/after"))
        #expect(server.eventually { $0.board.started == ["/hold"] })
        server.server.broadcast("release") {}
        #expect(try client.answer().body == "release")
        #expect(try client.answer().body == "/after")
    }

    @Test func `An address in use is refused with a reason`() throws {
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(other) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(other, pointer, length)
                getsockname(other, pointer, &length)
            }
            return Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
        listen(other, 1)
        let settings = ServerSettings(host: "127.0.0.1", port: port, workers: 1)
        #expect(throws: ServerError.bind(host: "127.0.0.1", port: port, reason: "Address already in use")) {
            try Server(settings) { TestResponder($0, $1, Board()) }
        }
    }

    @Test(arguments: ["not an address", "256.0.0.1.", "::::"])
    func `A host that is none is refused`(_ host: String) {
        #expect(throws: ServerError.host(host)) {
            try Server(ServerSettings(host: host, port: 0, workers: 1)) { TestResponder($0, $1, Board()) }
        }
    }

    @Test(arguments: [-1, 65_536])
    func `A port that is none is refused`(_ port: Int) {
        #expect(throws: ServerError.self) {
            try Server(ServerSettings(host: "127.0.0.1", port: port, workers: 1)) { TestResponder($0, $1, Board()) }
        }
    }
}
