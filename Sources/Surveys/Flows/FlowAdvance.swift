public import BellwetherBase
public import BellwetherJSON

/// An action of a respondent at a step.
public struct FlowAction: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case next
        case skip
        case back
    }

    /// The step that the respondent sees.
    public var step: Identifier
    public var kind: Kind
    public var response: JSONObject
    /// The result of the client's own hook for `next`. The step's hook is then not called.
    public var host: FlowHookResult?
    /// Whether `next` leaves a conversation that has not begun, because the client cannot show conversations.
    public var passesChats = false

    public init(_ kind: Kind, at step: Identifier, _ response: JSONObject = [:]) {
        (self.kind, self.step, self.response) = (kind, step, response)
    }
}

/// The reason why an action changed nothing.
public enum FlowRefusal: Error, Sendable, Hashable {
    case runEnded
    case wrongStep
    /// The flow does not allow `skip`, `back` or dismissal there, as the text says.
    case notAllowed(String)
    case invalid([FlowFault])
    /// The run would exceed the size that a store accepts.
    case tooLarge

    /// Whether the state of the run is the reason, and not the respondent's answers.
    public var isConflict: Bool {
        switch self {
        case .runEnded, .wrongStep, .notAllowed: true
        case .invalid, .tooLarge: false
        }
    }

    /// - Parameter language: the language of the flow that refused the action.
    public func faults(in language: FlowLanguage = .english) -> [FlowFault] {
        switch self {
        case .runEnded: [FlowFault("run_ended", at: [], language.say(.runEnded))]
        case .wrongStep: [FlowFault("wrong_step", at: ["step_id"], language.say(.wrongStep))]
        case .notAllowed(let message): [FlowFault("not_allowed", at: ["action"], message)]
        case .invalid(let faults): faults
        case .tooLarge:
            [FlowFault(AnswerFault.Code.tooLong.rawValue, at: ["response"], language.say(.tooManyAnswers))]
        }
    }
}

/// One record of the log that a run causes. Records are in the order in which they happened
/// (docs/reference/flows.md#events).
public struct FlowEvent: Sendable, Hashable {
    public let name: Identifier
    public let extra: JSONObject

    public init(_ name: Identifier, _ extra: JSONObject) { (self.name, self.extra) = (name, extra) }
}

/// A text that is shown above the step.
public struct FlowBanner: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case error
        case success
    }

    public let kind: Kind
    public let text: String

    public init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

    public var json: JSONValue { ["kind": .string(kind.rawValue), "text": .string(text)] }
}

/// A run after an action.
public struct FlowMove: Sendable, Hashable {
    public var run: FlowRun
    public var events: [FlowEvent]
    public var banner: FlowBanner?
    /// The files that this action added to the run.
    public var files: [FlowFile] = []
    /// The notice of an action in a conversation.
    public var chat: ChatNotice?
}

/// The result of an action.
public enum FlowAdvance: Sendable {
    case moved(FlowMove)
    /// The step's hook decides. The caller must call it, and then advance again with its result.
    case needs(FlowHookCall)
}

/// A call of a step's hook, before the respondent leaves the step or before the step is shown.
public struct FlowHookCall: Sendable {
    public let occasion: FlowHook.Occasion
    public let hook: FlowHook
    public let step: FlowStep
    public let stepIndex: Int
    /// The answers to the step, including secret ones. They are for this one request only.
    public let answers: JSONObject
    /// The passwords of the action. Parts of the hook's response that repeat them are dropped.
    public let secrets: FlowSecrets
    /// The values that the hook and the templates in its headers may read. It is the run with the answers to the step,
    /// without secrets.
    public let run: FlowRun

    /// Whether an answer is secret. Such a request is not put into a queue.
    public var hasSecret: Bool { occasion == .advance && !secrets.isEmpty }
}

extension FlowMove {
    /// The call that is due before the move is written, because the run has come to a step with a render hook.
    ///
    /// - Parameters:
    ///   - asked: the steps whose hook was already called.
    ///   - secrets: the passwords of the action.
    public func renderExchange(
        _ flow: FlowDefinition, from before: FlowRun?, asked: [Identifier], secrets: FlowSecrets
    ) -> FlowHookCall? {
        guard let id = run.stepID, let index = flow.index(of: id), let hook = flow.steps[index].renderHook,
            before == nil || before?.path != run.path, !asked.contains(id)
        else { return nil }
        return FlowHookCall(
            occasion: .render, hook: hook, step: flow.steps[index], stepIndex: index, answers: run.shownAnswers(of: id),
            secrets: secrets, run: run)
    }
}

extension FlowMove {
    /// Ends the run. Only the answers and files of its path are kept.
    fileprivate mutating func end(_ outcome: FlowOutcome) {
        run.outcome = outcome
        run.keepPathOnly()
        keep([])
    }
}

extension FlowRun {
    /// Stores the answers of a step. A step without fields has answers only if a hook has returned some.
    fileprivate mutating func keep(_ answers: JSONObject, of step: FlowStep) {
        if !step.fields.isEmpty || !answers.isEmpty { responses[step.id] = .object(answers) }
        asideResponses[step.id] = nil
    }

    /// Counts that the respondent leaves a step forwards.
    fileprivate mutating func count(_ way: WritableKeyPath<FlowStepCounts, Int>, at step: Identifier, _ now: Timestamp)
    {
        var counts = counts[step] ?? FlowStepCounts()
        counts[keyPath: way] += 1
        counts.milliseconds += max(0, now.milliseconds - (viewedAt ?? now).milliseconds)
        self.counts[step] = counts
    }
}

extension FlowDefinition {
    /// A new run at the first step.
    public func start(_ start: FlowStart, at now: Timestamp) -> FlowMove {
        var move = FlowMove(run: FlowRun(start, at: now), events: [])
        move.events.append(FlowEvent("onboarding_flow_started", ["flow_id": .string(id), "flow_version": version]))
        enter(.step(steps[0].id), &move, at: now)
        return move
    }

    /// The run after an action, within the budget of a whole save.
    public func advance(
        _ run: FlowRun, _ action: FlowAction, at now: Timestamp, hook: FlowHookResult? = nil
    ) throws(FlowRefusal) -> FlowAdvance {
        var budget = EvaluationBudget.wholeSave
        return try advance(run, action, at: now, hook: hook, &budget)
    }

    /// The run after an action. The function is pure.
    ///
    /// - Parameter hook: the result of the step's hook; nil if it was not called.
    public func advance(
        _ run: FlowRun, _ action: FlowAction, at now: Timestamp, hook: FlowHookResult?,
        _ budget: inout EvaluationBudget
    ) throws(FlowRefusal) -> FlowAdvance {
        guard run.outcome == nil, let current = run.path.last, let index = index(of: current) else { throw .runEnded }
        guard current == action.step else { throw .wrongStep }
        switch action.kind {
        case .back:
            guard canGoBack(run) else { throw .notAllowed(language.say(.noBack)) }
            return .moved(back(run, at: now))
        case .skip:
            guard steps[index].isSkippable else { throw .notAllowed(language.say(.noSkip)) }
            var move = FlowMove(run: run, events: [])
            if steps[index].kind == .interactiveChat {
                _ = try leaveChat(steps[index], &move, as: .skipped, now: now)
            }
            move.run.count(\.skipped, at: current, now)
            move.events.append(event("onboarding_step_skipped", index))
            // A skipped step has no answer. An earlier visit that is still on the path keeps its own.
            move.run.setAside(current, unlessIn: run.path.dropLast())
            leave(index, with: move.run.answers(of: current), &move, at: now, &budget)
            return .moved(move)
        case .next:
            return try next(run, action, action.host?.without(secrets(in: action)) ?? hook, at: now, &budget)
        }
    }

    /// The run at a step, whatever the rules are, for a preview of the flow.
    func reveal(_ id: Identifier, _ run: FlowRun, at now: Timestamp) throws(FlowRefusal) -> FlowMove {
        guard let step = step(id) else { throw .wrongStep }
        var move = FlowMove(run: run, events: [])
        move.run.outcome = nil
        if run.outcome != nil || run.path.last != id { enter(.step(step.id), &move, at: now) }
        return move
    }

    /// Whether `back` is possible in the current state of the run.
    public func canGoBack(_ run: FlowRun) -> Bool {
        guard run.outcome == nil, settings.allowsBack, run.path.count > 1, let step = run.path.last.flatMap(step) else {
            return false
        }
        return !step.hidesBack
    }

    /// Ends a run before its last step.
    public func dismiss(_ run: FlowRun) throws(FlowRefusal) -> FlowMove {
        guard run.outcome == nil, let current = run.path.last, index(of: current) != nil else { throw .runEnded }
        guard settings.allowsDismissal else { throw .notAllowed(language.say(.noDismissal)) }
        var move = FlowMove(run: run, events: [])
        move.end(FlowOutcome(.dismissed))
        move.events.append(FlowEvent("onboarding_flow_dismissed", lastStep(of: run)))
        return move
    }

    /// Ends a run whose answers found a full quota. The step that it came to is not shown.
    public func screenOut(_ move: FlowMove) -> FlowMove {
        var move = move
        move.end(FlowOutcome(.screenedOut))
        move.events.removeAll { Self.viewEvents.contains($0.name) }
        move.events.append(FlowEvent("onboarding_flow_screened_out", lastStep(of: move.run)))
        return move
    }

    private static let viewEvents: [Identifier] = ["onboarding_step_viewed", "chat_step_viewed"]

    private func lastStep(of run: FlowRun) -> JSONObject {
        let last = run.path.last ?? ""
        return [
            "flow_id": .string(id), "last_step_id": .string(last),
            "last_step_index": .integer(Int64(index(of: last) ?? 0)),
        ]
    }

    private func next(
        _ run: FlowRun, _ action: FlowAction, _ hook: FlowHookResult?, at now: Timestamp,
        _ budget: inout EvaluationBudget
    ) throws(FlowRefusal) -> FlowAdvance {
        guard let index = index(of: action.step) else { throw .wrongStep }
        let step = steps[index]
        var move = FlowMove(run: run, events: [])
        var (answers, files) = try judge(action, at: step, &move, at: now, &budget)
        if let call = step.hook, hook == nil {
            var asking = move.run
            asking.keep(step.kept(answers), of: step)
            return .needs(
                FlowHookCall(
                    occasion: .advance, hook: call, step: step, stepIndex: index, answers: answers,
                    secrets: secrets(in: action), run: asking))
        }
        var target: FlowStep?
        switch hook ?? .proceed(data: [:]) {
        case .block(let message):
            return .moved(staying(run, .error, message ?? step.hook?.errorText ?? language.say(.hookFailed)))
        case .stay(let message): return .moved(staying(run, .success, message))
        case .proceed(let data): merge(step.kept(data), &answers, &move)
        case .skip(let id, let data):
            merge(step.kept(data), &answers, &move)
            target = self.step(id)
        }
        files += step.takeFiles(outOf: &answers)
        let kept = step.kept(answers)
        move.run.keep(kept, of: step)
        move.keep(files)
        move.run.count(\.completed, at: step.id, now)
        move.events.append(event("onboarding_step_completed", index, selection: step.open(kept)))
        if let target {
            jump(from: step, to: target, &move, at: now)
        } else {
            leave(index, with: answers, &move, at: now, &budget)
        }
        return .moved(move)
    }

    /// Goes to the step that a hook has named.
    private func jump(from step: FlowStep, to target: FlowStep, _ move: inout FlowMove, at now: Timestamp) {
        move.events.append(
            FlowEvent(
                "step_skipped",
                ["flow_id": .string(id), "from_step_id": .string(step.id), "to_step_id": .string(target.id)]))
        enter(.step(target.id), &move, at: now)
    }

    /// Judges the response. Returns the valid answers, with the conversation of a chat, and the files of the response.
    private func judge(
        _ action: FlowAction, at step: FlowStep, _ move: inout FlowMove, at now: Timestamp,
        _ budget: inout EvaluationBudget
    ) throws(FlowRefusal) -> (answers: JSONObject, files: [FlowFile]) {
        let isChat = step.kind == .interactiveChat
        var facts = move.run.facts
        facts.aliases = aliases
        // The stored conversation is used, and the client's version of it is ignored.
        var response = isChat && step.fields.isEmpty ? [:] : action.response
        let files = step.takeFiles(outOf: &response)
        let known = move.run.files + files.map(\.reference)
        let evaluation = step.evaluate(response, facts, on: CalendarDay(now), files: known, &budget)
        guard evaluation.faults.isEmpty else { throw .invalid(faults(evaluation, at: step, move.run)) }
        guard isChat, !action.passesChats else { return (evaluation.answers, files) }
        var answers = evaluation.answers
        for member in try leaveChat(step, &move, as: .user, now: now) { answers[member.key] = member.value }
        return (answers, files)
    }

    private func staying(_ run: FlowRun, _ kind: FlowBanner.Kind, _ text: String?) -> FlowMove {
        FlowMove(run: run, events: [], banner: text.map { FlowBanner(kind, $0) })
    }

    /// Merges the data of a hook into the step's answers and the run.
    private func merge(_ data: JSONObject, _ answers: inout JSONObject, _ move: inout FlowMove) {
        for member in data {
            answers[member.key] = member.value
            move.run.computed[member.key] = member.value
        }
    }

    private func back(_ run: FlowRun, at now: Timestamp) -> FlowMove {
        var move = FlowMove(run: run, events: [])
        let left = move.run.path.removeLast()
        move.run.counts[left, default: FlowStepCounts()].back += 1
        move.run.setAside(left, unlessIn: move.run.path[...])
        view(&move, at: now)
        return move
    }

    /// Goes to the step to which the rules lead.
    private func leave(
        _ index: Int, with answers: JSONObject, _ move: inout FlowMove, at now: Timestamp,
        _ budget: inout EvaluationBudget
    ) {
        var facts = move.run.facts
        (facts.answers, facts.aliases) = (answers, steps[index].aliases)
        let target = target(from: index, facts, &move.events, &budget)
        enter(target, &move, at: now)
    }

    private func enter(_ target: FlowTarget, _ move: inout FlowMove, at now: Timestamp) {
        switch target {
        case .step where move.run.visits == Self.maximumVisits: end(FlowOutcome(.loopGuard), &move, at: now)
        case .step(let id):
            move.run.visits += 1
            move.run.path.append(id)
            view(&move, at: now)
        case .end(let outcome): end(outcome, &move, at: now)
        }
    }

    private func view(_ move: inout FlowMove, at now: Timestamp) {
        guard let current = move.run.path.last, let index = index(of: current) else { return }
        move.run.counts[current, default: FlowStepCounts()].viewed += 1
        move.run.viewedAt = now
        move.events.append(event("onboarding_step_viewed", index, hasType: true))
        if steps[index].kind == .interactiveChat {
            move.events.append(FlowEvent("chat_step_viewed", ["flow_id": .string(id), "step_id": .string(current)]))
        }
    }

    private func end(_ outcome: FlowOutcome, _ move: inout FlowMove, at now: Timestamp) {
        move.end(outcome)
        let duration = max(0, now.milliseconds - move.run.startedAt.milliseconds)
        move.events.append(
            FlowEvent(
                "onboarding_flow_completed",
                [
                    "flow_id": .string(id), "total_steps": .integer(Int64(steps.count)),
                    "total_duration_ms": .integer(duration), "responses": .object(open(move.run.responses)),
                ]))
    }

    /// Creates an event of a step.
    private func event(
        _ name: Identifier, _ index: Int, hasType: Bool = false, selection: JSONObject? = nil
    ) -> FlowEvent {
        var extra: JSONObject = [
            "flow_id": .string(id), "step_id": .string(steps[index].id), "step_index": .integer(Int64(index)),
        ]
        if hasType || selection != nil { extra["step_type"] = .string(steps[index].kind.rawValue) }
        if let selection { extra["selection_data"] = .object(selection) }
        return FlowEvent(name, extra)
    }

    /// The responses in the form for telemetry.
    private func open(_ responses: JSONObject) -> JSONObject {
        JSONObject(
            responses.map { key, value in
                guard let step = step(Identifier(key)), var answers = value.object else { return (key, value) }
                // The conversation is in the record of the completed step.
                if step.kind == .interactiveChat { answers["transcript"] = nil }
                return (key, .object(step.open(answers)))
            })
    }
}
