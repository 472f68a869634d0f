internal import BellwetherJSON
internal import JEXL
internal import Surveys

/// Warnings about predicates, by the types of the answers and of `extra` in their conditions
/// (docs/findings.md#questions). Answers of surveys are texts: `answers.age > 18` compares a text with a number.
struct PredicateCheck {
    private let questions: QuestionSet
    /// The conditions that use each predicate.
    private var uses: [Identifier: [ConditionPredicate]] = [:]

    init(_ questions: QuestionSet) {
        self.questions = questions
        for question in questions.all {
            for case .predicate(let predicate) in question.showIf?.leaves ?? [] {
                uses[predicate.name ?? question.id, default: []].append(predicate)
            }
        }
    }

    /// Predicates that no condition uses are not checked.
    func check(findings: Findings) {
        for (name, source) in questions.predicates.sorted(by: { $0.key < $1.key }) {
            guard let uses = uses[name], let expression = try? CompiledExpression(source) else { continue }
            // The condition that provides no answers has its own finding.
            if Self.readsAnswers(source), uses.contains(where: \.ids.isEmpty) { continue }
            let location = JSONPointer(tokens: ["predicates", name.text])
            for transform in expression.transforms where !Self.isKnown(transform) {
                findings.warn("unknown_transform", at: location, "there is no transform \"\(transform)\"")
            }
            let types = ExpressionTypes {
                self.types(of: $0, uses)
            } transform: {
                PredicateTransform(rawValue: $0).map { _ in .number }
            }
            for mistake in expression.typeMistakes(types) {
                findings.warn(mistake.kind.code, at: location, mistake.message)
            }
        }
    }

    /// Whether an expression reads answers, which its condition must list.
    static func readsAnswers(_ source: String) -> Bool {
        (try? CompiledExpression(source))?.paths.contains { $0.first == "answers" } ?? false
    }

    private static func isKnown(_ transform: String) -> Bool {
        PredicateTransform(rawValue: transform) != nil || CompiledExpression.ownTransforms.contains(transform)
    }

    /// The types at a path; nil if the value may have any type, as an attribute may.
    private func types(of path: [String], _ uses: [ConditionPredicate]) -> ValueTypes? {
        let members = Array(path.dropFirst())
        switch path.first {
        case "answers": return answer(members, uses)
        case "extra": return extra(members, uses)
        case "current_date": return members.isEmpty ? .number : nil
        default: return nil
        }
    }

    private func answer(_ path: [String], _ uses: [ConditionPredicate]) -> ValueTypes? {
        guard let id = path.first.map({ Identifier($0) }) else { return .object }
        // A condition only provides the answers that it lists.
        let isListed = uses.contains { use in use.ids.contains(id) }
        guard isListed, let question = questions[id] else { return .null }
        switch path.count {
        case 1: return question.type.domain.types
        case 2: return question.type.domain.hasTexts ? .string : nil
        default: return nil
        }
    }

    /// The types of the values that the conditions provide at this path.
    private func extra(_ path: [String], _ uses: [ConditionPredicate]) -> ValueTypes? {
        uses.reduce(into: ValueTypes()) { types, use in
            let value = path.reduce(JSONValue.object(use.extra)) { $0.object?[$1] ?? .null }
            types.formUnion(ValueTypes(of: value))
        }
    }
}

extension AnswerDomain {
    /// The types of an answer.
    fileprivate var types: ValueTypes {
        switch self {
        case .text, .year, .day: .string
        case .integer: .number
        case .choice(_, let others): others.isEmpty ? .string : [.string, .object]
        case .choices, .texts: .array
        case .labels, .table: .object
        }
    }

    /// Whether the members of an answer are texts.
    fileprivate var hasTexts: Bool {
        switch self {
        case .labels, .table: true
        case .choice(_, let others): !others.isEmpty
        default: false
        }
    }
}
