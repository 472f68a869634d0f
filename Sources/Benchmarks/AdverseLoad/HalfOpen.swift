import Foundation

/// Connections whose client vanishes in the middle of a request, without a packet to the server. Where the system does
/// not allow that (it needs CAP_NET_ADMIN), the client only shuts down its sending side.
final class HalfOpen: AdverseLoad {
    private static let request = Array("POST /v1/apps/\(SampleApp.name)/events HTTP/1.1\r\nHost: loc".utf8)
    private let port: Int
    private let count: Int
    private var kept: [Int32] = []

    init(_ count: Int, port: Int) throws {
        self.port = port
        self.count = count
        for _ in 0..<count { try open() }
    }

    deinit { for descriptor in kept { close(descriptor) } }

    private func open() throws {
        let descriptor = try LoopbackSocket.connect(to: port)
        _ = LoopbackSocket.send(Self.request, on: descriptor)
        if LoopbackSocket.vanish(descriptor) { return }
        shutdown(descriptor, Int32(SHUT_WR))
        kept.append(descriptor)
    }

    func step(now: Int64) {}
}

/// Connections that send nothing. The server may close them at any time.
final class IdleLoad: AdverseLoad {
    private let descriptors: [Int32]

    init(_ count: Int, port: Int) throws {
        descriptors = try (0..<count).map { _ in try LoopbackSocket.connect(to: port) }
        // The row measures connections that exist already; `Flood` measures how they are opened.
        Thread.sleep(forTimeInterval: 3)
    }

    deinit { for descriptor in descriptors { LoopbackSocket.closeByReset(descriptor) } }

    func step(now: Int64) {}
}
