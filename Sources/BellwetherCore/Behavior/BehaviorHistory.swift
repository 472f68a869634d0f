public import BellwetherBase
public import BellwetherJSON
public import JEXL

/// The whole behavior of one client: a counter for each event name (docs/reference/events.md#counters-and-intervals).
///
/// This type does not limit the number of names. The caller can limit it with `count` and `contains`.
public struct BehaviorHistory: Sendable, Hashable {
    /// The entries, in the order of their events.
    private var entries: [Entry] = []

    struct Entry: Sendable, Hashable {
        let event: CountedEvent
        var counter: EventCounter
    }

    public init() {}

    /// Creates a history from stored entries, whose events must rise.
    init(entries: [Entry]) { self.entries = entries }

    /// The names of the events that clients have sent, in byte order.
    public var names: [Identifier] { entries.filter { $0.event.definition == 0 }.map(\.event.name) }

    /// The counters of derived events, by name in byte order. Sums are in thousandths.
    public var derivedCounters: [(name: Identifier, counter: EventCounter)] {
        entries.filter { $0.event.definition != 0 }.map { ($0.event.name, $0.counter) }
    }

    /// The number of events, derived ones included.
    public var count: Int { entries.count }

    public var isEmpty: Bool { entries.isEmpty }

    public func contains(_ name: Identifier) -> Bool { contains(CountedEvent(name)) }

    func contains(_ event: CountedEvent) -> Bool { search(for: event).isFound }

    public subscript(name: Identifier) -> EventCounter? { counter(of: CountedEvent(name)) }

    private func counter(of event: CountedEvent) -> EventCounter? { position(of: event).map { entries[$0].counter } }

    /// Counts an event at the current time.
    public mutating func record(_ name: Identifier, count: UInt64, at now: Timestamp) {
        change(CountedEvent(name), at: now) { $0.record(count: count, at: now) }
    }

    /// Counts an event that happened in the past. Returns false and counts nothing if that time is later than now,
    /// where upstream fails too.
    public mutating func recordPast(_ name: Identifier, count: UInt64, at then: Timestamp, now: Timestamp) -> Bool {
        guard then <= now else { return false }
        return change(CountedEvent(name), at: now) { $0.recordPast(count: count, at: then, now: now) }
    }

    /// Counts an event, and the events that follow from it, now or at a time in the past. Returns false and counts
    /// nothing if that time is later than now. Counters of earlier definitions are removed.
    public mutating func record(
        _ event: BehaviorEvent, at then: Timestamp? = nil, now: Timestamp, of events: DerivedEvents
    ) -> Bool {
        if let then, then > now { return false }
        // Only a hypothetical event is a derived one itself.
        let count = event.count.multipliedSaturating(by: UInt64(events.unit(of: event.name)))
        let counts = [(events.counted(event.name), count)] + event.derived.map { ($0.event, $0.count) }
        for (event, count) in counts {
            change(event, at: now) { counter in
                if let then { return counter.recordPast(count: count, at: then, now: now) }
                counter.record(count: count, at: now)
                return true
            }
        }
        entries.removeAll { events.isOutdated($0.event) }
        return true
    }

    /// The result of a query, as if the counters were advanced to now. An event that is not in the history was never
    /// seen.
    public func result(of query: EventQuery, at now: Timestamp, of events: DerivedEvents) -> Double {
        value(to: query, at: now, of: events).value
    }

    /// The result of a query, and the time until which it holds if nothing is recorded. For an event that is not in the
    /// history it holds for ever. A result of `eventAgo` also has the time at which it turns.
    func value(
        to query: EventQuery, at now: Timestamp, of events: DerivedEvents
    ) -> (value: Double, end: Timestamp, turn: Timestamp?) {
        guard let position = position(of: events.counted(query.event)) else {
            return (query.kind.valueOfNothing, .distantFuture, nil)
        }
        let counter = entries[position].counter
        switch query.scope {
        case .buckets(let interval, let count, let start):
            let value = counter.result(of: query.kind, interval, count: count, start: start, at: now)
            let unit = query.kind.isAmount ? events.unit(of: query.event) : 1
            return (value / unit, counter.holdsUntil(interval, at: now), nil)
        case .seconds(let from, let to):
            guard from < to, let newest = counter.newestTime(at: now) else { return (0, .distantFuture, nil) }
            let elapsed = max(0, Double(now.milliseconds) - Double(newest.milliseconds))
            let turn = [from, to].filter { elapsed < $0 * 1000 }.min().map { newest.adding(upTo: $0 * 1000) }
            let isTrue = elapsed >= from * 1000 && elapsed < to * 1000
            return (isTrue ? 1 : 0, min(turn ?? .distantFuture, counter.holdsUntil(.years, at: now)), turn)
        case .since(let other):
            guard let newest = counter.newestTime(at: now) else { return (0, .distantFuture, nil) }
            let other = self.counter(of: events.counted(other))
            let isTrue = other?.newestTime(at: now).map { newest >= $0 } ?? true
            let end = other?.holdsUntil(.years, at: now) ?? .distantFuture
            return (isTrue ? 1 : 0, min(end, counter.holdsUntil(.years, at: now)), nil)
        }
    }

    /// The time of the newest event of a name; nil if it never happened.
    public func newestTime(of name: Identifier, at now: Timestamp, of events: DerivedEvents) -> Timestamp? {
        counter(of: events.counted(name))?.newestTime(at: now)
    }

    /// The number of events in the newest buckets of days; with `then` in the buckets before the one of that moment
    /// (docs/reference/goals.md#what-is-counted).
    func events(_ event: CountedEvent, days: Int, before then: Timestamp?, now: Timestamp) -> Double {
        guard let counter = counter(of: event) else { return 0 }
        let start = then.map { 1 + Int(counter.days(since: $0, at: now)) } ?? 0
        return counter.result(of: .eventSum, .days, count: days, start: start, at: now)
    }

    var all: [Entry] { entries }

    @discardableResult private mutating func change<Result>(
        _ event: CountedEvent, at now: Timestamp, _ change: (inout EventCounter) -> Result
    ) -> Result {
        let found = search(for: event)
        if !found.isFound {
            entries.insert(Entry(event: event, counter: EventCounter(createdAt: now)), at: found.index)
        }
        return change(&entries[found.index].counter)
    }

    /// The index of an event. A typical client has few events, and a linear search is faster for them.
    private func position(of event: CountedEvent) -> Int? {
        guard entries.count > 8 else { return entries.firstIndex { $0.event == event } }
        let found = search(for: event)
        return found.isFound ? found.index : nil
    }

    /// The index of an event, or the index at which it would be inserted.
    private func search(for event: CountedEvent) -> (index: Int, isFound: Bool) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].event < event {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return (low, low < entries.count && entries[low].event == event)
    }
}

extension BehaviorHistory {
    /// The names one by one, in byte order, without a list of them.
    func forEachName(_ body: (Identifier) -> Void) {
        let entries = all
        for index in entries.indices { body(entries[index].event.name) }
    }
}

extension Timestamp {
    /// The first millisecond that is at least so many milliseconds later.
    fileprivate func adding(upTo milliseconds: Double) -> Timestamp {
        adding(milliseconds: milliseconds < 0x1p62 ? Int64(milliseconds.rounded(.up)) : .max)
    }
}
