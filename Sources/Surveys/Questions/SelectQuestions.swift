public import BellwetherJSON

/// The options of a select question: texts, and options for which the respondent writes a text.
struct SelectOptions: Sendable {
    struct Other: Sendable {
        let title: Identifier
        let rules: [TextRule]
    }

    let texts: [Identifier]
    let others: [Other]

    init?(_ definition: JSONReader) {
        guard let reader = definition.required("options"), let elements = reader.elements() else { return nil }
        if elements.isEmpty { reader.finding("length", "expected at least one option") }
        var (texts, others): ([Identifier], [Other]) = ([], [])
        for element in elements {
            let title: Identifier?
            if element.value.object != nil {
                title = element.required("title")?.word(length: 1...1000)
                if let title { others.append(Other(title: title, rules: TextRule.read(element))) }
                _ = element.optional("type")?.choice(OtherType.self)
            } else {
                title = element.word(length: 1...1000)
                if let title { texts.append(title) }
            }
            if let title, (texts + others.map(\.title)).count(where: { $0 == title }) > 1 {
                element.finding("duplicate", "another option has the same text")
            }
        }
        (self.texts, self.others) = (texts, others)
    }

    private enum OtherType: String, CaseIterable { case freeform, number }

    var references: [QuestionReference] { others.flatMap { $0.rules.compactMap(\.reference) } }

    var tally: QuestionTally {
        .choices((texts + others.map(\.title)).map { QuestionOption(id: $0, label: $0.text) })
    }
}

/// The type `single_select` of surveys: the text of an option, or `{title: text}` for an option with the respondent's
/// text.
public struct SingleSelectQuestion: QuestionType {
    private let options: SelectOptions

    public init?(_ definition: JSONReader) {
        guard let options = SelectOptions(definition) else { return nil }
        self.options = options
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        if let text = answer.string {
            if !text.isEmpty, !options.texts.contains(Identifier(text)) {
                check.fault(.notOption, "expected one of the options")
            }
            return
        }
        guard let object = answer.object, object.count == 1, let member = object.first(where: { _ in true }) else {
            return check.fault(.type, "expected the text of an option, or an object with one member")
        }
        guard let other = options.others.first(where: { $0.title == member.key }) else {
            return check.fault(.notOption, "expected one of the options")
        }
        guard let text = member.value.string else {
            return check.fault(.type, at: [member.key], "expected a string")
        }
        if !text.isEmpty, let message = other.rules.firstFailure(of: [(nil, text)], &check) {
            check.fault(.rule, at: [member.key], message)
        }
    }

    public func isComplete(_ answer: JSONValue) -> Bool {
        if let text = answer.string { return !text.isEmpty }
        guard let object = answer.object, !object.isEmpty else { return false }
        return object.allSatisfy { $0.value.string?.isEmpty == false }
    }

    public func chosen(in answer: JSONValue, former: [Identifier]) -> [ChosenOption] {
        if let text = answer.identifier { return [ChosenOption(id: text)] }
        return (answer.object ?? [:]).map { ChosenOption(id: Identifier($0.key), text: $0.value.string) }
    }

    public var references: [QuestionReference] { options.references }
    public var tally: QuestionTally { options.tally }
    public var domain: AnswerDomain { .choice(options.texts, others: options.others.map(\.title)) }
}

/// The type `multi_select` of surveys: an array of texts of options, each once. It can also contain one other text for
/// each option that accepts the respondent's text.
public struct MultiSelectQuestion: QuestionType {
    private let options: SelectOptions

    public init?(_ definition: JSONReader) {
        guard let options = SelectOptions(definition) else { return nil }
        self.options = options
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let elements = answer.array else { return check.fault(.type, "expected an array of texts") }
        var seen: Set<Identifier> = []
        var others = options.others[...]
        for (index, element) in elements.enumerated() {
            let path = [String(index)]
            guard let text = element.identifier else {
                check.fault(.type, at: path, "expected a string")
                continue
            }
            if !seen.insert(text).inserted {
                check.fault(.duplicate, at: path, "an option is chosen twice")
            } else if !options.texts.contains(text) {
                self.check(text.text, at: path, &others, &check)
            }
        }
    }

    private func check(
        _ text: String, at path: [String], _ others: inout ArraySlice<SelectOptions.Other>, _ check: inout AnswerCheck
    ) {
        guard let other = others.popFirst() else {
            return check.fault(.notOption, at: path, "expected one of the options")
        }
        if !text.isEmpty, let message = other.rules.firstFailure(of: [(nil, text)], &check) {
            check.fault(.rule, at: path, message)
        }
    }

    /// The chosen options. A text that is neither an option nor a former option is the respondent's own. The first such
    /// text belongs to the first option that accepts a text, and so on.
    public func chosen(in answer: JSONValue, former: [Identifier]) -> [ChosenOption] {
        var others = options.others[...]
        return (answer.array?.compactMap(\.identifier) ?? []).map { text in
            let isOption = options.texts.contains(text) || former.contains(text)
            guard !isOption, let other = others.popFirst() else { return ChosenOption(id: text) }
            return ChosenOption(id: other.title, text: text.text)
        }
    }

    public func isComplete(_ answer: JSONValue) -> Bool { answer.array != nil }
    public var references: [QuestionReference] { options.references }
    public var tally: QuestionTally { options.tally }
    public var domain: AnswerDomain { .choices(options.texts, others: options.others.count) }
}

/// The type `segment_select` of surveys: one of the values.
public struct SegmentSelectQuestion: QuestionType {
    private let values: [Identifier]

    public init?(_ definition: JSONReader) {
        guard let values = definition.required("values")?.texts() else { return nil }
        self.values = values
        for key in ["low_tag", "high_tag"] { _ = definition.optional(key)?.string() }
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let text = answer.identifier else { return check.fault(.type, "expected a string") }
        if !text.isEmpty, !values.contains(text) {
            check.fault(.notOption, "expected one of the values")
        }
    }

    public func isComplete(_ answer: JSONValue) -> Bool { answer.string?.isEmpty == false }
    public var tally: QuestionTally { .choices(values.map { QuestionOption(id: $0, label: $0.text) }) }
    public var domain: AnswerDomain { .choice(values, others: []) }

    /// The ends of a scale of numbers. Other values are options.
    public var scale: String? {
        let numbers = values.compactMap { Double($0.text) }.filter(\.isFinite)
        guard numbers.count == values.count, let low = numbers.min(), let high = numbers.max() else { return nil }
        return [low, high].map { JSONValue.number($0).canonicalText }.joined(separator: "–")
    }
}

/// The type `table_select` of surveys: an object with an option for each row.
public struct TableSelectQuestion: QuestionType {
    private let options: [Identifier]
    private let rows: [Identifier]

    public init?(_ definition: JSONReader) {
        let options = definition.required("options")?.texts()
        let rows = definition.required("table_questions").flatMap(Self.rows)
        guard let options, let rows else { return nil }
        (self.options, self.rows) = (options, rows)
    }

    private static func rows(_ reader: JSONReader) -> [Identifier]? {
        guard let elements = reader.elements() else { return nil }
        if elements.isEmpty { reader.finding("length", "expected at least one row") }
        var rows: [Identifier] = []
        for element in elements {
            let id = element.required("id")?.word(length: 1...200)
            guard element.required("title")?.text(length: 1...2000) != nil, let id else { continue }
            if rows.contains(id) {
                element.finding("duplicate", "another row has the same id")
            }
            rows.append(id)
        }
        return rows
    }

    public func check(_ answer: JSONValue, _ check: inout AnswerCheck) {
        guard let object = answer.object else { return check.fault(.type, "expected an object") }
        for member in object where member.value != .null {
            let path = [member.key]
            guard rows.contains(Identifier(member.key)) else {
                check.fault(.unknownKey, at: path, "there is no such row")
                continue
            }
            guard let text = member.value.identifier else {
                check.fault(.type, at: path, "expected a string")
                continue
            }
            if !text.isEmpty, !options.contains(text) {
                check.fault(.notOption, at: path, "expected one of the options")
            }
        }
    }

    public func isComplete(_ answer: JSONValue) -> Bool {
        guard let object = answer.object else { return false }
        return rows.allSatisfy { object[$0]?.string?.isEmpty == false }
    }

    public func marks(of answer: JSONValue) -> [AnswerMark] {
        rows.compactMap { row in answer.object?[row]?.identifier.map { .row(row, option: $0) } }
    }

    public var domain: AnswerDomain { .table(rows: rows, options: options) }
}

extension JSONReader {
    /// Reads at least one text. Each must be unique and not blank.
    func texts() -> [Identifier]? {
        guard let elements = elements() else { return nil }
        if elements.isEmpty { finding("length", "expected at least one text") }
        var texts: [Identifier] = []
        for element in elements {
            guard let text = element.word(length: 1...1000) else { continue }
            if texts.contains(text) {
                element.finding("duplicate", "the text stands here twice")
            }
            texts.append(text)
        }
        return texts
    }
}
