internal import Synchronization

/// The counters of one worker. Only the worker's thread writes; any thread may read.
final class WorkerCounters: Sendable {
    let open = Atomic(0)
    let accepted = Atomic(0)
    let refused = Atomic(0)
    let requests = Atomic(0)
    let parked = Atomic(0)
    let unanswered = Atomic(0)
    let received = Atomic(0)
    let sent = Atomic(0)
    private let rejected = Mutex<[String: Int]>([:])

    func reject(_ reason: String) { rejected.withLock { $0[reason, default: 0] += 1 } }

    func add(to sum: inout ServerStatistics) {
        sum.openConnections += open.value
        sum.acceptedConnections += accepted.value
        sum.refusedConnections += refused.value
        sum.requests += requests.value
        sum.parkedExchanges += parked.value
        sum.unansweredExchanges += unanswered.value
        sum.bytesReceived += received.value
        sum.bytesSent += sent.value
        sum.rejected.merge(rejected.withLock { $0 }) { $0 + $1 }
    }
}

extension Atomic<Int> {
    var value: Int { load(ordering: .relaxed) }

    /// Adds a number. Only one thread writes, so a plain load and store is enough instead of an atomic addition.
    func count(_ amount: Int = 1) { store(value &+ amount, ordering: .relaxed) }
}

/// The number of connections of all workers, with its limit.
final class ConnectionCount: Sendable {
    let limit: Int
    private let count = Atomic(0)

    init(limit: Int) { self.limit = limit }

    /// Counts one more connection. Returns false if there are too many.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue > limit else { return true }
        leave()
        return false
    }

    func leave() { count.subtract(1, ordering: .relaxed) }
}

/// The number of bytes that the daemon keeps for the connections of all workers, with its limit.
final class BufferedBytes: Sendable {
    private let limit: Int
    /// The number of bytes that one worker may keep, whatever the others keep.
    let share: Int
    private let count = Atomic(0)

    init(limit: Int, workers: Int) {
        self.limit = limit
        share = limit / max(workers, 1)
    }

    var isTooMuch: Bool { count.value > limit }

    func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}
