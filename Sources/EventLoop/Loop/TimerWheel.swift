/// A slot of a worker's table of connections, and the generation of the connection in it.
struct ConnectionHandle: Sendable, Hashable {
    let slot: UInt32
    let generation: UInt32
}

/// The deadlines of many connections at very low cost: buckets of handles by the tick at which they are due.
///
/// Moving a deadline to a later time costs nothing: a connection that is called too early is inserted again. A
/// connection is therefore in the wheel about once, however often its deadline moves. A tick is 32 ms, and a deadline
/// is called up to one tick late.
struct TimerWheel {
    static let tickBits: Int64 = 5
    static let slots = 2048

    private var buckets = [[ConnectionHandle]](repeating: [], count: slots)
    /// All ticks before this one have been called.
    private var nextTick: Int64
    private(set) var count = 0

    init(now: Int64) { nextTick = now >> Self.tickBits }

    /// The first tick that begins at or after this time in milliseconds. It is at most one turn of the wheel ahead.
    func tick(for deadline: Int64) -> Int64 {
        let tick = (deadline &+ (1 << Self.tickBits) &- 1) >> Self.tickBits
        return min(max(tick, nextTick), nextTick + Int64(Self.slots) - 1)
    }

    /// Inserts a handle. `tick` must come from `tick(for:)`.
    mutating func insert(_ handle: ConnectionHandle, at tick: Int64) {
        buckets[Int(tick) & (Self.slots - 1)].append(handle)
        count += 1
    }

    /// Removes one due bucket and returns it with its tick; nil if none is due before or at `now`.
    mutating func takeDue(now: Int64) -> (tick: Int64, handles: [ConnectionHandle])? {
        let current = now >> Self.tickBits
        guard count > 0 else {
            nextTick = max(nextTick, current + 1)
            return nil
        }
        while nextTick <= current {
            let tick = nextTick
            let slot = Int(tick) & (Self.slots - 1)
            nextTick += 1
            guard !buckets[slot].isEmpty else { continue }
            let handles = buckets[slot]
            buckets[slot] = []
            count -= handles.count
            return (tick, handles)
        }
        return nil
    }

    /// The time in milliseconds at which the next bucket that is not empty begins; nil for an empty wheel.
    var nextDue: Int64? {
        guard count > 0 else { return nil }
        for tick in nextTick..<(nextTick + Int64(Self.slots)) where !buckets[Int(tick) & (Self.slots - 1)].isEmpty {
            return tick << Self.tickBits
        }
        return nil
    }
}
