import Foundation

/// Clients that request the whole bundle repeatedly and never read the responses.
final class NonReaders: AdverseLoad {
    private static let request = Array("GET /v1/apps/\(SampleApp.name)/bundle HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    private let port: Int
    private var descriptors: [Int32]
    private var steps = 0
    private let start = MonotonicClock.now

    init(_ count: Int, port: Int) throws {
        self.port = port
        descriptors = try (0..<count).map { _ in try LoopbackSocket.connect(to: port) }
    }

    deinit { for descriptor in descriptors { LoopbackSocket.closeByReset(descriptor) } }

    /// Each client sends four requests a second. A client that the server has disconnected connects again.
    func step(now: Int64) {
        guard now - start > Int64(steps) * 250_000_000 / Int64(descriptors.count) else { return }
        let index = steps % descriptors.count
        steps += 1
        if LoopbackSocket.send(Self.request, on: descriptors[index]) || errno == EAGAIN { return }
        close(descriptors[index])
        descriptors[index] = (try? LoopbackSocket.connect(to: port, waiting: false)) ?? -1
    }
}
