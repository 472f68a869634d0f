public import BellwetherBase
public import BellwetherJSON
public import JEXL

/// The whole behavior of one client: a counter for each event name (docs/reference/events.md#counters-and-intervals).
///
/// This type does not limit the number of names. The caller can limit it with `count` and `contains`.
public struct BehaviorHistory: Sendable, Hashable {
    /// The entries, by name in byte order.
    private var entries: [Entry] = []

    struct Entry: Sendable, Hashable {
        let name: Identifier
        var counter: EventCounter
    }

    public init() {}

    /// Creates a history from stored entries, whose names must rise in byte order.
    private init(entries: [Entry]) { self.entries = entries }

    /// The names in byte order.
    public var names: [Identifier] { entries.map(\.name) }

    /// The number of names.
    public var count: Int { entries.count }

    public var isEmpty: Bool { entries.isEmpty }

    public func contains(_ name: Identifier) -> Bool { search(for: name).isFound }

    public subscript(name: Identifier) -> EventCounter? { position(of: name).map { entries[$0].counter } }

    /// Counts an event at the current time.
    public mutating func record(_ name: Identifier, count: UInt64, at now: Timestamp) {
        change(name, at: now) { $0.record(count: count, at: now) }
    }

    /// Counts an event that happened in the past. Returns false and counts nothing if that time is later than now,
    /// where upstream fails too.
    public mutating func recordPast(_ name: Identifier, count: UInt64, at then: Timestamp, now: Timestamp) -> Bool {
        guard then <= now else { return false }
        return change(name, at: now) { $0.recordPast(count: count, at: then, now: now) }
    }

    /// The result of a query, as if the counters were advanced to now. An event that is not in the history was never
    /// seen.
    public func result(of query: EventQuery, at now: Timestamp) -> Double { value(to: query, at: now).value }

    /// The result of a query, and the time until which it holds if nothing is recorded. For an event that is not in the
    /// history it holds for ever. A result of `eventAgo` also has the time at which it turns.
    func value(to query: EventQuery, at now: Timestamp) -> (value: Double, end: Timestamp, turn: Timestamp?) {
        guard let position = position(of: query.event) else { return (query.kind.valueOfNothing, .distantFuture, nil) }
        let counter = entries[position].counter
        switch query.scope {
        case .buckets(let interval, let count, let start):
            let value = counter.result(of: query.kind, interval, count: count, start: start, at: now)
            return (value, counter.holdsUntil(interval, at: now), nil)
        case .seconds(let from, let to):
            guard from < to, let newest = counter.newestTime(at: now) else { return (0, .distantFuture, nil) }
            let elapsed = max(0, Double(now.milliseconds) - Double(newest.milliseconds))
            let turn = [from, to].filter { elapsed < $0 * 1000 }.min().map { newest.adding(upTo: $0 * 1000) }
            let isTrue = elapsed >= from * 1000 && elapsed < to * 1000
            return (isTrue ? 1 : 0, min(turn ?? .distantFuture, counter.holdsUntil(.years, at: now)), turn)
        case .since(let other):
            guard let newest = counter.newestTime(at: now) else { return (0, .distantFuture, nil) }
            let before = self[other].flatMap { $0.newestTime(at: now) }
            let isTrue = before.map { newest >= $0 } ?? true
            let end = self[other]?.holdsUntil(.years, at: now) ?? .distantFuture
            return (isTrue ? 1 : 0, min(end, counter.holdsUntil(.years, at: now)), nil)
        }
    }

    /// The time of the newest event of a name; nil if it never happened.
    public func newestTime(of name: Identifier, at now: Timestamp) -> Timestamp? {
        self[name]?.newestTime(at: now)
    }

    /// The number of events in the newest buckets of days; with `then` in the buckets before the one of that moment
    /// (docs/reference/goals.md#what-is-counted).
    func events(_ name: Identifier, days: Int, before then: Timestamp?, now: Timestamp) -> Double {
        guard let position = position(of: name) else { return 0 }
        let counter = entries[position].counter
        let start = then.map { 1 + Int(counter.days(since: $0, at: now)) } ?? 0
        return counter.result(of: .eventSum, .days, count: days, start: start, at: now)
    }

    var all: [Entry] { entries }

    private mutating func change<Result>(
        _ name: Identifier, at now: Timestamp, _ change: (inout EventCounter) -> Result
    ) -> Result {
        let found = search(for: name)
        if !found.isFound { entries.insert(Entry(name: name, counter: EventCounter(createdAt: now)), at: found.index) }
        return change(&entries[found.index].counter)
    }

    /// The index of a name. A typical client has few names, and a linear search is faster for them.
    private func position(of name: Identifier) -> Int? {
        guard entries.count > 8 else { return entries.firstIndex { $0.name == name } }
        let found = search(for: name)
        return found.isFound ? found.index : nil
    }

    /// The index of a name, or the index at which it would be inserted.
    private func search(for name: Identifier) -> (index: Int, isFound: Bool) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name < name {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return (low, low < entries.count && entries[low].name == name)
    }
}

extension BehaviorHistory {
    /// The names one by one, in byte order, without a list of them.
    func forEachName(_ body: (Identifier) -> Void) {
        let entries = all
        for index in entries.indices { body(entries[index].name) }
    }
}

extension Timestamp {
    /// The first millisecond that is at least so many milliseconds later.
    fileprivate func adding(upTo milliseconds: Double) -> Timestamp {
        adding(milliseconds: milliseconds < 0x1p62 ? Int64(milliseconds.rounded(.up)) : .max)
    }
}

/// The newest times, which are stored after the counters (`ClientState`). An earlier version of the daemon keeps them
/// unchanged, and may change the counters. So a digest of the counters is before them, and times of other counters are
/// ignored.
extension BehaviorHistory {
    func encodeTimes(into writer: inout PackedWriter) {
        writer.fixed16(digest)
        for entry in entries { entry.counter.packNewest(into: &writer) }
    }

    /// Returns false for bytes that `encodeTimes` does not write.
    mutating func decodeTimes(from reader: inout PackedReader) -> Bool {
        guard let digest = reader.fixed16() else { return false }
        guard digest == self.digest else {
            reader.skipRest()
            return true
        }
        for index in entries.indices where !entries[index].counter.readNewest(from: &reader) { return false }
        return true
    }

    private var digest: UInt64 {
        entries.reduce(UInt64(entries.count)) { $0 &* 31 &+ $1.counter.digest } & 0xFFFF
    }
}

extension BehaviorHistory {
    /// The first bytes of the packed form, which distinguish it from other forms.
    private static let format: UInt64 = 1

    /// Appends the history as bytes; equal histories have equal bytes.
    public func encode(into writer: inout PackedWriter) {
        writer.unsigned(Self.format)
        writer.unsigned(UInt64(count))
        var origin: Int64?
        for entry in all {
            writer.name(entry.name, by: .client)
            entry.counter.pack(into: &writer, after: origin)
            origin = entry.counter.origin
        }
    }

    /// Reads a history from the front of the bytes; nil for bytes that `encode` does not write.
    public init?(from reader: inout PackedReader) {
        guard reader.unsigned() == Self.format, let count = reader.count() else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        var origin: Int64?
        for _ in 0..<count {
            guard let name = reader.name(), let counter = EventCounter(from: &reader, after: origin) else { return nil }
            origin = counter.origin
            if let last = entries.last, last.name >= name { return nil }
            entries.append(Entry(name: name, counter: counter))
        }
        self.init(entries: entries)
    }
}
