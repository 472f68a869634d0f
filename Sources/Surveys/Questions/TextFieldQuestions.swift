public import BellwetherJSON

/// The types `single_text_field` and `single_text_area` of surveys: one text.
public struct SingleTextQuestion: QuestionType {
    private let maximumLength: Int64?
    private let rules: [TextRule]
    private let isNumber: Bool

    public init?(_ definition: JSONReader) {
        definition.readInputType()
        isNumber = definition.optional("input_type")?.value.string == "number"
        maximumLength = definition.maximumLength()
        rules = TextRule.read(definition)
    }

    /// Checks the answer. Rules also apply to the empty text, which is no number.
    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let text = answer.string else { return check.fault(.type, "expected a string") }
        check.limit(text, to: maximumLength)
        if let message = rules.firstFailure(of: [(nil, text)], &check) {
            check.fault(.rule, message)
        }
    }

    public func isComplete(_ answer: JSONValue) -> Bool { answer.string?.isEmpty == false }

    public func marks(of answer: JSONValue) -> [AnswerMark] {
        isNumber ? AnswerMark.number(answer).map { [.number($0)] } ?? [] : []
    }

    public var references: [QuestionReference] { rules.compactMap(\.reference) }
}

/// The type `multi_text_field` of surveys: an object with a text for each label. The question's `max_chars` applies to
/// fields that have none.
public struct MultiTextFieldQuestion: QuestionType {
    private struct Field {
        let label: Identifier
        let maximumLength: Int64?
        let isNumber: Bool
    }

    private let fields: [Field]

    public init?(_ definition: JSONReader) {
        guard let reader = definition.required("fields"), let elements = reader.elements() else { return nil }
        if elements.isEmpty { reader.finding("length", "expected at least one field") }
        let limit = definition.maximumLength()
        var fields: [Field] = []
        for element in elements {
            guard let label = element.required("label")?.word(length: 1...200) else { continue }
            element.readInputType()
            if fields.contains(where: { $0.label == label }) {
                element.finding("duplicate", "another field has the same label")
            }
            let isNumber = element.optional("input_type")?.value.string == "number"
            fields.append(
                Field(label: label, maximumLength: element.maximumLength() ?? limit, isNumber: isNumber))
        }
        self.fields = fields
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let object = answer.object else { return check.fault(.type, "expected an object") }
        for member in object where member.value != .null {
            let path = [member.key]
            guard let field = fields.first(where: { $0.label == member.key }) else {
                check.fault(.unknownKey, at: path, "there is no such field")
                continue
            }
            guard let text = member.value.string else {
                check.fault(.type, at: path, "expected a string")
                continue
            }
            check.limit(text, to: field.maximumLength, at: path)
        }
    }

    public func isComplete(_ answer: JSONValue) -> Bool { answer.object != nil }

    /// The numbers in the fields that require a number.
    public func marks(of answer: JSONValue) -> [AnswerMark] {
        fields.filter(\.isNumber).compactMap { field in
            AnswerMark.number(answer.object?[field.label]).map { .amount(field.label, number: $0) }
        }
    }

    public var domain: AnswerDomain { .labels([fields.map(\.label)], isPartial: true) }
}

/// The type `dynamic_label_text_field` of surveys: an object with a text for each label of one of the sets.
public struct DynamicLabelTextFieldQuestion: QuestionType {
    private let labelSets: [[Identifier]]
    private let rules: [TextRule]
    /// The id under which the respondent's choice of a set is stored, and the types that it can have.
    public let memory: (id: Identifier, types: [Identifier])?

    public init?(_ definition: JSONReader) {
        guard let reader = definition.required("label_options"), let elements = reader.elements() else { return nil }
        if elements.isEmpty { reader.finding("length", "expected at least one set of labels") }
        labelSets = elements.compactMap { element in
            element.value.array == nil ? element.word(length: 1...200).map { [$0] } : element.texts()
        }
        definition.readInputType()
        rules = TextRule.read(definition)
        memory = definition.optional("options_metadata").flatMap { metadata in
            let id = metadata.required("id")?.word(length: 1...64)
            guard let types = metadata.required("types")?.texts(), let id else { return nil }
            return (id, types)
        }
    }

    /// The index of the set whose labels an answer has.
    public func labelSet(of answer: JSONValue) -> Int? {
        guard let object = answer.object else { return nil }
        return labelSets.firstIndex { set in set.count == object.count && set.allSatisfy { object[$0] != nil } }
    }

    /// The type that is stored when an answer has the labels of a set.
    public func rememberedType(of answer: JSONValue) -> Identifier? {
        guard let memory, let index = labelSet(of: answer), index < memory.types.count else { return nil }
        return memory.types[index]
    }

    /// The index of the set of labels that a stored type means.
    public func labelSet(ofType type: Identifier) -> Int? {
        memory?.types.prefix(labelSets.count).firstIndex(of: type)
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let object = answer.object else { return check.fault(.type, "expected an object") }
        var texts: [(label: Identifier?, text: String)] = []
        for member in object {
            if let text = member.value.string {
                texts.append((Identifier(member.key), text))
            } else {
                check.fault(.type, at: [member.key], "expected a string")
            }
        }
        if labelSet(of: answer) == nil {
            check.fault(.notOption, "expected the labels of one of the sets, and no others")
        } else if let message = rules.firstFailure(of: texts, &check) {
            check.fault(.rule, message)
        }
    }

    public func isComplete(_ answer: JSONValue) -> Bool {
        guard let object = answer.object, !object.isEmpty else { return false }
        return object.allSatisfy { $0.value.string?.isEmpty == false }
    }

    /// The chosen set, and the numbers under its labels.
    public func marks(of answer: JSONValue) -> [AnswerMark] {
        guard let set = labelSet(of: answer) else { return [] }
        let amounts = labelSets[set].compactMap { label in
            AnswerMark.number(answer.object?[label]).map { AnswerMark.amount(label, number: $0) }
        }
        return [.unit(Identifier(labelSets[set].map(\.text).joined(separator: ", ")))] + amounts
    }

    public var domain: AnswerDomain { .labels(labelSets, isPartial: false) }
    public var references: [QuestionReference] { rules.compactMap(\.reference) }
}

/// The type `add_text_field` of surveys: an array of texts.
public struct AddTextFieldQuestion: QuestionType {
    public init?(_ definition: JSONReader) { definition.readInputType() }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let elements = answer.array else { return check.fault(.type, "expected an array of texts") }
        for (index, element) in elements.enumerated() where element.string == nil {
            check.fault(.type, at: [String(index)], "expected a string")
        }
    }

    public func isComplete(_ answer: JSONValue) -> Bool { answer.array != nil }
    public var domain: AnswerDomain { .texts }
}

extension AnswerCheck {
    /// Checks the length of a text in grapheme clusters, the characters that people see.
    fileprivate mutating func limit(_ text: String, to maximum: Int64?, at path: [String] = []) {
        if let maximum, text.count > maximum {
            fault(
                .tooLong, at: path, "a text may have at most \(maximum) characters", bounds: ["max": .integer(maximum)])
        }
    }
}

extension JSONReader {
    private enum InputType: String, CaseIterable { case `default`, number }

    /// Reads the maximum length of a text, in characters.
    fileprivate func maximumLength() -> Int64? { optional("max_chars")?.looseInteger(in: 1...65_536) }

    fileprivate func readInputType() { _ = optional("input_type")?.choice(InputType.self) }
}

extension QuestionSet {
    /// The choices in answers that are the default of later questions, in the order of the questions.
    public func choicesToRemember(in answers: JSONObject) -> [(id: Identifier, type: Identifier)] {
        all.compactMap { question in
            guard let labelled = question.type as? DynamicLabelTextFieldQuestion, let id = labelled.memory?.id,
                let type = answers[question.id].flatMap({ labelled.rememberedType(of: $0) })
            else { return nil }
            return (id, type)
        }
    }

    /// The set of labels that is the default of each question, from the respondent's stored choices.
    public func preselections(_ remembered: (_ id: Identifier) -> Identifier?) -> [(id: Identifier, set: Int)] {
        all.compactMap { question in
            guard let labelled = question.type as? DynamicLabelTextFieldQuestion,
                let type = labelled.memory.flatMap({ remembered($0.id) }), let set = labelled.labelSet(ofType: type)
            else { return nil }
            return (question.id, set)
        }
    }
}
