public import BellwetherBase
public import BellwetherJSON
public import Surveys

/// A use case that may need more than rows of the store: one transaction, which the `ActionDriver` submits again until
/// it has an outcome (ARCHITECTURE.md#an-action).
protocol Action: Sendable {
    associatedtype Outcome: Sendable

    var transaction: Transaction<ActionStep<Self>> { get }

    /// Actions with the same subject take turns; nil if the action does not wait for others.
    var subject: FlowTurns.Subject? { get }

    /// Continues after a wait, with the app as it is now.
    ///
    /// - Returns: the outcome, if the action can no longer have another one.
    mutating func resume(_ apps: ActionDriver.Apps) -> Outcome?

    /// Whether the outcome is a new run, which counts for the client's address.
    static func beginsRun(_ outcome: Outcome) -> Bool
}

extension Action {
    /// The result of applying the transaction to rows.
    typealias Step = TransactionStep<ActionStep<Self>>
    /// The writes of the transaction, and its result.
    typealias Written = TransactionOutcome<ActionStep<Self>>

    var subject: FlowTurns.Subject? { nil }

    mutating func resume(_ apps: ActionDriver.Apps) -> Outcome? { nil }

    static func beginsRun(_ outcome: Outcome) -> Bool { false }
}

/// The result of an action's transaction.
enum ActionStep<Performed: Action>: Sendable {
    case done(Performed.Outcome)
    /// The action needs this first.
    case needs(Need<Performed>)
}

/// A need of an action, before its transaction can have an outcome. Rows of the store are no need: the writer reads
/// them within a batch (`TransactionStep.needs`).
enum Need<Performed: Action>: Sendable {
    /// Room in this row, which lists as many of the respondent's runs as may be.
    ///
    /// - Parameter otherwise: the outcome if no run can be deleted.
    case room(RowName, otherwise: Performed.Outcome)
    /// A judgement that takes too long among other writes. The function judges with the budget of a whole save.
    case judgement(@Sendable () -> (next: Performed, overruns: EvaluationBudget.Overruns))
    /// A call of the owner's server. The function completes once, on any thread; without a next action if the daemon
    /// stops.
    case call(
        @Sendable (
            _ driver: ActionDriver, _ requester: Requester, _ completion: @escaping @Sendable (Performed?) -> Void
        ) -> Void)
    /// One of the runs that the client's address may begin.
    ///
    /// - Parameters:
    ///   - next: the action with the allowance.
    ///   - refused: the outcome, from the seconds until the address may begin another run.
    case allowance(next: Performed, refused: @Sendable (Int64) -> Performed.Outcome)
    /// The end of another daemon's action on the same subject.
    case turn
}

extension TransactionStep {
    /// The action ends with this outcome, and writes nothing.
    static func end<Performed: Action>(_ outcome: Performed.Outcome) -> Self where Value == ActionStep<Performed> {
        .done(TransactionOutcome(result: .done(outcome)))
    }

    /// The action needs something first, and writes nothing.
    static func need<Performed: Action>(_ need: Need<Performed>) -> Self where Value == ActionStep<Performed> {
        .done(TransactionOutcome(result: .needs(need)))
    }
}

/// The facts about the requester of an action that the driver uses.
public struct Requester: Sendable {
    /// The bytes of the request, which are kept while the action waits.
    public var bytes = 0
    /// The name of the streams whose reader is the requester.
    public var stream: String?
    /// The trace to which webhooks of the action, and its calls of the owner's server, belong; nil if there is none.
    public var trace: TraceContext?
    /// The name under which judgements take turns with those of other requesters.
    public var name: Identifier?
    /// The limit of the runs that the client's address begins; nil if there is none.
    public var allowance: Allowance?
    /// Called with the budget overruns of each judgement that was made apart from other writes, on any thread.
    public var judgedApart: @Sendable (EvaluationBudget.Overruns) -> Void = { _ in }

    public init() {}
}

/// The limit of the runs that an address begins. Its functions are called on any thread, and do not block.
public struct Allowance: Sendable {
    /// Takes one run. Returns 0, or the seconds until the address may begin another one.
    public let take: @Sendable () -> Int64
    /// Gives the run back, because none began.
    public let giveBack: @Sendable () -> Void

    public init(take: @escaping @Sendable () -> Int64, giveBack: @escaping @Sendable () -> Void) {
        (self.take, self.giveBack) = (take, giveBack)
    }
}
