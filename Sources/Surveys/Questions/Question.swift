public import BellwetherJSON

/// One question of a questionnaire or survey.
public struct Question: Sendable {
    public let id: Identifier
    public let type: any QuestionType
    /// The type's name in the definition.
    public let typeName: String
    /// The text of the question.
    public let title: String
    /// Whether a final save needs a complete answer if the question is shown.
    public let isRequired: Bool
    /// Whether its answers appear in no telemetry, list or log.
    public let isSensitive: Bool
    /// The condition for showing it; nil: it is always shown.
    public let showIf: Condition?
    public let subQuestions: [Question]
    /// The question as its author wrote it.
    public let document: JSONObject
}

/// The form in which the authors of one system write a question.
struct QuestionFormat: Sendable {
    /// The key that names the type.
    let typeKey: String
    /// The types that the key can name, in the order in which messages to authors list them.
    let types: [(name: String, type: any QuestionType.Type)]
    /// The key of the question's text, and the allowed length of the text.
    let titleKey: String
    let titleLength: ClosedRange<Int>
    /// Whether ids have only the characters a-z, 0-9 and _.
    let hasPlainIDs: Bool
    let idLength: Int
    /// Whether a question without the key `required` is required.
    let isRequired: Bool

    /// docs/reference/surveys.md#questionnaires
    static let questionnaire = QuestionFormat(
        typeKey: "type",
        types: [
            ("text", TextQuestion.self), ("single_choice", SingleChoiceQuestion.self),
            ("multi_choice", MultiChoiceQuestion.self), (RatingQuestion.name, RatingQuestion.self),
            (NPSQuestion.name, NPSQuestion.self),
        ],
        titleKey: "title", titleLength: 1...200, hasPlainIDs: true, idLength: 32, isRequired: false)

    /// docs/reference/surveys.md#surveys
    static let survey = QuestionFormat(
        typeKey: "question_type",
        types: [
            ("single_select", SingleSelectQuestion.self), ("multi_select", MultiSelectQuestion.self),
            ("year_picker", YearPickerQuestion.self), ("date_picker", DatePickerQuestion.self),
            ("single_text_field", SingleTextQuestion.self), ("single_text_area", SingleTextQuestion.self),
            ("multi_text_field", MultiTextFieldQuestion.self),
            ("dynamic_label_text_field", DynamicLabelTextFieldQuestion.self),
            ("add_text_field", AddTextFieldQuestion.self), ("segment_select", SegmentSelectQuestion.self),
            ("table_select", TableSelectQuestion.self),
        ], titleKey: "question", titleLength: 1...2000, hasPlainIDs: false, idLength: 200, isRequired: true)

    /// The formats of questions.
    static let all = [questionnaire, survey]
}

extension Question {
    /// Reads a question; nil if it cannot be asked. A fault of its condition is reported, but the question stays.
    init?(_ reader: JSONReader, _ format: QuestionFormat, _ budget: ConditionReader.Budget, isSubQuestion: Bool = false)
    {
        guard let document = reader.object() else { return nil }
        let id = reader.required("id")?.identifier(format)
        let title = reader.required(format.titleKey)?.text(length: format.titleLength)
        let named = reader.required(format.typeKey).flatMap { Self.type($0, format) }
        let type = named.flatMap { $0.type.init(reader) }
        let isRequired = reader.optional("required").map { $0.bool() ?? format.isRequired }
        let isSensitive = reader.optional("sensitive").map { $0.bool() ?? true }
        _ = reader.optional("subtitle")?.string(length: 0...500)
        let showIf = reader.optional("show_if").map { ShowIfConditions.read(ConditionReader($0, budget: budget)) }
        var subQuestions: [Question] = []
        if let below = reader.optional("sub_questions") {
            if isSubQuestion {
                below.finding("sub_questions", "a question below another cannot have questions below itself")
            } else {
                subQuestions = (below.elements() ?? []).compactMap {
                    Question($0, format, budget, isSubQuestion: true)
                }
            }
        }
        guard let id, let title, let named, let type else { return nil }
        self.init(
            id: id, type: type, typeName: named.name, title: title, isRequired: isRequired ?? format.isRequired,
            isSensitive: isSensitive ?? false, showIf: showIf, subQuestions: subQuestions, document: document)
    }

    /// The type that a question names.
    private static func type(
        _ reader: JSONReader, _ format: QuestionFormat
    ) -> (name: String, type: any QuestionType.Type)? {
        guard let name = reader.string() else { return nil }
        if let named = format.types.first(where: { $0.name == name }) { return named }
        let names = format.types.map(\.name).joined(separator: ", ")
        reader.finding("choice", "the question type \(name) is unknown; it is one of \(names)")
        return nil
    }
}

extension UInt8 {
    /// Whether the byte is `a` to `z`, a digit or `_`.
    var isPlainIDCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

extension JSONReader {
    fileprivate func identifier(_ format: QuestionFormat) -> Identifier? {
        guard let id = identifier(length: 1...format.idLength) else { return nil }
        guard !format.hasPlainIDs || id.utf8.allSatisfy(\.isPlainIDCharacter) else {
            finding("identifier", "an id has only the characters a-z, 0-9 and _")
            return nil
        }
        return id
    }

    /// Reads a text that is not blank.
    func text(length: ClosedRange<Int>) -> String? {
        guard let text = string(length: length) else { return nil }
        guard !text.isBlank else {
            finding("blank", "the text is blank")
            return nil
        }
        return text
    }

    /// Reads an identifier that is not blank.
    func word(length: ClosedRange<Int>) -> Identifier? { text(length: length).map { Identifier($0) } }

    /// Reads 2 to 20 options with labels and unique ids.
    func options() -> [QuestionOption]? {
        guard let elements = elements() else { return nil }
        if !(2...20).contains(elements.count) { finding("length", "expected 2 to 20 options, found \(elements.count)") }
        var options: [QuestionOption] = []
        for element in elements {
            guard element.object() != nil else { continue }
            let id = element.required("id")?.identifier(.questionnaire)
            let label = element.required("label")?.text(length: 1...100)
            guard let id, let label else { continue }
            if options.contains(where: { $0.id == id }) {
                element.optional("id")?.finding("duplicate", "another option has the id \(id)")
            }
            options.append(QuestionOption(id: id, label: label))
        }
        return options
    }
}

extension String {
    /// Whether the text is empty, or has only white space.
    var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
