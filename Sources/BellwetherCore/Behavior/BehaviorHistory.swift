public import BellwetherBase
internal import BellwetherJSON
public import JEXL

/// Everything that one client did: a counter for each event name (docs/reference/events.md#counters-and-intervals).
///
/// Names are compared byte for byte. The number of names is not bounded here: `count` and `contains` let the caller do
/// so.
public struct BehaviorHistory: Sendable, Hashable {
    /// By name, in byte order.
    private var entries: [Entry] = []

    struct Entry: Sendable, Hashable {
        let name: String
        var counter: EventCounter

        static func == (left: Entry, right: Entry) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.counter == right.counter
        }
    }

    public init() {}

    /// Takes stored entries; names must rise in byte order.
    private init(entries: [Entry]) { self.entries = entries }

    /// In byte order.
    public var names: [String] { entries.map(\.name) }

    /// The number of names.
    public var count: Int { entries.count }

    public var isEmpty: Bool { entries.isEmpty }

    public func contains(_ name: String) -> Bool { search(for: name).isFound }

    public subscript(name: String) -> EventCounter? { position(of: name).map { entries[$0].counter } }

    /// Counts an event now.
    public mutating func record(_ name: String, count: UInt64, at now: Timestamp) {
        change(name, at: now) { $0.record(count: count, at: now) }
    }

    /// Counts an event that happened at another time than now. False, and nothing happens, where upstream fails: if
    /// that time is later than now.
    public mutating func recordPast(_ name: String, count: UInt64, at then: Timestamp, now: Timestamp) -> Bool {
        guard then <= now else { return false }
        return change(name, at: now) { $0.recordPast(count: count, at: then, now: now) }
    }

    /// The answer to a query, as if the counters were advanced to now; an event that is not known was never seen.
    public func result(of query: EventQuery, at now: Timestamp) -> Double {
        guard let position = position(of: query.event) else { return query.kind.valueOfNothing }
        return entries[position].counter.result(of: query, at: now)
    }

    /// The answer, and until when it holds if nothing is recorded.
    func value(to query: EventQuery, at now: Timestamp) -> (value: Double, end: Timestamp) {
        guard let position = position(of: query.event) else { return (query.kind.valueOfNothing, .distantFuture) }
        let value = entries[position].counter.result(of: query, at: now)
        return (value, entries[position].counter.holdsUntil(query.interval, at: now))
    }

    /// Until when that answer holds if nothing is recorded; for ever about an event that is not known.
    public func holdsUntil(_ query: EventQuery, at now: Timestamp) -> Timestamp {
        guard let position = position(of: query.event) else { return .distantFuture }
        return entries[position].counter.holdsUntil(query.interval, at: now)
    }

    var all: [Entry] { entries }

    private mutating func change<Result>(
        _ name: String, at now: Timestamp, _ change: (inout EventCounter) -> Result
    ) -> Result {
        let found = search(for: name)
        if !found.isFound { entries.insert(Entry(name: name, counter: EventCounter(createdAt: now)), at: found.index) }
        return change(&entries[found.index].counter)
    }

    /// Where the name is. A typical client has few names, which are searched quicker from the front.
    private func position(of name: String) -> Int? {
        guard entries.count > 8 else { return entries.firstIndex { $0.name.hasSameBytes(as: name) } }
        let found = search(for: name)
        return found.isFound ? found.index : nil
    }

    /// Where the name is, or would be.
    private func search(for name: String) -> (index: Int, isFound: Bool) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name.precedes(name) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return (low, low < entries.count && entries[low].name.hasSameBytes(as: name))
    }
}

extension BehaviorHistory {
    /// The names one by one, in byte order, without a list of them.
    func forEachName(_ body: (String) -> Void) {
        let entries = all
        for index in entries.indices { body(entries[index].name) }
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

    /// Takes a history off the front; nil for what `encode` does not write.
    public init?(from reader: inout PackedReader) {
        guard reader.unsigned() == Self.format, let count = reader.count() else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        var origin: Int64?
        for _ in 0..<count {
            guard let name = reader.name(), let counter = EventCounter(from: &reader, after: origin) else { return nil }
            origin = counter.origin
            if let last = entries.last, !last.name.precedes(name) { return nil }
            entries.append(Entry(name: name, counter: counter))
        }
        self.init(entries: entries)
    }
}
