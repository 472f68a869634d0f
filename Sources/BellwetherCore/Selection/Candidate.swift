/// A message with its triggers split into those that a context decides and those that each client decides.
final class Candidate: Sendable {
    let message: Message
    private let stableTriggers: [Int]
    private let stableExclusions: [Int]
    private let openTriggers: [Int]
    private let openExclusions: [Int]

    init(_ message: Message, triggers: [CompiledTrigger]) {
        self.message = message
        let isStable = { (use: TriggerUse) in triggers[use.expression].isDecidedByContext }
        stableTriggers = message.triggers.filter(isStable).map(\.expression)
        stableExclusions = message.exclusions.filter(isStable).map(\.expression)
        openTriggers = message.triggers.filter { !isStable($0) }.map(\.expression)
        openExclusions = message.exclusions.filter { !isStable($0) }.map(\.expression)
    }

    /// Whether the context makes the message ineligible for all its clients. An error or a deciding value anywhere in
    /// a list has the same effect as if it stood first.
    func isRuledOut(_ verdicts: ContextVerdicts, _ environment: TriggerEnvironment, poll: UInt32) -> Bool {
        !stableTriggers.allSatisfy { verdicts.outcome(of: $0, in: environment, poll: poll) == .holds }
            || !stableExclusions.allSatisfy { verdicts.outcome(of: $0, in: environment, poll: poll) == .fails }
    }

    /// Whether the client's own counters, clock and branches let it through.
    func isOpen(_ verdicts: ContextVerdicts, _ environment: TriggerEnvironment, poll: UInt32) -> Bool {
        for trigger in openTriggers where verdicts.outcome(of: trigger, in: environment, poll: poll) != .holds {
            return false
        }
        for trigger in openExclusions where verdicts.outcome(of: trigger, in: environment, poll: poll) != .fails {
            return false
        }
        return true
    }
}
