internal import BellwetherJSON

/// One rule for the next step (docs/reference/flows.md#branching).
struct FlowRule: Sendable {
    /// The target. If it is blank or unknown, the next rule is tried.
    let target: Identifier
    let condition: Condition
    /// The location where its author wrote it.
    let pointer: JSONPointer

    /// Reads the rules of a step. If only the rules in its config have conditions, they are used. Otherwise the step's
    /// own rules are used, if there are any.
    static func rules(of keys: StepKeys, _ budget: ConditionReader.Budget) -> [FlowRule] {
        let own = keys.step.optional("next_step_rules")
        let config = keys.config("next_step_rules")
        let (ownRules, configRules) = (read(own, budget), read(config, budget))
        if hasConditions(config), !hasConditions(own) { return configRules }
        return ownRules.isEmpty ? configRules : ownRules
    }

    private static func hasConditions(_ rules: JSONReader?) -> Bool {
        (rules?.value.array ?? []).contains { rule in
            let hasOne = rule.object?["condition"].map { $0 != .null } ?? false
            return hasOne || rule.object?["conditions"]?.array?.isEmpty == false
        }
    }

    private static func read(_ reader: JSONReader?, _ budget: ConditionReader.Budget) -> [FlowRule] {
        (reader?.elements() ?? []).compactMap { rule in
            guard rule.object() != nil else { return nil }
            let target = rule.optional("target_step_id")?.identifier() ?? ""
            let condition = RuleConditions.read(ConditionReader(rule, budget: budget))
            return FlowRule(target: target, condition: condition, pointer: rule.pointer)
        }
    }
}

/// A node of the author's graph that is not a step.
struct FlowNode: Sendable {
    enum Kind: Sendable, Hashable {
        case event
        case paywall
        case end
        case permission
        case screen
        case subFlow
    }

    /// The kind; nil: the node's id may have the kind as its prefix.
    let kind: Kind?
    let eventName: Identifier?
    let nextTarget: Identifier?

    init(_ reader: JSONReader) {
        let type = reader.required("type")
        kind = type?.string().flatMap { Self.kind(ofType: $0) }
        if kind == nil, let type, let name = type.value.string {
            type.findings.warn(
                "unknown_node", at: type.pointer,
                "the node type \(name) is unknown: a node is an analytics_event, a paywall_trigger, an end, a "
                    + "permission, a screen or a flow")
        }
        eventName = reader.optional("event_name")?.identifier(length: 1...200)
        nextTarget = reader.optional("next_target")?.identifier()
    }

    private static func kind(ofType type: String) -> Kind? {
        if type == "end" { return .end }
        if type == "flow" || type == "sub_flow" { return .subFlow }
        return families.first { type.hasPrefix($0.prefix.dropLast()) && $0.kind != .end && $0.kind != .subFlow }?.kind
            ?? (type.hasPrefix("paywall") ? .paywall : nil)
    }

    private static let families: [(prefix: String, kind: Kind)] = [
        ("analytics_event_", .event), ("paywall_trigger_", .paywall), ("end_", .end), ("permission_", .permission),
        ("screen_", .screen), ("flow_", .subFlow),
    ]

    /// The kind in the prefix of an id without a node, and the rest of the id.
    static func kind(ofID id: Identifier) -> (kind: Kind, rest: Identifier)? {
        families.first { id.text.hasPrefix($0.prefix) }.map {
            ($0.kind, Identifier(String(id.text.dropFirst($0.prefix.count))))
        }
    }
}

/// The target of a respondent who leaves a step.
enum FlowTarget: Sendable, Hashable {
    case step(Identifier)
    case end(FlowOutcome)
}

extension FlowDefinition {
    /// The target of the first rule that holds and has a usable target, else the next step in order. The events of the
    /// nodes on the way are appended.
    func target(
        from index: Int, _ facts: ConditionFacts, _ events: inout [FlowEvent], _ budget: inout EvaluationBudget
    ) -> FlowTarget {
        let step = steps[index]
        for rule in step.rules where rule.condition.holds(for: facts, &budget) {
            if let target = resolve(rule.target, from: step.id, &events) { return target }
        }
        if index + 1 < steps.count { return .step(steps[index + 1].id) }
        guard !step.rules.isEmpty else { return .end(FlowOutcome(.finished)) }
        events.append(
            FlowEvent(
                "flow_completed_via_fallback",
                ["flow_id": .string(id), "step_id": .string(step.id), "step_index": .integer(Int64(index))]))
        return .end(FlowOutcome(.fallback))
    }

    /// Whether a rule has a usable target, so that it decides if it holds.
    func leads(_ rule: FlowRule, from step: Identifier) -> Bool {
        var events: [FlowEvent] = []
        return resolve(rule.target, from: step, &events) != nil
    }

    /// Resolves a target; nil if it is not usable. Nodes that lead to each other in a circle are not usable.
    private func resolve(_ name: Identifier, from step: Identifier, _ events: inout [FlowEvent]) -> FlowTarget? {
        var name = name
        var visited: Set<Identifier> = []
        while !name.isEmpty, visited.insert(name).inserted {
            let node = nodes[name]
            let byID = FlowNode.kind(ofID: name)
            guard let kind = node?.kind ?? byID?.kind else { return self.step(name).map { .step($0.id) } }
            guard kind == .event else { return .end(Self.outcome(kind, name, byID)) }
            if let eventName = node?.eventName {
                events.append(
                    FlowEvent(
                        eventName,
                        ["flow_id": .string(id), "node_id": .string(name), "step_id": .string(step)]))
            }
            name = node?.nextTarget ?? ""
        }
        return nil
    }

    private static func outcome(
        _ kind: FlowNode.Kind, _ name: Identifier, _ byID: (kind: FlowNode.Kind, rest: Identifier)?
    ) -> FlowOutcome {
        let rest = byID?.kind == kind ? byID?.rest ?? name : name
        switch kind {
        case .paywall: return FlowOutcome(.paywall, target: name)
        case .permission: return FlowOutcome(.permissionRequest, target: rest)
        case .screen: return FlowOutcome(.screenPresent, target: rest)
        case .subFlow: return FlowOutcome(.subFlow, target: rest)
        case .end, .event: return FlowOutcome(.endNode)
        }
    }
}
