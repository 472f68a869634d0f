import Glibc
import TestSupport
import Testing

@testable import EventLoop

struct ListeningSocketTests {
    /// Where nothing bounds it, megabytes.
    @Test func `The system takes little of an answer that nobody reads`() throws {
        let socket = try #require(try ListeningSocket.bind(ServerSettings()).first)
        #expect(socket.listen(backlog: 1))
        let client = try TestClient(socket.port, receiveBuffer: 4096)
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
