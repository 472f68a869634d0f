internal import BellwetherBase
internal import BellwetherJSON
internal import JEXL

/// The facts about a poll's client that the gates read. Each trigger is evaluated at most once for a decision, and at
/// most once for a context if attributes alone decide it.
final class ClientFacts: GateFacts {
    let catalog: Catalog
    let environment: TriggerEnvironment
    private let state: ClientState
    let askedSurface: Identifier?
    private let memo: ContextMemo
    /// The outcomes of triggers for this client now, by position in the catalog; 0: not evaluated yet. The array is
    /// empty before the first evaluation.
    private var ownOutcomes: [UInt8] = []
    private lazy var eventsHad = catalog.candidates.eventsHad(in: environment.behavior, environment.events)

    init(
        _ catalog: Catalog, environment: TriggerEnvironment, state: ClientState, memo: ContextMemo,
        askedSurface: Identifier? = nil
    ) {
        self.catalog = catalog
        self.environment = environment
        self.state = state
        self.memo = memo
        self.askedSurface = askedSurface
    }

    var ledger: DisplayLedger { state.ledger }
    var respondent: ClientState? { state }
    var respondentID: Identifier? { state.userID ?? environment.clientID }
    var clock: DecisionClock { environment.clock }
    var sessionID: Identifier? { environment.sessionID }
    var reportedCounters: ReportedCounters? { environment.context.counters }
    var offered: [Message] = []
    var quotaSteps = ReachedLimits.maximumSteps

    func attribute(_ name: String) -> JSONValue? { environment.context.value(of: name) }

    /// The same facts for one requested surface.
    func asking(_ surface: Identifier?) -> ClientFacts {
        ClientFacts(catalog, environment: environment, state: state, memo: memo, askedSurface: surface)
    }

    /// Whether the client has had the event without which the candidate cannot be eligible.
    @inline(__always)
    func hasRequiredEvent(of candidate: Candidate) -> Bool {
        candidate.requiredEvent < 0 || eventsHad[Int(candidate.requiredEvent)]
    }

    @inline(__always)
    func truth(of trigger: Int) -> PartialTruth {
        switch memo.outcome(of: trigger) ?? ownOutcome(of: trigger) {
        case .holds: .holds
        case .doesNotHold: .doesNotHold
        case .failed: .failed
        }
    }

    private func ownOutcome(of trigger: Int) -> TriggerOutcome {
        if ownOutcomes.isEmpty { ownOutcomes = Array(repeating: 0, count: catalog.triggers.count) }
        if let known = TriggerOutcome(code: ownOutcomes[trigger]) { return known }
        let outcome = catalog.triggers[trigger].outcome(in: environment)
        if catalog.candidates.isDecidedByContext[trigger] {
            memo.note(outcome, of: trigger)
        } else {
            ownOutcomes[trigger] = outcome.code
        }
        return outcome
    }

    func ledgerEntry(of message: Message) -> LedgerEntry? {
        guard !state.ledger.isEmpty, let entry = state.ledger.entry(of: message.key) else { return nil }
        return asked(message, entry)?.entry ?? entry
    }

    func askingEnds(of message: Message) -> Timestamp? {
        state.ledger.entry(of: message.key).flatMap { asked(message, $0)?.until }
    }

    /// The entry as `ledgerEntry`; an entry of zeros for a message that was never seen.
    func entry(of message: Message) -> LedgerEntry { ledgerEntry(of: message) ?? LedgerEntry(message: message.key) }

    /// The present asking of a message; nil for one that presents no repeating recipe.
    private func asked(_ message: Message, _ entry: LedgerEntry) -> (entry: LedgerEntry, until: Timestamp?)? {
        guard message.facts.isPresenting else { return nil }
        return PromptRule(of: message.facts, catalog.contents, state.surveys)?.current(entry) { clock.hasReached($0) }
    }

    /// The parts of a trigger that would have to change.
    func failingLeaves(of use: TriggerUse, wanted: Bool) -> [FailingLeaf] {
        let trigger = catalog.triggers[use.expression]
        switch trigger.expression {
        case .success(let expression): return expression.failingLeaves(in: environment, wanted: wanted)
        case .failure(let error): return [FailingLeaf(expression: trigger.source, values: [], error: error)]
        }
    }
}
