import Foundation

/// Requests that never end: the client sends one byte a second on each connection (slowloris). A connection that the
/// server closes is opened again.
final class Drip: AdverseLoad {
    static let head = Array(
        """
        GET /v1/apps/\(SampleApp.name)/messages?client_id=slow HTTP/1.1\r\nHost: localhost\r\nX-Slow:
        """.utf8)
    static let body = Array(
        """
        POST /v1/apps/\(SampleApp.name)/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r
        Content-Length: 100000\r\n\r\n{"client_id":"
        """.utf8)
    private let port: Int
    private let opening: [UInt8]
    private var descriptors: [Int32]
    private var steps = 0
    private let start = MonotonicClock.now

    init(_ count: Int, port: Int, opening: [UInt8]) throws {
        self.port = port
        self.opening = opening
        descriptors = try (0..<count).map { _ in try LoopbackSocket.connect(to: port) }
        for descriptor in descriptors { _ = LoopbackSocket.send(opening, on: descriptor) }
    }

    deinit { for descriptor in descriptors { LoopbackSocket.closeByReset(descriptor) } }

    /// Sends on at most one connection in each step, and on each connection once a second.
    func step(now: Int64) {
        guard now - start > Int64(steps) * 1_000_000_000 / Int64(descriptors.count) else { return }
        let index = steps % descriptors.count
        steps += 1
        if LoopbackSocket.send([0x61], on: descriptors[index]) { return }
        close(descriptors[index])
        descriptors[index] = (try? LoopbackSocket.connect(to: port, waiting: false)) ?? -1
        _ = LoopbackSocket.send(opening, on: descriptors[index])
    }
}
