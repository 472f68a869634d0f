internal import BellwetherJSON

/// A surface's messages, split by what a client must have had to see them (docs/decisions/0022): a run of those that
/// ask for nothing, and for each event the groups of those that need it. Places are those of `order`.
final class SurfaceIndex: Sendable {
    /// Positions in the catalog, run by run, each run in the order of selection.
    let order: [Int32]
    /// How many need no event; they come first.
    let free: Int
    /// Event by event; those of one event by their first message.
    let groups: [Group]
    private let events: [Event]
    private let eventPlaces: [ByteKey: Int]

    /// What a trigger must come to.
    struct Gate: BitwiseCopyable, Hashable, Sendable {
        let trigger: Int
        let wanted: TriggerOutcome
    }

    /// Messages that need one event.
    struct Group: BitwiseCopyable, Sendable {
        /// What all of them ask for; nil where each has a trigger of its own.
        let gate: Gate?
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

    /// Of a surface without messages.
    static let empty = SurfaceIndex([], of: [], [])

    /// `positions` are a surface's, rising.
    init(_ positions: [Int], of messages: [Message], _ triggers: [CompiledTrigger]) {
        let sorting = NeedSorting(positions, messages, triggers)
        var order = sorting.free.map { Int32($0) }
        var groups: [Group] = []
        var events: [Event] = []
        free = order.count
        for (name, own) in sorting.events {
            for (gate, members) in own {
                let places = Places(start: order.count, end: order.count + members.count)
                order += members.map { Int32($0) }
                groups.append(Group(gate: gate, places: places))
            }
            events.append(Event(name: name.text, groups: groups.count - own.count..<groups.count))
        }
        self.order = order
        self.groups = groups
        self.events = events
        eventPlaces = Dictionary(
            uniqueKeysWithValues: events.enumerated().map { (ByteKey(text: $1.name), $0) })
    }

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
