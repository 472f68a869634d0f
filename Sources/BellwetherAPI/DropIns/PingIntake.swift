internal import Dispatch
internal import Synchronization

/// Reads pings beside a worker's loop, one after another: one of some megabytes would keep all others waiting. The
/// waiting pings are bounded in bytes; beyond that the daemon is overloaded.
final class PingIntake: Sendable {
    /// A ping costs this much more than its body.
    private static let overhead = 1024

    let queue = DispatchQueue(label: "bellwether.pings")
    private let waiting = Atomic<Int>(0)
    private let bound: Int

    init(bytes: Int) { bound = bytes }

    /// The bytes of pings that wait or are being read.
    var waitingBytes: Int { waiting.load(ordering: .relaxed) }

    /// False: too much waits. A ping that waits alone is always let in.
    func read(bytes: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
        let weight = bytes + Self.overhead
        let before = waiting.add(weight, ordering: .relaxed).oldValue
        guard before == 0 || before + weight <= bound else {
            waiting.subtract(weight, ordering: .relaxed)
            return false
        }
        queue.async { [self] in
            work()
            waiting.subtract(weight, ordering: .relaxed)
        }
        return true
    }
}
