public import BellwetherJSON
internal import JEXL

/// The derived events of an app, each with the number of its definition (docs/reference/events.md#derived-events).
///
/// The number is the revision of the manifest with which the definition came into force. The counters of a client have
/// it, too, so that those of another definition do not count.
public struct DerivedEvents: Sendable {
    struct Entry: Sendable {
        let event: CountedEvent
        let derivation: EventDerivation
    }

    public static let none = DerivedEvents(entries: [:], byBase: [:], revision: 0)

    private let entries: [Identifier: Entry]
    private let byBase: [Identifier: [Entry]]
    /// The revision of the manifest.
    private let revision: UInt32

    private init(entries: [Identifier: Entry], byBase: [Identifier: [Entry]], revision: UInt32) {
        (self.entries, self.byBase, self.revision) = (entries, byBase, revision)
    }

    /// - Parameters:
    ///   - definitions: the revisions with which definitions came into force, by name.
    ///   - revision: the revision of the manifest, for a definition without one.
    package init(_ events: [Identifier: EventDeclaration], definitions: [Identifier: Int] = [:], revision: Int = 1) {
        var entries: [Identifier: Entry] = [:]
        for (name, event) in events {
            guard let derivation = event.derivation else { continue }
            let definition = UInt32(clamping: max(1, definitions[name] ?? revision))
            entries[name] = Entry(event: CountedEvent(name, definition: definition), derivation: derivation)
        }
        let sorted = entries.values.sorted { $0.event < $1.event }
        self.init(
            entries: entries, byBase: Dictionary(grouping: sorted) { $0.derivation.base },
            revision: UInt32(clamping: revision))
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// Whether clients cannot send an event of this name.
    public func contains(_ name: Identifier) -> Bool { entries[name] != nil }

    /// The event whose counter a query by name reads.
    func counted(_ name: Identifier) -> CountedEvent {
        entries.isEmpty ? CountedEvent(name) : entries[name]?.event ?? CountedEvent(name)
    }

    /// Whether a counter is of a definition that is not in force any more. One of a later revision of the manifest is
    /// not: another node has that revision already.
    func isOutdated(_ event: CountedEvent) -> Bool {
        event.definition != 0 && event.definition <= revision && event != counted(event.name)
    }

    /// The factor of the counts of an event: sums are counted in thousandths.
    func unit(of name: Identifier) -> Double { entries.isEmpty || entries[name]?.derivation.sum == nil ? 1 : 1000 }

    /// The events that follow from an event, by name in byte order.
    func events(from event: BehaviorEvent) -> [BehaviorEvent.Derived] {
        guard !byBase.isEmpty, let entries = byBase[event.name] else { return [] }
        return entries.compactMap { entry in
            guard entry.derivation.holds(for: event.properties) else { return nil }
            let count = entry.derivation.count(of: event)
            return count > 0 ? BehaviorEvent.Derived(event: entry.event, count: count) : nil
        }
    }
}

extension EventDerivation {
    /// The values that a sum adds.
    private static let summands: ClosedRange<Double> = 0...1_000_000_000

    fileprivate func holds(for properties: [Identifier: JSONValue]) -> Bool {
        guard let condition else { return true }
        return (try? condition.isTrue(in: PropertyEnvironment(properties: properties))) ?? false
    }

    /// The number of events, or the sum in thousandths.
    fileprivate func count(of event: BehaviorEvent) -> UInt64 {
        guard let sum else { return event.count }
        return Self.thousandths(event.properties[sum]).multipliedSaturating(by: event.count)
    }

    /// A number in thousandths, halves up; 0 for a number out of bounds, or none.
    static func thousandths(_ value: JSONValue?) -> UInt64 {
        guard let number = value?.double, summands.contains(number) else { return 0 }
        return UInt64((number * 1000).rounded())
    }
}

extension UInt64 {
    func multipliedSaturating(by other: UInt64) -> UInt64 {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? .max : product
    }
}

/// The properties of one event. One that was not read is null.
private struct PropertyEnvironment: JEXLEnvironment {
    let properties: [Identifier: JSONValue]

    func value(of identifier: String) -> JSONValue? { properties[Identifier(identifier)] ?? .null }
    func result(of query: EventQuery) -> Double { 0 }
    func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
}
