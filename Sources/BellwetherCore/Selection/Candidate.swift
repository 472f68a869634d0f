package import BellwetherJSON

/// The fields of a message that a linear scan reads. They contain no references, so a scan of thousands of candidates
/// does no reference counting.
package struct Candidate: BitwiseCopyable, Sendable {
    /// The message's position in the catalog.
    package let message: Int32
    /// The index in `requiredEvents` of an event that the client must have had for the message to be eligible; -1 if
    /// there is none.
    let requiredEvent: Int32
    /// Whether only clients of certain branches have the message.
    let isConditional: Bool
    /// Whether pacing, a presented recipe or the app's caps affect the message.
    let isPaced: Bool
    let triggers: ElementRange
    let exclusions: ElementRange

    /// A range of `CandidateTable.triggers`.
    package struct ElementRange: BitwiseCopyable, Sendable {
        let start: Int32
        let end: Int32

        var range: Range<Int> { Int(start)..<Int(end) }
    }
}

/// All messages of a catalog as candidates, in the order of selection. They are also grouped by surface. The table is
/// created at publish.
package struct CandidateTable: Sendable {
    /// The candidates, parallel to the catalog's messages.
    package private(set) var all: [Candidate] = []
    private let surfaces: [Identifier: [Candidate]]
    /// The positions of triggers in the catalog, for all candidates one after the other.
    private var triggers: [Int32] = []
    /// Whether the context alone decides a trigger, by its position in the catalog.
    let isDecidedByContext: [Bool]
    /// The events that candidates require, by number.
    let requiredEvents: [Identifier]
    private let eventNumbers: [Identifier: Int32]

    init(_ messages: [Message], _ compiled: [CompiledTrigger], isAppPaced: Bool) {
        isDecidedByContext = compiled.map(\.isDecidedByContext)
        let required = Self.requiredEvents(of: messages, compiled)
        var numbers: [Identifier: Int32] = [:]
        var events: [Identifier] = []
        for case .some(let event) in required where numbers[event] == nil {
            numbers[event] = Int32(events.count)
            events.append(event)
        }
        requiredEvents = events
        eventNumbers = numbers
        var triggers: [Int32] = []
        func append(_ uses: [TriggerUse]) -> Candidate.ElementRange {
            let start = triggers.count
            triggers += uses.map { Int32($0.expression) }
            return Candidate.ElementRange(start: Int32(start), end: Int32(triggers.count))
        }
        let candidates = messages.indices.map { position in
            Candidate(
                message: Int32(position), requiredEvent: required[position].flatMap { numbers[$0] } ?? -1,
                isConditional: !messages[position].requirements.isEmpty,
                isPaced: isAppPaced || messages[position].isPaced, triggers: append(messages[position].triggers),
                exclusions: append(messages[position].exclusions))
        }
        all = candidates
        self.triggers = triggers
        surfaces = Dictionary(grouping: candidates) { messages[Int($0.message)].facts.surface }
    }

    package func ofSurface(_ surface: Identifier) -> [Candidate] { surfaces[surface] ?? [] }

    var surfaceNames: some Collection<Identifier> { surfaces.keys }

    @inline(__always)
    func trigger(at index: Int) -> Int { Int(triggers[index]) }

    /// Whether the client has had each of the required events, by number.
    func eventsHad(in history: BehaviorHistory, _ events: DerivedEvents) -> [Bool] {
        var had = Array(repeating: false, count: requiredEvents.count)
        if requiredEvents.count <= history.count {
            for (number, event) in requiredEvents.enumerated() { had[number] = history.contains(events.counted(event)) }
        } else {
            history.forEachName { name in
                if let number = eventNumbers[name] { had[Int(number)] = true }
            }
        }
        return had
    }

    /// For each message an event that it requires; nil if it requires none. If there are several, it is the one that
    /// the fewest messages require.
    private static func requiredEvents(of messages: [Message], _ compiled: [CompiledTrigger]) -> [Identifier?] {
        let needs = messages.map { message -> [Identifier] in
            message.triggers.flatMap { compiled[$0.expression].needs.toHold }
                + message.exclusions.flatMap { compiled[$0.expression].needs.toFail }
        }
        var demand: [Identifier: Int] = [:]
        for events in needs { for event in Set(events) { demand[event, default: 0] += 1 } }
        return needs.map { $0.min { demand[$0, default: 0] < demand[$1, default: 0] } }
    }
}
