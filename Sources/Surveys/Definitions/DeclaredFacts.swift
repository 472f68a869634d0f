public import BellwetherJSON

/// The answers of a recipe that the app's expressions read as `answer.NAME`: its member `facts`
/// (docs/reference/audiences.md#answers).
public struct DeclaredFacts: Sendable {
    /// The maximum number of a recipe's facts.
    public static let maximum = 16
    /// The member of the recipe.
    public static let key = "facts"

    /// An answer under the name of its fact.
    public struct Answer: Sendable, Hashable {
        public let name: Identifier
        public let value: JSONValue
    }

    /// The names, each with its question: the id of a question, or `STEP.FIELD` in a flow.
    private let questions: [(name: Identifier, question: Identifier)]

    /// Reads the facts of a document. A member that is no text is left out; publishing refuses it.
    init(_ document: JSONObject) {
        questions = (document[Self.key]?.object ?? [:]).compactMap { member in
            member.value.identifier.map { (Identifier(member.key), $0) }
        }
    }

    /// The names that a document declares.
    public static func names(in document: JSONValue) -> [String] {
        (document.object?[key]?.object ?? [:]).map(\.key)
    }

    fileprivate func answers(_ answer: (_ question: Identifier) -> JSONValue?) -> [Answer] {
        questions.compactMap { entry in answer(entry.question).map { Answer(name: entry.name, value: $0) } }
    }
}

extension SurveyDefinition {
    /// The answers of a run that are facts.
    public func factAnswers(of run: Run) -> [DeclaredFacts.Answer] {
        facts.answers { id in
            guard let question = questions[id], !question.isSensitive, let answer = run.answers[id],
                !question.marks(of: answer).isEmpty
            else { return nil }
            return answer
        }
    }
}

extension FlowDefinition {
    /// The answers of a run that are facts.
    public func factAnswers(of run: Run) -> [DeclaredFacts.Answer] {
        facts.answers { name in
            guard let (step, field) = field(named: name), !field.isSensitive,
                let answer = run.answers[step.id]?.object?[field.id], answer != .null, !answer.isEmptyAnswer
            else { return nil }
            return answer
        }
    }

    /// The field of `STEP.FIELD`. Both ids may contain dots.
    private func field(named name: Identifier) -> (step: FlowStep, field: FlowField)? {
        for step in steps {
            for field in step.fields where FlowField.factName(of: field, in: step) == name { return (step, field) }
        }
        return nil
    }
}

extension FlowField {
    /// The name by which `facts` names the field of a step.
    public static func factName(of field: FlowField, in step: FlowStep) -> Identifier { "\(step.id).\(field.id)" }
}
