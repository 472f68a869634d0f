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
    private let compiled: [CompiledTrigger]
    /// The library's, of each of those.
    private let numbers: [Int32]
    let series: TriggerLibrary.Series

    init(
        _ messages: [Message], _ compiled: [CompiledTrigger], numbers: [Int32], of series: TriggerLibrary.Series
    ) {
        self.compiled = compiled
        self.numbers = numbers
        self.series = series
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
    func isRuledOut(_ candidate: Candidate, _ truths: ContextTruths, _ environment: TriggerEnvironment) -> Bool {
        !all(candidate.stableTriggers, are: .holds, truths, environment)
            || !all(candidate.stableExclusions, are: .fails, truths, environment)
    }

    private func all(
        _ uses: Candidate.Uses, are wanted: TriggerOutcome, _ truths: ContextTruths, _ environment: TriggerEnvironment
    ) -> Bool {
        for index in uses.range where outcome(of: Int(triggers[index]), truths, environment) != wanted {
            return false
        }
        return true
    }

    /// Of a trigger that the context decides.
    private func outcome(
        of trigger: Int, _ truths: ContextTruths, _ environment: TriggerEnvironment
    ) -> TriggerOutcome {
        let number = Int(numbers[trigger])
        if let known = truths.outcome(of: number) { return known }
        let outcome = compiled[trigger].outcome(in: environment)
        truths.note(outcome, of: number)
        return outcome
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
