import Foundation

/// Connections that are closed at once: half of them after a part of a request, half of them by a reset.
final class Flood: AdverseLoad {
    private let port: Int
    private let interval: Int64
    private var count = 0
    private var start: Int64 = 0

    init(perSecond: Int, port: Int) {
        self.port = port
        interval = 1_000_000_000 / Int64(perSecond)
    }

    /// Opens at most one connection in each step. If the generator's own work delays a step, later steps catch up.
    func step(now: Int64) {
        if start == 0 { start = now }
        guard now - start > Int64(count) * interval else { return }
        count += 1
        guard let descriptor = try? LoopbackSocket.connect(to: port, waiting: false) else { return }
        if count.isMultiple(of: 2) { _ = LoopbackSocket.send(Array("GET /v1/ap".utf8), on: descriptor) }
        if count.isMultiple(of: 4) { LoopbackSocket.closeByReset(descriptor) } else { close(descriptor) }
    }
}
