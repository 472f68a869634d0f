internal import BellwetherBase
internal import BellwetherJSON

/// The steps and ends to which each step of a flow can lead. A hook can lead to any step.
///
/// The rules of a step are judged together, by trying the answers that they read. If there are too many cases, any rule
/// may hold.
struct FlowWays {
    struct Way: Hashable {
        var steps: Set<Int> = []
        var leadsToEnd = false
    }

    private(set) var ways: [Way] = []

    init(_ flow: FlowDefinition) {
        let check = FlowCheck(flow: flow)
        let all = Set(flow.steps.indices)
        let coarse = flow.steps.indices.map { index in
            let rules = check.rules(of: index)
            return check.way(from: index, by: Set(rules.indices).union([rules.count]))
        }
        ways = flow.steps.indices.map { index in
            guard flow.steps[index].hook == nil else { return Way(steps: all, leadsToEnd: coarse[index].leadsToEnd) }
            let previous = all.filter { coarse[$0].steps.contains(index) || flow.steps[$0].hook != nil }
            var cases = RuleCases(check.rules(of: index), at: index, after: previous, of: flow)
            return cases.decisive().map { check.way(from: index, by: $0) } ?? coarse[index]
        }
    }

    /// The groups of steps that a run can reach and that lead only to one another, without a way to an end.
    var traps: [[Int]] {
        let reached = ways.indices.first.map { reach(from: $0).union([$0]) } ?? []
        let reaches = Dictionary(uniqueKeysWithValues: reached.map { ($0, reach(from: $0)) })
        func leadsToEnd(_ index: Int) -> Bool {
            ways[index].leadsToEnd || (reaches[index] ?? []).contains { ways[$0].leadsToEnd }
        }
        let stuck = reached.filter { !leadsToEnd($0) }
        let groups = stuck.filter { index in (reaches[index] ?? []).allSatisfy { reaches[$0]?.contains(index) ?? false }
        }
        return Set(groups.compactMap { reaches[$0] }).map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    private func reach(from index: Int) -> Set<Int> {
        var reached: Set<Int> = []
        var open = Array(ways[index].steps)
        while let next = open.popLast() {
            if reached.insert(next).inserted { open += ways[next].steps }
        }
        return reached
    }
}

extension FlowCheck {
    /// The rules of a step that can be judged and that lead somewhere.
    fileprivate func rules(of index: Int) -> [FlowRule] {
        let rules = flow.steps[index].rules.filter { steps(from: $0.target, after: []).isUsable }
        let last = rules.firstIndex { $0.condition.isConstantlyTrue }
        return last.map { Array(rules[...$0]) } ?? rules
    }

    /// The way from a step if one of these rules decides. The number behind the last rule stands for none of them.
    fileprivate func way(from index: Int, by decisive: Set<Int>) -> FlowWays.Way {
        let rules = rules(of: index)
        var way = FlowWays.Way()
        for number in decisive where number < rules.count {
            let target = steps(from: rules[number].target, after: [])
            way.steps.formUnion(target.steps)
            if target.steps.isEmpty { way.leadsToEnd = true }
        }
        guard decisive.contains(rules.count), rules.last?.condition.isConstantlyTrue != true else { return way }
        if index + 1 < flow.steps.count {
            way.steps.insert(index + 1)
        } else {
            way.leadsToEnd = true
        }
        return way
    }
}

/// The cases that the rules of one step distinguish.
private struct RuleCases {
    private let rules: [FlowRule]
    /// The values that can be listed, by the reference that reads them. Nil is a missing value.
    private var domains: [(reference: ConditionReference, values: [JSONValue?])] = []
    /// The other tests, which may hold or not.
    private var free: [ConditionTest] = []
    private let aliases: [OptionAlias]
    private static let maximumCases = 1024

    init(_ rules: [FlowRule], at index: Int, after previous: Set<Int>, of flow: FlowDefinition) {
        self.rules = rules
        aliases = flow.steps[index].aliases
        for case .test(let test) in rules.flatMap(\.condition.leaves) {
            if let values = Self.values(of: test.reference, at: index, after: previous, of: flow) {
                if !domains.contains(where: { $0.reference == test.reference }) {
                    domains.append((test.reference, values))
                }
            } else {
                let test = test.affirmed(aliases)
                if !free.contains(test) { free.append(test) }
            }
        }
    }

    private static func values(
        of reference: ConditionReference, at index: Int, after previous: Set<Int>, of flow: FlowDefinition
    ) -> [JSONValue?]? {
        switch reference.root {
        case .previousStep:
            return previous.sorted().map { .string(flow.steps[$0].id) } + (index == 0 ? [nil] : [])
        case .answers where reference.path.count == 1:
            return flow.steps[index].values(of: reference.path[0], isCurrent: true)
        case .steps where reference.path.count == 2:
            return flow.step(reference.path[0])?.values(of: reference.path[1], isCurrent: false)
        default: return nil
        }
    }

    /// The rules that can be the first one that holds, with the number behind the last rule for none; nil if there are
    /// too many cases.
    mutating func decisive() -> Set<Int>? {
        let sizes = domains.map(\.values.count) + free.map { _ in 2 }
        var count = 1
        for size in sizes {
            count *= size
            guard count <= Self.maximumCases else { return nil }
        }
        var budget = EvaluationBudget.wholeSave
        let decisive = Set((0..<count).map { first(inCase: $0, &budget) })
        return budget.isOver || budget.isShort ? nil : decisive
    }

    private func first(inCase number: Int, _ budget: inout EvaluationBudget) -> Int {
        var rest = number
        var facts = ConditionFacts()
        facts.aliases = aliases
        for (reference, values) in domains {
            facts.set(reference, values[rest % values.count])
            rest /= values.count
        }
        var truths: [ConditionTest: Bool] = [:]
        for test in free {
            truths[test] = rest % 2 == 1
            rest /= 2
        }
        return rules.firstIndex { holds($0.condition, facts, truths, &budget) } ?? rules.count
    }

    private func holds(
        _ condition: Condition, _ facts: ConditionFacts, _ truths: [ConditionTest: Bool],
        _ budget: inout EvaluationBudget
    ) -> Bool {
        switch condition {
        case .constant(let value): return value
        case .all(let parts): return parts.allSatisfy { holds($0, facts, truths, &budget) }
        case .any(let parts): return parts.contains { holds($0, facts, truths, &budget) }
        case .not(let part): return !holds(part, facts, truths, &budget)
        case .predicate: return false
        case .test(let test):
            return truths[test.affirmed(aliases)].map { $0 != test.isNegated } ?? condition.holds(for: facts, &budget)
        }
    }
}

extension ConditionTest {
    /// The same test without a negation, and without what goes with it. The two have opposite results, unless there are
    /// aliases.
    fileprivate func affirmed(_ aliases: [OptionAlias]) -> ConditionTest {
        var test = self
        (test.isNegated, test.missing) = (false, .fails)
        if aliases.isEmpty { test.usesAliases = true }
        return test
    }
}

extension ConditionFacts {
    fileprivate mutating func set(_ reference: ConditionReference, _ value: JSONValue?) {
        switch reference.root {
        case .previousStep: previousStep = value?.identifier
        case .steps:
            var answers = steps[reference.path[0]]?.object ?? [:]
            answers[reference.path[1]] = value
            steps[reference.path[0]] = .object(answers)
        default: answers[reference.path[0]] = value
        }
    }
}

extension FlowStep {
    /// All values that an answer can have in a rule; nil if they cannot be listed. Nil in the list is a missing answer.
    fileprivate func values(of id: Identifier, isCurrent: Bool) -> [JSONValue?]? {
        guard hook == nil, let field = fields.first(where: { $0.id == id }),
            let answers = field.type.possibleAnswers
        else { return nil }
        let isCertain = isCurrent && field.isRequired && field.conditions.isEmpty && !isSkippable
        let given = answers.filter { $0.array?.isEmpty != true }
        return isCertain && !given.isEmpty ? given : answers + [nil]
    }
}
