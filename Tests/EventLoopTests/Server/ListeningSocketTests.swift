import Glibc
import TestSupport
import Testing

@testable import EventLoop

struct ListeningSocketTests {
    /// The workers of one server share a port; two servers do not, because the kernel would split the connections
    /// between them.
    @Test func `A port on which another server listens is taken`() throws {
        let first = try TestServer(workers: 2)
        var settings = ServerSettings(host: "127.0.0.1", port: first.server.port, workers: 2)
        func bind() throws -> Server { try Server(settings) { [board = first.board] in TestResponder($0, $1, board) } }
        let taken = ServerError.bind(host: "127.0.0.1", port: first.server.port, reason: "Address already in use")
        #expect(throws: taken) { try bind() }
        settings.host = "0.0.0.0"
        #expect(throws: ServerError.self) { try bind() }
        settings.host = "127.0.0.1"
        // Connections that are still closing do not block the port.
        let client = try first.client()
        defer { client.close() }
        let result = first.drain()
        #expect(first.eventually { _ in result.value != nil })
        #expect(try bind().port == first.server.port)
    }

    /// Without a limit, the system would buffer megabytes.
    @Test func `The system takes little of an answer that nobody reads`() throws {
        let socket = try #require(try ListeningSocket.bind(ServerSettings().addresses[0], workers: 1).first)
        #expect(socket.listen(backlog: 1))
        let client = try TestClient(socket.port, receiveBuffer: 4096, isEncrypted: false)
        defer { client.close() }
        var accepted: Int32 = -1
        #expect(
            eventually {
                accepted = accept(socket.descriptor, nil, nil)
                return accepted >= 0
            })
        defer { close(accepted) }
        let part = [UInt8](repeating: 0x61, count: 65_536)
        var taken = 0
        while taken < 16 << 20 {
            let count = send(accepted, part, part.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            guard count > 0 else { break }
            taken += count
        }
        #expect(taken > 0)
        #expect(taken <= 2 * Int(ListeningSocket.unsentBytes) + 2 * part.count)
    }
}
