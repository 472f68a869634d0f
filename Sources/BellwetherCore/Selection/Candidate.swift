/// What selection looks at of a message: its triggers, split into those that a context decides and those that each
/// client decides. Plain bits, so that looking at many counts no references.
struct Candidate: BitwiseCopyable, Sendable {
    /// Its place among the catalog's messages.
    let message: Int32
    /// Whether only some clients have the message in this form.
    let isConditional: Bool
    let stableTriggers: Uses
    let stableExclusions: Uses
    let openTriggers: Uses
    let openExclusions: Uses

    /// A run of `CandidateTable.triggers`.
    struct Uses: BitwiseCopyable, Sendable {
        let start: Int32
        let end: Int32

        var range: Range<Int> { Int(start)..<Int(end) }
    }
}

/// All candidates of a catalog, parallel to its messages.
struct CandidateTable: Sendable {
    private(set) var candidates: [Candidate] = []
    /// Places of triggers in the catalog, of all candidates one after the other.
    private(set) var triggers: [Int32] = []

    init(_ messages: [Message], _ compiled: [CompiledTrigger]) {
        for (place, message) in messages.enumerated() {
            let isStable = { (use: TriggerUse) in compiled[use.expression].isDecidedByContext }
            candidates.append(
                Candidate(
                    message: Int32(place), isConditional: !message.requirements.isEmpty,
                    stableTriggers: add(message.triggers.filter(isStable)),
                    stableExclusions: add(message.exclusions.filter(isStable)),
                    openTriggers: add(message.triggers.filter { !isStable($0) }),
                    openExclusions: add(message.exclusions.filter { !isStable($0) })))
        }
    }

    private mutating func add(_ uses: [TriggerUse]) -> Candidate.Uses {
        let start = triggers.count
        triggers += uses.map { Int32($0.expression) }
        return Candidate.Uses(start: Int32(start), end: Int32(triggers.count))
    }

    /// Whether the context makes the message ineligible for all its clients. An error or a deciding value anywhere in
    /// a list has the same effect as if it stood first.
    func isRuledOut(_ candidate: Candidate, _ outcomes: inout PollOutcomes, _ environment: TriggerEnvironment) -> Bool {
        !all(candidate.stableTriggers, are: .holds, &outcomes, environment)
            || !all(candidate.stableExclusions, are: .fails, &outcomes, environment)
    }

    /// Whether the client's own counters, clock and branches let it through.
    func isOpen(_ candidate: Candidate, _ outcomes: inout PollOutcomes, _ environment: TriggerEnvironment) -> Bool {
        all(candidate.openTriggers, are: .holds, &outcomes, environment)
            && all(candidate.openExclusions, are: .fails, &outcomes, environment)
    }

    private func all(
        _ uses: Candidate.Uses, are wanted: TriggerOutcome, _ outcomes: inout PollOutcomes,
        _ environment: TriggerEnvironment
    ) -> Bool {
        for index in uses.range where outcomes.outcome(of: Int(triggers[index]), in: environment) != wanted {
            return false
        }
        return true
    }
}
