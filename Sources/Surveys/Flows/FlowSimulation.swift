public import BellwetherBase
public import BellwetherJSON

/// A run of a flow by a list of actions, which is not stored. No owner's server is called; a stand-in is used
/// (docs/reference/http-api.md#simulation).
public struct FlowSimulation: Sendable {
    /// The stand-in for hooks and chats.
    public enum StandIn: String, Sendable, Hashable, CaseIterable {
        /// Hooks proceed. Chats get the flow's sample replies, else the flow's own messages, else an echo.
        case proceed
        /// Advance hooks block.
        case block
        /// Every call fails, and the flow handles the failure.
        case fail
    }

    private let flow: FlowDefinition
    private let now: Timestamp
    /// Whether conversations take place. If not, `next` leaves a conversation that has not begun.
    private let holdsChats: Bool
    private var move: FlowMove
    /// The view of a client at the start and after each action. For a refused action, it contains the faults.
    public private(set) var runs: [JSONValue] = []
    /// The events of all actions.
    public private(set) var events: [FlowEvent] = []
    /// The traces of the rules of the steps that the run left.
    public private(set) var rules: [RuleTrace] = []

    /// The trace of one rule.
    public struct RuleTrace: Sendable {
        public let step: Identifier
        /// Its index among the rules of the step.
        public let rule: Int
        /// Whether the rule holds; nil if an earlier rule has decided.
        public let holds: Bool?
        /// The leaves of its condition, with the values that they read.
        public let tests: [ConditionLeafTrace]
    }

    public init(
        _ flow: FlowDefinition, _ start: FlowStart, at now: Timestamp, holdsChats: Bool = false,
        _ budget: inout EvaluationBudget
    ) {
        (self.flow, self.now, self.holdsChats) = (flow, now, holdsChats)
        move = flow.start(start, at: now)
        events = move.events
        runs = [answer(&budget)]
    }

    public mutating func take(_ action: JSONValue, _ budget: inout EvaluationBudget) {
        do throws(FlowRefusal) {
            let action = try SimulatedAction(action)
            let next = try self.next(action, &budget)
            if case .step(let taken) = action.change,
                next.run.counts[taken.step]?.completed != move.run.counts[taken.step]?.completed
            {
                traceRules(of: taken.step, next.run, &budget)
            }
            move = next
            events += next.events
            runs.append(answer(&budget))
        } catch {
            runs.append(["errors": .array(error.faults(in: flow.language).map(\.json))])
        }
    }

    /// The response of the routes of a run: RUN, or the result of an action in a conversation with the run.
    private func answer(_ budget: inout EvaluationBudget) -> JSONValue {
        let run = flow.view(move.run, banner: move.banner, &budget)
        guard let chat = move.chat else { return .object(run) }
        var answer = chat.json(run["chat"]?.object ?? [:])
        answer["run"] = .object(run)
        return .object(answer)
    }

    private func next(
        _ action: SimulatedAction, _ budget: inout EvaluationBudget
    ) throws(FlowRefusal) -> FlowMove {
        let at = action.at ?? now
        switch action.change {
        case .step(var step):
            step.passesChats = !holdsChats
            var advance = try flow.advance(move.run, step, at: at, hook: nil, &budget)
            if case .needs(let exchange) = advance {
                let hook = action.standIn.answer(to: exchange, in: flow.language)
                advance = try flow.advance(move.run, step, at: at, hook: hook, &budget)
            }
            guard case .moved(let next) = advance else { throw .wrongStep }
            return failing(next, action, secrets: flow.secrets(in: step))
        case .reveal(let step): return failing(try flow.reveal(step, move.run, at: at), action)
        case .chat(let chat, let step): return try converse(chat, at: step, action, at)
        }
    }

    /// Calls the render hook of the new step, with a failure as its result if the action requests one.
    private func failing(_ next: FlowMove, _ action: SimulatedAction, secrets: FlowSecrets = FlowSecrets()) -> FlowMove
    {
        guard action.standIn == .fail,
            let exchange = next.renderExchange(flow, from: move.run, asked: [], secrets: secrets),
            case .render(_, let banner?) = FlowHookOutcome(failureOf: exchange, in: flow.language)
        else { return next }
        var next = next
        next.banner = next.banner ?? FlowBanner(.error, banner)
        return next
    }

    private func converse(
        _ chat: ChatAction, at step: Identifier, _ action: SimulatedAction, _ at: Timestamp
    ) throws(FlowRefusal) -> FlowMove {
        let sent = try flow.chat(move.run, chat, at: step, key: "", now: at)
        guard let exchange = sent.chat?.exchange else { return sent }
        let reply: Result<ChatReply, ChatFailure> =
            action.standIn == .fail ? .failure(ChatFailure("nobody is asked")) : .success(exchange.standInReply)
        var heard = try flow.reply(sent.run, to: exchange.turn, at: step, reply, now: at)
        heard.events = sent.events + heard.events
        return heard
    }

    private mutating func traceRules(of id: Identifier, _ run: FlowRun, _ budget: inout EvaluationBudget) {
        guard let index = flow.index(of: id) else { return }
        let step = flow.steps[index]
        var facts = run.facts
        // These are the facts when the step was left.
        facts.previousStep = move.run.path.dropLast().last
        (facts.answers, facts.aliases) = (run.answers(of: id), step.aliases)
        var isDecided = false
        for (number, rule) in step.rules.enumerated() {
            let holds = isDecided ? nil : rule.condition.holds(for: facts, &budget)
            let tests = isDecided ? [] : rule.condition.trace(for: facts, &budget)
            rules.append(RuleTrace(step: id, rule: number, holds: holds, tests: tests))
            if holds == true, flow.leads(rule, from: id) { isDecided = true }
        }
    }
}

extension FlowSimulation.StandIn {
    fileprivate func answer(to exchange: FlowHookCall, in language: FlowLanguage) -> FlowHookResult {
        switch self {
        case .proceed: return .proceed(data: [:])
        case .block: return .block(message: nil)
        case .fail:
            guard case .advance(let result) = FlowHookOutcome(failureOf: exchange, in: language) else {
                return .proceed(data: [:])
            }
            return result
        }
    }
}

/// An action of a simulation, and the stand-in for the owner's server.
private struct SimulatedAction {
    enum Change {
        case step(FlowAction)
        case chat(ChatAction, step: Identifier)
        /// Goes to a step, whatever the rules are.
        case reveal(Identifier)
    }

    let change: Change
    let standIn: FlowSimulation.StandIn
    /// The time of the action; nil: the time at which the run began.
    let at: Timestamp?

    private enum Kind: String, CaseIterable { case next, skip, back, reveal }

    init(_ value: JSONValue) throws(FlowRefusal) {
        let findings = Findings()
        let reader = JSONReader(value, findings: findings)
        let step = reader.required("step_id")?.identifier()
        let kind = reader.optional("action").map { $0.choice(Kind.self) } ?? .next
        let response = reader.optional("response").map { $0.object() } ?? [:]
        let chat = reader.optional("chat").map { ChatAction($0) }
        let standIn = reader.optional("hook").map { $0.choice(FlowSimulation.StandIn.self) } ?? .proceed
        at = reader.optional("at").flatMap { $0.time() }
        let host = reader.optional("host")
        _ = host?.object()
        guard findings.faults.isEmpty, let step, let kind, let response, let standIn else {
            throw .invalid(findings.faults.map(FlowFault.init))
        }
        self.standIn = standIn
        if let chat {
            guard let chat else { throw .invalid(findings.faults.map(FlowFault.init)) }
            change = .chat(chat, step: step)
            return
        }
        guard let way = FlowAction.Kind(rawValue: kind.rawValue) else {
            change = .reveal(step)
            return
        }
        var action = FlowAction(way, at: step, response)
        action.host = host.flatMap { FlowHookResult($0.value) }
        change = .step(action)
    }
}
