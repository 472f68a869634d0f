public import BellwetherBase
public import BellwetherJSON

/// A run of a flow by actions, one after another, which is not stored. Hooks are not called: each proceeds.
public struct FlowSimulation: Sendable {
    private let flow: FlowDefinition
    private let now: Timestamp
    private var move: FlowMove
    /// As a client sees the run at the start and after each action; of an action that was refused its faults.
    public private(set) var runs: [JSONValue] = []
    /// The events of all actions.
    public private(set) var events: [FlowEvent] = []
    /// The traces of the rules of the steps that were left.
    public private(set) var rules: [RuleTrace] = []

    /// The trace of one rule.
    public struct RuleTrace: Sendable {
        public let step: String
        /// Its index among the rules of the step.
        public let rule: Int
        /// Nil: a rule before it has decided.
        public let holds: Bool?
        /// The leaves of its condition with what they have seen.
        public let tests: [ConditionLeafTrace]
    }

    public init(_ flow: FlowDefinition, _ start: FlowStart, at now: Timestamp, _ budget: inout EvaluationBudget) {
        (self.flow, self.now) = (flow, now)
        move = flow.start(start, at: now)
        events = move.events
        runs = [.object(flow.view(move.run, &budget))]
    }

    public mutating func take(_ action: JSONValue, _ budget: inout EvaluationBudget) {
        do throws(FlowRefusal) {
            let action = try FlowAction(simulated: action)
            let advanced = try flow.advance(move.run, action, at: now, hook: .proceed(data: [:]), &budget)
            guard case .moved(let next) = advanced else { return }
            if next.run.counts[action.step]?.completed != move.run.counts[action.step]?.completed {
                traceRules(of: action.step, next.run, &budget)
            }
            move = next
            events += next.events
            runs.append(.object(flow.view(move.run, banner: move.banner, &budget)))
        } catch {
            runs.append(["errors": .array(error.faults().map(\.json))])
        }
    }

    private mutating func traceRules(of id: String, _ run: FlowRun, _ budget: inout EvaluationBudget) {
        guard let index = flow.steps.firstIndex(where: { $0.id == id }) else { return }
        let step = flow.steps[index]
        var facts = run.facts
        // As they were when the step was left.
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

extension FlowAction {
    fileprivate init(simulated value: JSONValue) throws(FlowRefusal) {
        let findings = Findings()
        let reader = JSONReader(value, findings: findings)
        let step = reader.required("step_id")?.string()
        let kind = reader.optional("action").map { $0.choice(FlowAction.Kind.self) } ?? .next
        let response = reader.optional("response").map { $0.object() } ?? [:]
        guard let step, let kind, let response else { throw .invalid(findings.faults.map(FlowFault.init)) }
        self.init(kind, at: step, response)
        passesChats = true
    }
}
