public import BellwetherJSON

/// The type `single_choice` of questionnaires: the id of an option.
public struct SingleChoiceQuestion: QuestionType {
    let options: [QuestionOption]

    public init?(_ definition: JSONReader) {
        guard let options = definition.required("options")?.options() else { return nil }
        self.options = options
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let id = answer.identifier else { return check.fault(.type, "expected the id of an option") }
        if !options.contains(where: { $0.id == id }) {
            check.fault(.notOption, "expected one of the options")
        }
    }

    public func isCleared(by answer: JSONValue) -> Bool { answer.string?.isBlank ?? false }
    public func isComplete(_ answer: JSONValue) -> Bool { !isCleared(by: answer) }
    public var tally: QuestionTally { .choices(options) }
    public var domain: AnswerDomain { .choice(options.map(\.id), others: []) }
}

/// The type `multi_choice` of questionnaires: an array of ids of options, each once.
public struct MultiChoiceQuestion: QuestionType {
    let options: [QuestionOption]

    public init?(_ definition: JSONReader) {
        guard let options = definition.required("options")?.options() else { return nil }
        self.options = options
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let elements = answer.array else { return check.fault(.type, "expected an array of ids of options") }
        var seen: Set<Identifier> = []
        for (index, element) in elements.enumerated() {
            let path = [String(index)]
            guard let id = element.identifier else {
                check.fault(.type, at: path, "expected the id of an option")
                continue
            }
            if !options.contains(where: { $0.id == id }) {
                check.fault(.notOption, at: path, "expected one of the options")
            } else if !seen.insert(id).inserted {
                check.fault(.duplicate, at: path, "an option is chosen twice")
            }
        }
    }

    public func isCleared(by answer: JSONValue) -> Bool {
        (answer.array?.isEmpty ?? false) || (answer.string?.isBlank ?? false)
    }
    public func isComplete(_ answer: JSONValue) -> Bool { !isCleared(by: answer) }
    public var tally: QuestionTally { .choices(options) }
    public var domain: AnswerDomain { .choices(options.map(\.id), others: 0) }
}
