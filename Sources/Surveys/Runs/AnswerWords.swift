internal import BellwetherBase
public import BellwetherJSON

/// One answer in words: the question and the answer.
public struct AnswerWords: Sendable, Hashable {
    /// The id of the step, for a flow.
    public let step: Identifier?
    /// The id of the question, or of the field.
    public let id: Identifier
    public let question: String
    public let answer: String

    /// The JSON form. It has `step_id` only for a flow.
    public var json: JSONValue {
        var json: JSONObject = [:]
        json["step_id"] = step.map { .string($0) }
        json["id"] = .string(id)
        json["question"] = .string(question)
        json["answer"] = .string(answer)
        return .object(json)
    }

    /// The text of an answer. Several parts are separated by commas, and members of an object have their names.
    ///
    /// - Parameters:
    ///   - names: the displayed text for each text of an answer.
    ///   - titles: the displayed text for each member name.
    fileprivate static func text(
        _ answer: JSONValue, names: [Identifier: String] = [:], titles: [Identifier: String] = [:]
    ) -> String {
        switch answer {
        case .string(let text): names[Identifier(text)] ?? text
        case .array(let values): values.map { self.text($0, names: names, titles: titles) }.joined(separator: ", ")
        case .object(let members):
            members.map { "\(titles[Identifier($0.key)] ?? $0.key): \(text($0.value, names: names, titles: titles))" }
                .joined(separator: ", ")
        default: answer.text
        }
    }
}

extension SurveyDefinition {
    /// The answers in words, in the order of the questions. Answers to other questions are left out.
    ///
    /// - Parameter resolve: returns the text for a value that may be the id of a text.
    public func words(for answers: JSONObject, _ resolve: (String) -> String) -> [AnswerWords] {
        questions.all.compactMap { question in
            guard let answer = answers[question.id] else { return nil }
            return AnswerWords(
                step: nil, id: question.id, question: resolve(question.title),
                answer: words(for: answer, to: question, resolve))
        }
    }

    /// One answer in words.
    public func words(for answer: JSONValue, to question: Question, _ resolve: (String) -> String) -> String {
        guard case .choices(let options) = question.type.tally else {
            return AnswerWords.text(answer, titles: question.rowTitles.mapValues(resolve))
        }
        // The options of a survey are themselves the answers, and not ids of texts.
        let hasLabels = kind == .questionnaire
        let chosen = question.type.chosen(in: answer, former: []).map { choice in
            let option = options.first { $0.id == choice.id }
            let label = option.map { hasLabels ? resolve($0.label) : $0.label } ?? choice.id.text
            return choice.text.map { "\(label): \($0)" } ?? label
        }
        return chosen.joined(separator: ", ")
    }
}

extension Question {
    /// The titles of a table's rows by their ids.
    public var rowTitles: [Identifier: String] {
        let rows = (document["table_questions"]?.array ?? []).compactMap(\.object)
        return Dictionary(
            rows.compactMap { row in row["id"]?.identifier.map { ($0, row["title"]?.string ?? $0.text) } }
        ) { $1 }
    }
}

extension FlowDefinition {
    /// The answers in words, in the order of the steps and their fields. Answers to other fields are left out.
    ///
    /// - Parameter resolve: returns the text for a value that may be the id of a text.
    public func words(for answers: JSONObject, _ resolve: (String) -> String) -> [AnswerWords] {
        steps.flatMap { step -> [AnswerWords] in
            let given = answers[step.id]?.object ?? [:]
            return step.fields.compactMap { field -> AnswerWords? in
                guard let answer = given[field.id]?.present else { return nil }
                let labels = Dictionary(
                    field.type.optionLabels.map { ($0.name, FlowTemplate.plain(resolve($0.label))) }
                ) {
                    first, _ in first
                }
                return AnswerWords(
                    step: step.id, id: field.id, question: resolve(step.title(of: field)),
                    answer: AnswerWords.text(answer, names: labels))
            }
        }
    }
}
