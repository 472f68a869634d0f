import Foundation

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
