public import BellwetherBase
public import BellwetherJSON

/// One line of `bellwether survey batch`: a survey or questionnaire, and answers. The result is the evaluation of the
/// answers.
public enum SurveyBatch {
    /// `predicate` evaluates the expressions of custom conditions, and `reading` returns the values that they read.
    public static func answer(
        _ line: JSONValue, now: Timestamp, predicate: @escaping QuestionFacts.Judge,
        reading: @escaping @Sendable (PredicateInput) -> PredicateReading
    ) -> JSONValue {
        guard let object = line.object else { return error("expected an object") }
        let findings = Findings()
        let reader = JSONReader(
            object["definition"] ?? .null, at: JSONPointer.root.appending("definition"), findings: findings)
        // A questionnaire has its questions in a schema.
        let isQuestionnaire = object["definition"]?.object?["schema"] != nil
        guard let survey = SurveyDefinition(reader, isQuestionnaire ? .questionnaire : .survey) else {
            return error(findings.faults.first?.message ?? "the definition is not a survey")
        }
        guard let answers = (object["answers"] ?? [:]).object else { return error("the answers are not an object") }
        var now = now
        if let given = object["now"], given != .null {
            guard let time = given.string.flatMap({ Timestamp(rfc3339: $0) }) else {
                return error("now is not a time such as 2026-03-15T12:00:00Z")
            }
            now = time
        }
        var facts = QuestionFacts(now: now, predicate: predicate)
        facts.reading = reading
        var answer = survey.questions.evaluate(answers, facts).json
        answer["ranges"] = .object(
            JSONObject(survey.questions.ranges(on: CalendarDay(now)).map { ($0.id.text, $0.range.json) }))
        if object["explain"]?.bool == true {
            answer["explain"] = .array(survey.questions.trace(answers, facts).map(\.json))
        }
        return .object(answer)
    }

    private static func error(_ message: String) -> JSONValue { ["error": .string(message)] }
}

extension QuestionEvaluation {
    /// `{visible, complete, errors}`.
    public var json: JSONObject {
        [
            "visible": .array(shown.map { .string($0.id) }), "complete": .bool(isComplete),
            "errors": .array(faults.map(\.json)),
        ]
    }
}

extension AnswerFault {
    /// `{pointer, code, message, question_id}`.
    public var json: JSONValue {
        [
            "pointer": .string(pointer.description), "code": .string(code.rawValue), "message": .string(message),
            "question_id": .string(questionID),
        ]
    }
}

extension PickerRange {
    /// `{min, max, initial?}`; an absent bound is null.
    public var json: JSONValue {
        var object: JSONObject = [
            "min": minimum.map { .string($0) } ?? .null, "max": maximum.map { .string($0) } ?? .null,
        ]
        if let initial { object["initial"] = .string(initial) }
        return .object(object)
    }
}
