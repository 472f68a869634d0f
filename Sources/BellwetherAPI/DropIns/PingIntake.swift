internal import Dispatch
internal import Synchronization

/// Reads pings outside a worker's loop, one after another: a ping of several megabytes would delay all other requests.
/// The waiting pings are bounded in bytes; beyond the bound the daemon is overloaded.
final class PingIntake: Sendable {
    /// The memory of a ping beyond its body.
    private static let overhead = 1024

    let queue = DispatchQueue(label: "bellwether.pings")
    private let waiting = Atomic<Int>(0)
    private let bound: Int

    init(bytes: Int) { bound = bytes }

    /// The bytes of the pings that wait or are being read.
    var waitingBytes: Int { waiting.load(ordering: .relaxed) }

    /// Runs the work later. Returns false if too many bytes wait; a ping is always accepted if no other one waits.
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
