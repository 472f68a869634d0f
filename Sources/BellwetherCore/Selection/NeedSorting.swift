internal import BellwetherJSON

/// Sorts a surface's messages by what they need: of the events that a message needs, the one that the fewest of them
/// need, and of that the trigger that needs it.
struct NeedSorting {
    typealias Group = (gate: SurfaceIndex.Gate?, members: [Int])

    /// Fewer messages than this are not worth a group of their own: they are put together with others of the event.
    static let minimumGroup = 8

    /// Positions of messages that need nothing.
    private(set) var free: [Int] = []
    /// Events, each with its groups in the order of their first messages.
    let events: [(name: ByteKey, groups: [Group])]

    private struct Need {
        let event: ByteKey
        let gate: SurfaceIndex.Gate
    }

    init(_ positions: [Int], _ messages: [Message], _ triggers: [CompiledTrigger]) {
        let needs = positions.map { Self.needs(of: messages[$0], triggers) }
        var demand: [ByteKey: Int] = [:]
        for needs in needs {
            for event in Set(needs.map(\.event)) { demand[event, default: 0] += 1 }
        }
        var members: [ByteKey: [SurfaceIndex.Gate: [Int]]] = [:]
        for (position, needs) in zip(positions, needs) {
            if let rarest = needs.min(by: { demand[$0.event, default: 0] < demand[$1.event, default: 0] }) {
                members[rarest.event, default: [:]][rarest.gate, default: []].append(position)
            } else {
                free.append(position)
            }
        }
        events = members.map { ($0, Self.groups($1)) }.sorted { $0.groups[0].members[0] < $1.groups[0].members[0] }
    }

    private static func groups(_ members: [SurfaceIndex.Gate: [Int]]) -> [Group] {
        let (large, small) = (
            members.filter { $1.count >= minimumGroup }, members.filter { $1.count < minimumGroup }
        )
        let others: [Group] = small.isEmpty ? [] : [(nil, small.flatMap(\.value).sorted())]
        return (large.map { ($0, $1) } + others).sorted { $0.members[0] < $1.members[0] }
    }

    /// A message is eligible only if each of its triggers holds and each of its exclusions is false.
    private static func needs(of message: Message, _ triggers: [CompiledTrigger]) -> [Need] {
        func needs(
            _ uses: [TriggerUse], _ wanted: TriggerOutcome, _ events: KeyPath<EventNeeds, [String]>
        ) -> [Need] {
            uses.flatMap { use in
                triggers[use.expression].needs[keyPath: events].map {
                    Need(
                        event: ByteKey(text: $0), gate: SurfaceIndex.Gate(trigger: use.expression, wanted: wanted))
                }
            }
        }
        return needs(message.triggers, .holds, \.toHold) + needs(message.exclusions, .fails, \.toFail)
    }
}
