internal import BellwetherJSON

/// The checks that need the whole flow.
struct FlowCheck {
    let flow: FlowDefinition

    /// - Parameter references: the steps whose answers conditions read, with the location of each reference.
    func check(
        _ document: JSONReader, steps readers: [JSONReader],
        reading references: [(id: Identifier, pointer: JSONPointer)]
    ) {
        for (index, (step, reader)) in zip(flow.steps, readers).enumerated() {
            if let first = flow.index(of: step.id), first < index {
                reader.optional("id")?.finding("duplicate", "another step has the id \(step.id)")
            }
            if FlowNode.kind(ofID: step.id) != nil, flow.nodes[step.id] == nil {
                reader.findings.warn(
                    "prefix", at: reader.pointer.appending("id"),
                    "a rule cannot lead to \(step.id): an id that begins so is a node of another kind")
            }
            checkTargets(step, reader.findings)
            checkButtons(of: step, at: index, reader)
        }
        for (id, pointer) in references where flow.index(of: id) == nil && counts(pointer) {
            document.findings.fault("reference", at: pointer, "there is no step \"\(id)\" whose answers could be read")
        }
        checkNodes(document)
        // A rule that cannot be read could lead to any step.
        guard document.findings.faults.isEmpty else { return }
        checkReach(readers)
        checkEnds(readers)
    }

    /// False for a location in a list of rules that its step does not use.
    private func counts(_ pointer: JSONPointer) -> Bool {
        guard pointer.tokens.contains("next_step_rules") else { return true }
        return flow.steps.contains { step in step.rules.contains { pointer.isWithin($0.pointer) } }
    }

    private func isTarget(_ name: Identifier) -> Bool {
        flow.nodes[name] != nil || FlowNode.kind(ofID: name) != nil || flow.index(of: name) != nil
    }

    /// Checks that nodes and the skip button lead to steps and nodes that exist.
    private func checkNodes(_ document: JSONReader) {
        let nodes = document.optional("graph_nodes")?.members() ?? []
        let skip = document.optional("settings")?.optional("skip_to_step")
        let locations = nodes.map { $0.value.optional("next_target") } + [skip]
        for location in locations.compactMap(\.self) {
            guard let name = location.value.identifier, !name.isEmpty, !isTarget(name) else { continue }
            location.findings.warn("unknown_target", at: location.pointer, "there is no step and no node \"\(name)\"")
        }
    }

    /// Checks that the step does not refuse the actions of its buttons.
    private func checkButtons(of step: FlowStep, at index: Int, _ reader: JSONReader) {
        let keys = StepKeys(reader)
        let isReturnedTo = flow.steps.contains { from in from.rules.contains { $0.target == step.id } }
        let canGoBack = flow.settings.allowsBack && !step.hidesBack && (index > 0 || isReturnedTo)
        for action in Self.actions(in: keys.config("content_blocks") ?? reader.optional("content_blocks")) {
            let refusal: String? =
                switch action.value.string {
                case "skip" where !step.isSkippable: "\"skip_enabled\": true in the step's config"
                case "back" where !canGoBack:
                    index == 0 ? "a step before this one" : "\"allow_back\" in settings, and no \"hide_back\""
                default: nil
                }
            guard let needed = refusal, let name = action.value.string else { continue }
            action.findings.warn(
                "refused_action", at: action.pointer,
                "the step refuses \(name), so the button does nothing; it needs \(needed)")
        }
    }

    /// The actions of buttons and countdowns in blocks.
    private static func actions(in blocks: JSONReader?, depth: Int = 1) -> [JSONReader] {
        guard let blocks, blocks.value.array != nil, depth <= FlowBlock.maximumDepth else { return [] }
        return (blocks.elements() ?? []).filter { $0.value.object != nil }.flatMap { block in
            [block.optional("action"), block.optional("on_expire_action")].compactMap(\.self)
                + actions(in: block.optional("children"), depth: depth + 1)
        }
    }

    /// Checks that every step can be reached from the first one. A hook can lead to any step.
    private func checkReach(_ readers: [JSONReader]) {
        guard let reached = flow.reach?.first else { return }
        for (index, reader) in readers.enumerated() where index > 0 && !reached.contains(index) {
            reader.findings.warn(
                "unreachable", at: reader.pointer,
                "no rule and no step before it leads to \"\(flow.steps[index].id)\"")
        }
    }

    /// Checks that a run can come to an end from every step that it can reach.
    private func checkEnds(_ readers: [JSONReader]) {
        for trap in FlowWays(flow).traps {
            let names = trap.prefix(5).map { "\"\(flow.steps[$0].id)\"" }
            let more = trap.count > names.count ? ["\(trap.count - names.count) more"] : []
            let list = names + more
            let all = list.dropLast().joined(separator: ", ") + (list.count > 1 ? " and " : "") + (list.last ?? "")
            readers[trap[0]].findings.warn(
                "no_end", at: readers[trap[0]].pointer,
                trap.count == 1
                    ? "no way leads from step \(all) to an end: it leads only back to itself"
                    : "no way leads from the steps \(all) to an end: they lead only to one another")
        }
    }

    /// The steps that may come after this one.
    fileprivate func reach(from index: Int) -> Set<Int> {
        var reached: Set<Int> = []
        var open = followers(of: index)
        while let next = open.popLast() {
            if reached.insert(next).inserted { open += followers(of: next) }
        }
        return reached
    }

    private func followers(of index: Int) -> [Int] {
        var followers: [Int] = []
        for rule in flow.steps[index].rules {
            let leads = steps(from: rule.target, after: [])
            followers += leads.steps
            if rule.condition.isConstantlyTrue, leads.isUsable { return followers }
        }
        return index + 1 < flow.steps.count ? followers + [index + 1] : followers
    }

    /// The step to which a target leads; none if the target ends the run. If the target is not usable, the next rule is
    /// tried.
    func steps(from target: Identifier, after visited: [Identifier]) -> (steps: [Int], isUsable: Bool) {
        guard !target.isEmpty, !visited.contains(target) else { return ([], false) }
        let node = flow.nodes[target]
        guard let kind = node?.kind ?? FlowNode.kind(ofID: target)?.kind else {
            return flow.index(of: target).map { ([$0], true) } ?? ([], false)
        }
        return kind == .event ? steps(from: node?.nextTarget ?? "", after: visited + [target]) : ([], true)
    }

    /// Checks the targets of rules. A rule whose target does not exist is ignored. A rule after one that always holds
    /// is never judged.
    private func checkTargets(_ step: FlowStep, _ findings: Findings) {
        let last = step.rules.firstIndex { $0.condition.isConstantlyTrue && steps(from: $0.target, after: []).isUsable }
        if let last, last + 1 < step.rules.count {
            findings.warn(
                "never", at: step.rules[last + 1].pointer,
                "the rule is never tried: the one before it, to \"\(step.rules[last].target)\", always holds")
        }
        for rule in step.rules where !rule.target.isEmpty && !isTarget(rule.target) {
            findings.warn(
                "unknown_target", at: rule.pointer.appending("target_step_id"),
                "there is no step and no node \"\(rule.target)\": the rule is passed over")
        }
    }
}

extension FlowDefinition {
    /// For each step, the steps that can come after it in a run; nil if hooks can lead to any step.
    public var reach: [Set<Int>]? {
        guard steps.allSatisfy({ $0.hook == nil }) else { return nil }
        let check = FlowCheck(flow: self)
        return steps.indices.map { check.reach(from: $0) }
    }
}

extension Condition {
    /// Whether the condition holds for all answers.
    var isConstantlyTrue: Bool {
        switch self {
        case .constant(let value): value
        case .all(let conditions): conditions.allSatisfy(\.isConstantlyTrue)
        case .any(let conditions): conditions.contains(where: \.isConstantlyTrue)
        case .not, .test, .predicate: false
        }
    }
}
