internal import BellwetherService

/// Counts the requests in progress, in total and for each host, and queues requests that wait for a slot. The request
/// that has waited longest comes first.
struct RequestSlots {
    /// The bounds of requests in progress.
    static let bound = 1000
    static let hostBound = 64
    /// The bounds of waiting requests: their number, and the bytes of their bodies.
    static let waitingBound = 10_000
    static let waitingBytes = 64 << 20

    private var underWay = 0
    private var underWayByHost: [String: Int] = [:]
    private var waiting: [Transfer.Order] = []
    private var bytes = 0
    /// The first deadline of the waiting requests, or an earlier time; in `MonotonicTime`.
    private(set) var nextDeadline: UInt64?

    enum Admission { case begins, waits, refused }

    mutating func admit(_ order: Transfer.Order) -> Admission {
        if hasSlot(order.host) {
            takeSlot(order.host)
            return .begins
        }
        guard waiting.count < Self.waitingBound, bytes + order.request.body.count <= Self.waitingBytes else {
            return .refused
        }
        waiting.append(order)
        bytes += order.request.body.count
        nextDeadline = min(nextDeadline ?? .max, order.deadline)
        return .waits
    }

    /// Notes that a request to the host has ended. Returns the waiting request that begins in its place.
    mutating func free(_ host: String) -> Transfer.Order? {
        underWay -= 1
        let count = underWayByHost[host] ?? 0
        underWayByHost[host] = count > 1 ? count - 1 : nil
        guard let next = waiting.firstIndex(where: { hasSlot($0.host) }) else { return nil }
        let order = waiting.remove(at: next)
        takeSlot(order.host)
        bytes -= order.request.body.count
        return order
    }

    /// The requests whose deadline passed while they waited.
    mutating func takeLate(at now: UInt64) -> [Transfer.Order] {
        guard let deadline = nextDeadline, deadline <= now else { return [] }
        return take { $0.deadline <= now }
    }

    mutating func takeAll() -> [Transfer.Order] { take { _ in true } }

    private mutating func take(_ isMeant: (Transfer.Order) -> Bool) -> [Transfer.Order] {
        let taken = waiting.filter(isMeant)
        waiting.removeAll(where: isMeant)
        bytes = waiting.reduce(0) { $0 + $1.request.body.count }
        nextDeadline = waiting.map(\.deadline).min()
        return taken
    }

    private func hasSlot(_ host: String) -> Bool {
        underWay < Self.bound && underWayByHost[host] ?? 0 < Self.hostBound
    }

    private mutating func takeSlot(_ host: String) {
        underWay += 1
        underWayByHost[host, default: 0] += 1
    }
}
