internal import BellwetherJSON

/// Sorts a surface's messages by the gate each is kept behind: of the events that a message needs, the one that the
/// fewest of them need.
struct GateSorting {
    /// Positions of messages that need nothing.
    private(set) var free: [Int] = []
    /// Events and their groups in the order of their first messages.
    private(set) var events: [(name: ByteKey, groups: [(gate: SurfaceIndex.Gate, members: [Int])])] = []

    init(_ positions: [Int], _ messages: [Message], _ triggers: [CompiledTrigger]) {
        let gates = positions.map { Self.gates(of: messages[$0], triggers) }
        var demand: [ByteKey: Int] = [:]
        for gates in gates {
            for event in Set(gates.map(\.event)) { demand[event, default: 0] += 1 }
        }
        var places: [SurfaceIndex.Gate: (event: Int, group: Int)] = [:]
        var eventPlaces: [ByteKey: Int] = [:]
        for (position, gates) in zip(positions, gates) {
            guard let gate = gates.min(by: { demand[$0.event, default: 0] < demand[$1.event, default: 0] }) else {
                free.append(position)
                continue
            }
            if let place = places[gate] {
                events[place.event].groups[place.group].members.append(position)
                continue
            }
            let event = eventPlaces[gate.event] ?? events.count
            if event == events.count {
                eventPlaces[gate.event] = event
                events.append((gate.event, []))
            }
            places[gate] = (event, events[event].groups.count)
            events[event].groups.append((gate, [position]))
        }
    }

    /// A message is eligible only if each of its triggers holds and each of its exclusions is false.
    private static func gates(of message: Message, _ triggers: [CompiledTrigger]) -> [SurfaceIndex.Gate] {
        func gates(
            _ uses: [TriggerUse], _ wanted: TriggerOutcome, _ events: KeyPath<EventNeeds, [String]>
        ) -> [SurfaceIndex.Gate] {
            uses.flatMap { use in
                triggers[use.expression].needs[keyPath: events].map {
                    SurfaceIndex.Gate(event: ByteKey(text: $0), trigger: use.expression, wanted: wanted)
                }
            }
        }
        return gates(message.triggers, .holds, \.toHold) + gates(message.exclusions, .fails, \.toFail)
    }
}
