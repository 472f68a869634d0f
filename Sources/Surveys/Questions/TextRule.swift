internal import BellwetherJSON

/// One entry of a survey's `validations` (docs/reference/surveys.md#validations): the answer's text is compared with a
/// value or with the answer to another question.
struct TextRule: Sendable {
    enum Operation: String, CaseIterable, Sendable {
        case equals
        case notEquals = "not equals"
        case greater = "greater than"
        case greaterOrEqual = "greater than or equal to"
        case less = "less than"
        case lessOrEqual = "less than or equal to"
    }

    private enum Operand {
        case value(JSONValue)
        case answer(QuestionReference)
    }

    /// The operation; nil if it is unknown. The rule then never holds.
    private let operation: Operation?
    private let operand: Operand
    let message: String
    /// The label to which the rule applies; nil: it applies to all texts.
    let label: Identifier?

    /// Reads the rules of a question or of an option. The list is empty without the key.
    static func read(_ definition: JSONReader) -> [TextRule] {
        (definition.optional("validations")?.elements() ?? []).compactMap { TextRule($0) }
    }

    private init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        operation = reader.required("operation")?.choice(Operation.self)
        if let other = reader.optional("answer_to_question_id"), let id = other.identifier() {
            operand = .answer(QuestionReference(id: id, pointer: other.pointer))
        } else if let value = reader.required("value") {
            operand = .value(value.value)
        } else {
            operand = .value(.null)
        }
        message = reader.optional("on_fail_message")?.string() ?? "the answer is not valid"
        label = reader.optional("for_label")?.identifier()
    }

    var reference: QuestionReference? {
        if case .answer(let reference) = operand { reference } else { nil }
    }

    fileprivate func holds(for text: String, _ check: inout AnswerCheck) -> Bool {
        let value: JSONValue?
        switch operand {
        case .value(let operand): value = operand
        case .answer(let reference): value = check.answers[reference.id]
        }
        guard let operation, let value, value != .null else { return false }
        let condition: ConditionTest.Operation =
            switch operation {
            case .equals, .notEquals: .equals
            case .greater: .greater
            case .greaterOrEqual: .greaterOrEqual
            case .less: .less
            case .lessOrEqual: .lessOrEqual
            }
        return ConditionTest(
            ConditionReference(.answers, ["text"]), condition, .value(value), comparison: .automatic,
            isNegated: operation == .notEquals
        ).holds(for: ConditionFacts(answers: ["text": .string(text)]), &check.budget)
    }
}

extension [TextRule] {
    /// The message of the first rule that one of the texts violates. A text without a label has the label nil. The
    /// result is also nil if the budget is used up.
    func firstFailure(of texts: [(label: Identifier?, text: String)], _ check: inout AnswerCheck) -> String? {
        for rule in self {
            for (label, text) in texts {
                guard check.budget.spend(1) else { return nil }
                guard rule.label == nil || rule.label == label, !rule.holds(for: text, &check) else { continue }
                return check.budget.isShort ? nil : rule.message
            }
        }
        return nil
    }
}

/// Reads a whole number, which authors write as a number or as a text.
extension JSONReader {
    func looseInteger(in range: ClosedRange<Int64>) -> Int64? {
        if let text = value.string {
            if let number = Int64(text), range.contains(number) { return number }
            finding("range", "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return integer(in: range)
    }
}
