internal import BellwetherBase
public import BellwetherJSON

/// One row of a table of answers: a chosen option, a row of a table, a labelled number, or a whole answer
/// (docs/reference/data.md#answers).
public struct AnswerPart: Sendable, Hashable {
    /// The id of the step, for a flow.
    public var step: Identifier?
    /// The id of the question, or of the field.
    public var question: Identifier
    /// The row of a table, or the label of a number.
    public var part: Identifier?
    /// The chosen option; nil if the part is no option.
    public var option: Identifier?
    /// The index among the rows of the answer.
    public var ordinal: Int
    /// The value as it is stored: a text, the id of an option, or JSON text.
    public var value: String
    /// The value as a number, if results count it as one.
    public var number: Double?

    public init(step: Identifier?, question: Identifier, option: Identifier? = nil, value: String) {
        (self.step, self.question, self.option, self.value) = (step, question, option, value)
        ordinal = 0
    }
}

extension Run {
    /// The answers that lists may show, in the parts that results count. An answer that results do not count, because
    /// it is empty or incomplete, has no part. If the run was last saved by a version of the daemon without marks, each
    /// answer is one part.
    public var answerParts: [AnswerPart] {
        let counted = countedAnswers
        return openAnswers.flatMap { key, answer -> [AnswerPart] in
            guard kind == .flow else { return parts(of: answer, to: Identifier(key), in: nil, counted) }
            return (answer.object ?? [:]).flatMap { field, answer in
                parts(of: answer, to: Identifier(field), in: Identifier(key), counted)
            }
        }
    }

    private func parts(
        of answer: JSONValue, to question: Identifier, in step: Identifier?,
        _ counted: [Identifier: (series: AnswerSeries, marks: JSONValue)]
    ) -> [AnswerPart] {
        let whole = AnswerPart(step: step, question: question, value: answer.string ?? answer.text)
        guard marks != nil else { return answer == .null ? [] : [whole] }
        let id = step.map { Identifier(JSONPointer(tokens: [$0.text, question.text]).description) } ?? question
        guard let marks = counted[id]?.marks.array else { return [] }
        var parts: [AnswerPart] = []
        var isNumber = false
        for mark in marks.compactMap({ $0.string.flatMap(AnswerMark.init) }) {
            var part = whole
            part.ordinal = parts.count
            switch mark {
            case .answered, .month, .hour, .unit: continue
            case .number:
                isNumber = true
                continue
            case .option(let option): (part.option, part.value) = (option, option.text)
            case .row(let row, let option): (part.part, part.option, part.value) = (row, option, option.text)
            case .amount(let label, _):
                let amount = answer.object?[label] ?? .null
                (part.part, part.value, part.number) = (label, amount.string ?? amount.text, amount.amount)
            }
            parts.append(part)
        }
        // Chips take a text of the respondent beside the suggestions.
        if step != nil, !parts.isEmpty {
            let options = Set(parts.compactMap(\.option))
            for text in (answer.array ?? []).compactMap(\.identifier) where !options.contains(text) {
                var part = whole
                (part.value, part.ordinal) = (text.text, parts.count)
                parts.append(part)
            }
        }
        guard parts.isEmpty else { return parts }
        var part = whole
        if isNumber { part.number = answer.amount }
        return [part]
    }
}

extension JSONValue {
    /// The number that the value is or, as a text, contains.
    fileprivate var amount: Double? {
        (double ?? string.flatMap { Double($0) }).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension SurveyDefinition {
    /// A part of an answer in words; nil if this definition does not ask the question.
    public func words(
        for part: AnswerPart, of answer: JSONValue, _ resolve: (String) -> String
    ) -> String? {
        guard let question = questions[part.question] else { return nil }
        guard part.part == nil else { return part.value }
        guard let id = part.option, case .choices(let options) = question.type.tally else {
            return words(for: answer, to: question, resolve)
        }
        let label = options.first { $0.id == id }.map { kind == .questionnaire ? resolve($0.label) : $0.label }
        let text = question.type.chosen(in: answer, former: []).first { $0.id == id }?.text
        return (label ?? id.text) + (text.map { ": \($0)" } ?? "")
    }
}

extension FlowDefinition {
    /// A part of an answer in words; nil if this definition has no such field.
    public func words(for part: AnswerPart, of answer: JSONValue, _ resolve: (String) -> String) -> String? {
        let step = steps.first { $0.id == part.step }
        guard let field = step?.fields.first(where: { $0.id == part.question }) else { return nil }
        if let option = part.option {
            let label = field.type.optionLabels.first { $0.name == option }?.label
            return label.map { FlowTemplate.plain(resolve($0)) } ?? part.value
        }
        guard let step, part.part == nil, part.value == answer.string ?? answer.text else { return part.value }
        let answers: JSONObject = [step.id.text: .object([field.id.text: answer])]
        return words(for: answers, resolve).first?.answer
    }
}
