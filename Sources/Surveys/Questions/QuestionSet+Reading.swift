internal import BellwetherBase
internal import BellwetherJSON

extension QuestionSet {
    /// Reads the questions that `reader` has under `questions`, and finds what only shows when all are read: ids that
    /// come twice, and references to questions that come later or do not exist. Nil if a question cannot be asked.
    init?(_ reader: JSONReader, in definition: JSONReader, _ format: QuestionFormat, count: ClosedRange<Int>) {
        let hidden = definition.optional("hidden_answers")?.choice(HiddenAnswers.self)
        let defaultPolicy: HiddenAnswers = format.typeKey == QuestionFormat.survey.typeKey ? .keep : .drop
        let predicates = Self.predicates(definition.optional("predicates"))
        guard let list = reader.required("questions"), let elements = list.elements() else { return nil }
        if !count.contains(elements.count) {
            list.finding(
                "length", "expected \(count.lowerBound) to \(count.upperBound) questions, found \(elements.count)")
        }
        let budget = ConditionReader.Budget()
        let questions = elements.map { (reader: $0, question: Question($0, format, budget)) }
        var known: [String] = []
        for (reader, question) in questions {
            guard let question else { continue }
            Self.check(question, reader, &known)
            let below = reader.optional("sub_questions")?.elements() ?? []
            for (subReader, subQuestion) in zip(below, question.subQuestions) {
                Self.check(subQuestion, subReader, &known)
            }
        }
        guard questions.allSatisfy({ $0.question != nil }) else { return nil }
        self.init(
            questions.compactMap(\.question), hiddenAnswers: hidden ?? defaultPolicy, predicates: predicates)
    }

    private static func predicates(_ reader: JSONReader?) -> [String: String] {
        var predicates: [String: String] = [:]
        for (name, expression) in reader?.members() ?? [] {
            predicates[name] = expression.string(length: 1...10_000)
        }
        return predicates
    }

    /// `known` has the ids of the questions before this one.
    private static func check(_ question: Question, _ reader: JSONReader, _ known: inout [String]) {
        func isKnown(_ id: String) -> Bool { known.contains { $0.hasSameBytes(as: id) } }
        if isKnown(question.id) {
            reader.optional("id")?.finding("duplicate", "another question has the id \(question.id)")
        }
        var reported: [String] = []
        for id in question.showIf?.answerIDs ?? [] where !isKnown(id) && !reported.contains(id) {
            reported.append(id)
            reader.optional("show_if")?.finding(
                "reference", "no question before this one has the id \(id)")
        }
        for reference in question.type.references where !isKnown(reference.id) {
            reader.findings.fault(
                "reference", at: reference.pointer, "no question before this one has the id \(reference.id)")
        }
        known.append(question.id)
    }
}
