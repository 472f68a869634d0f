internal import BellwetherJSON

/// A surface's messages, split by what a client must have had to see them (docs/decisions/0022): a run of those that ask
/// for nothing, and for each event the groups of those that need it. Places are those of `order`.
final class SurfaceIndex: Sendable {
    /// Positions in the catalog, run by run, each run in the order of selection.
    let order: [Int32]
    /// Of those that need no event.
    let free: Range<Int>
    /// Event by event; those of one event by their first message.
    let groups: [Group]
    private let events: [Event]
    private let eventPlaces: [ByteKey: Int]

    /// What a trigger must come to, and the event that it needs for that.
    struct Gate: Sendable, Hashable {
        let event: ByteKey
        let trigger: Int
        let wanted: TriggerOutcome
    }

    /// Messages of one gate.
    struct Group: BitwiseCopyable, Sendable {
        let trigger: Int
        let wanted: TriggerOutcome
        let places: Places
    }

    /// A part of `order`, never empty.
    struct Places: BitwiseCopyable, Sendable {
        let start: Int
        let end: Int
    }

    private struct Event: Sendable {
        let name: String
        /// A part of `groups`.
        let groups: Range<Int>
    }

    /// `positions` are a surface's, rising.
    init(_ positions: [Int], of messages: [Message], _ triggers: [CompiledTrigger]) {
        let sorting = GateSorting(positions, messages, triggers)
        var order = sorting.free.map { Int32($0) }
        var groups: [Group] = []
        var events: [Event] = []
        free = 0..<order.count
        for event in sorting.events {
            let first = groups.count
            for (gate, members) in event.groups {
                let places = Places(start: order.count, end: order.count + members.count)
                order += members.map { Int32($0) }
                groups.append(Group(trigger: gate.trigger, wanted: gate.wanted, places: places))
            }
            events.append(Event(name: event.name.text, groups: first..<groups.count))
        }
        self.order = order
        self.groups = groups
        self.events = events
        eventPlaces = Dictionary(
            uniqueKeysWithValues: events.enumerated().map { (ByteKey(text: $1.name), $0) })
    }

    /// Of a surface without messages.
    static let empty = SurfaceIndex([], of: [], [])

    /// Whether all clients go through the same run.
    var isUniform: Bool { events.isEmpty }

    /// The groups that a client may see something of: those of the events it has had.
    func forEachEvent(of history: BehaviorHistory, _ body: (Range<Int>) -> Void) {
        if events.count <= history.count {
            for event in events where history.contains(event.name) { body(event.groups) }
        } else {
            history.forEachName { name in
                if let place = eventPlaces[ByteKey(text: name)] { body(events[place].groups) }
            }
        }
    }
}
