internal import BellwetherJSON

/// The checks that need the whole flow.
struct FlowCheck {
    let flow: FlowDefinition

    func check(_ readers: [JSONReader]) {
        for (index, (step, reader)) in zip(flow.steps, readers).enumerated() {
            if let first = flow.index(of: step.id), first < index {
                reader.optional("id")?.finding("duplicate", "another step has the id \(step.id)")
            }
            if FlowNode.kind(ofID: step.id) != nil, flow.nodes[step.id] == nil {
                reader.findings.warn(
                    "prefix", at: reader.pointer.appending("id"),
                    "a rule cannot lead to \(step.id): an id that begins so is a node of another kind")
            }
            checkReferences(step, reader)
            checkTargets(step, reader)
        }
        checkReach(readers)
    }

    /// Every step follows from the first one. A hook may lead anywhere.
    private func checkReach(_ readers: [JSONReader]) {
        guard flow.steps.allSatisfy({ $0.hook == nil }) else { return }
        var reached: Set<Int> = []
        var open = [0]
        while let index = open.popLast() {
            guard reached.insert(index).inserted else { continue }
            open += followers(of: index)
        }
        for (index, reader) in readers.enumerated() where !reached.contains(index) {
            reader.findings.warn(
                "unreachable", at: reader.pointer, "no rule and no step before it leads to \(flow.steps[index].id)")
        }
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

    /// The step that a target leads to; none where it ends the run. Not usable: the next rule is tried.
    private func steps(from target: String, after visited: [String]) -> (steps: [Int], isUsable: Bool) {
        guard !target.isEmpty, !visited.contains(target) else { return ([], false) }
        let node = flow.nodes[target]
        guard let kind = node?.kind ?? FlowNode.kind(ofID: target)?.kind else {
            return flow.index(of: target).map { ([$0], true) } ?? ([], false)
        }
        return kind == .event ? steps(from: node?.nextTarget ?? "", after: visited + [target]) : ([], true)
    }

    /// Conditions read answers of steps that exist.
    private func checkReferences(_ step: FlowStep, _ reader: JSONReader) {
        let conditions =
            step.rules.map(\.condition) + step.blocks.flatMap(\.conditions) + step.fields.flatMap(\.conditions)
        var reported: Set<ByteKey> = []
        for case .test(let test) in conditions.flatMap(\.leaves) {
            for reference in test.references where reference.root == .steps {
                guard let id = reference.path.first, flow.index(of: id) == nil,
                    reported.insert(ByteKey(text: id)).inserted
                else { continue }
                reader.finding("reference", "a condition of the step reads answers of \(id), which is no step")
            }
        }
    }

    /// A rule whose target does not exist is passed over. A rule after one that always holds is never judged.
    private func checkTargets(_ step: FlowStep, _ reader: JSONReader) {
        let last = step.rules.firstIndex { $0.condition.isConstantlyTrue && steps(from: $0.target, after: []).isUsable }
        if let last, last + 1 < step.rules.count {
            reader.findings.warn(
                "never", at: reader.pointer, "rules of \(step.id) stand behind one that always holds")
        }
        for rule in step.rules where !rule.target.isEmpty {
            let isKnown =
                flow.nodes[rule.target] != nil || FlowNode.kind(ofID: rule.target) != nil
                || flow.index(of: rule.target) != nil
            if !isKnown {
                reader.findings.warn(
                    "unknown_target", at: reader.pointer, "a rule leads to \(rule.target), which is no step and no node"
                )
            }
        }
    }
}

extension FlowBlock {
    /// Its own, and those of the blocks within it.
    fileprivate var conditions: [Condition] { (visibility.map { [$0] } ?? []) + children.flatMap(\.conditions) }
}

extension Condition {
    /// Whether it holds for all answers.
    fileprivate var isConstantlyTrue: Bool {
        switch self {
        case .constant(let value): value
        case .all(let conditions): conditions.allSatisfy(\.isConstantlyTrue)
        case .any(let conditions): conditions.contains(where: \.isConstantlyTrue)
        case .not, .test, .predicate: false
        }
    }
}
