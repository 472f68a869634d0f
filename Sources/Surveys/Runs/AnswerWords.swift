internal import BellwetherBase
public import BellwetherJSON

/// One answer in words: what was asked, and what was answered.
public struct AnswerWords: Sendable, Hashable {
    /// The step of a flow.
    public let step: String?
    /// The id of the question, or of the field.
    public let id: String
    public let question: String
    public let answer: String

    /// Without `step_id` for a question of no flow.
    public var json: JSONValue {
        var json: JSONObject = [:]
        json["step_id"] = step.map { .string($0) }
        json["id"] = .string(id)
        json["question"] = .string(question)
        json["answer"] = .string(answer)
        return .object(json)
    }

    /// Several parts with commas between them, members of an object with their names.
    ///
    /// - Parameters:
    ///   - names: what texts are called, by what they are.
    ///   - titles: the same of the names of members.
    fileprivate static func text(
        _ answer: JSONValue, names: [String: String] = [:], titles: [String: String] = [:]
    ) -> String {
        switch answer {
        case .string(let text): names[text] ?? text
        case .array(let values): values.map { self.text($0, names: names, titles: titles) }.joined(separator: ", ")
        case .object(let members):
            members.map { "\(titles[$0.key] ?? $0.key): \(text($0.value, names: names, titles: titles))" }
                .joined(separator: ", ")
        default: answer.text
        }
    }
}

extension SurveyDefinition {
    /// Answers in words, in the order of the questions; those that it does not ask are left out.
    ///
    /// - Parameter resolve: gives the text for what may be an id of one.
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
        // Options of a survey are their own answers, and no ids of texts.
        let hasLabels = kind == .questionnaire
        let chosen = question.type.chosen(in: answer, former: []).map { choice in
            let option = options.first { $0.id.hasSameBytes(as: choice.id) }
            let label = option.map { hasLabels ? resolve($0.label) : $0.label } ?? choice.id
            return choice.text.map { "\(label): \($0)" } ?? label
        }
        return chosen.joined(separator: ", ")
    }
}

extension Question {
    /// The titles of a table's rows by their ids.
    public var rowTitles: [String: String] {
        let rows = (document["table_questions"]?.array ?? []).compactMap(\.object)
        return Dictionary(rows.compactMap { row in row["id"]?.string.map { ($0, row["title"]?.string ?? $0) } }) { $1 }
    }
}

extension FlowDefinition {
    /// Answers in words, in the order of the steps and their fields; those that it does not ask are left out.
    ///
    /// - Parameter resolve: gives the text for what may be an id of one.
    public func words(for answers: JSONObject, _ resolve: (String) -> String) -> [AnswerWords] {
        steps.flatMap { step -> [AnswerWords] in
            let given = answers[step.id]?.object ?? [:]
            return step.fields.compactMap { field -> AnswerWords? in
                guard let answer = given[field.id]?.present else { return nil }
                let labels = Dictionary(field.type.optionLabels.map { ($0.name, resolve($0.label)) }) { first, _ in
                    first
                }
                return AnswerWords(
                    step: step.id, id: field.id, question: resolve(step.title(of: field)),
                    answer: AnswerWords.text(answer, names: labels))
            }
        }
    }
}
