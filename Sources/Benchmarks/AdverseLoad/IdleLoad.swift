import Foundation

/// Connections that say nothing; the server may close them when it likes.
final class IdleLoad: AdverseLoad {
    private let descriptors: [Int32]

    init(_ count: Int, port: Int) throws {
        descriptors = try (0..<count).map { _ in try LoopbackSocket.connect(to: port) }
        // They are there; that they come is what `Flood` is about.
        Thread.sleep(forTimeInterval: 3)
    }

    deinit { for descriptor in descriptors { LoopbackSocket.closeByReset(descriptor) } }

    func step(now: Int64) {}
}
