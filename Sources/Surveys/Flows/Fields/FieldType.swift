public import BellwetherJSON

/// One type of form field in a flow. It reads the field's keys and judges its answers (docs/reference/flows.md#fields).
///
/// Each type is one row of `FlowField.types`. Its functions depend only on their arguments.
public protocol FieldType: Sendable {
    /// Reads the keys of this type. A faulty key counts as absent and is reported in the findings.
    init(_ keys: FieldKeys)

    /// Finds the first fault of a present answer.
    func check(_ answer: JSONValue, _ check: inout FieldCheck)

    /// Whether this value means that there is no answer. It is not checked further.
    func isNoAnswer(_ answer: JSONValue) -> Bool

    /// The fault of a required field without an answer; nil: the sentence `required`.
    func missing(_ answer: JSONValue) -> FlowSentence?

    /// A second member that a step's answers have for this field: what its key adds to the field's id, and its value
    /// for a valid answer, if it has one.
    var addition: FieldAddition? { get }

    /// Pairs of an option's id and its value.
    var aliases: [OptionAlias] { get }

    /// The labels of the options, by their ids and by their values.
    var optionLabels: [OptionLabel] { get }

    /// Whether the answer is judged and sent to hooks, but never stored.
    var isSecret: Bool { get }

    /// Whether the text has one line and no control characters.
    var isSingleLine: Bool { get }

    /// Whether the answer may be a file, which a run stores as a reference.
    var isFile: Bool { get }

    /// All answers that the field can have; nil if they are too many to list.
    var possibleAnswers: [JSONValue]? { get }

    /// The marks by which results count an answer, in addition to the count of answers.
    func marks(of answer: JSONValue) -> [AnswerMark]

    /// The part of the definition that changes the meaning of a value, such as the number of stars; nil if no part
    /// does. Results do not count answers of different scales together.
    var scale: String? { get }
}

extension FieldType {
    public func isNoAnswer(_ answer: JSONValue) -> Bool { false }
    public func missing(_ answer: JSONValue) -> FlowSentence? { nil }
    public var addition: FieldAddition? { nil }
    public var aliases: [OptionAlias] { [] }
    public var optionLabels: [OptionLabel] { [] }
    public var isSecret: Bool { false }
    public var isSingleLine: Bool { false }
    public var isFile: Bool { false }
    public var possibleAnswers: [JSONValue]? { nil }
    public func marks(of answer: JSONValue) -> [AnswerMark] { [] }
    public var scale: String? { nil }
}

/// The label of an option, with a name by which an answer can refer to it.
public struct OptionLabel: Sendable, Hashable {
    public let name: Identifier
    public let label: String
    /// Whether the name is the option's id. Otherwise it is the option's value.
    public let isID: Bool
}

/// A member that a step's answers have in addition to a field's answer.
public struct FieldAddition: Sendable {
    let suffix: String
    /// The value for a valid answer of a respondent in a country; nil if there is none.
    let value: @Sendable (_ answer: JSONValue, _ country: String?) -> JSONValue?
}

/// The fault of one answer.
public struct FieldFault: Sendable, Hashable {
    enum Text: Sendable, Hashable {
        case own(FlowSentence, values: [String])
        /// The `pattern_message` of the field's author.
        case patternMessage(String)
    }

    public let code: AnswerFault.Code
    let text: Text
    /// The bounds of valid answers, for clients with sentences of their own (docs/reference/flows.md#bounds).
    var bounds: JSONObject = [:]
}

/// The first fault of one answer.
public struct FieldCheck {
    public private(set) var fault: FieldFault?
    /// The current day in UTC.
    let today: CalendarDay
    /// The respondent's country by ISO 3166-1; nil if it is unknown.
    let country: String?
    /// The files of the run.
    private let files: [FileReference]

    init(today: CalendarDay, country: String?, files: [FileReference]) {
        (self.today, self.country, self.files) = (today, country, files)
    }

    public mutating func fault(
        _ code: AnswerFault.Code, _ sentence: FlowSentence, _ values: String..., bounds: JSONObject = [:]
    ) {
        fault = fault ?? FieldFault(code: code, text: .own(sentence, values: values), bounds: bounds)
    }

    mutating func fault(patternMessage message: String) {
        fault = fault ?? FieldFault(code: .pattern, text: .patternMessage(message))
    }

    /// The text; nil with a fault if the answer is no text.
    mutating func text(_ answer: JSONValue) -> String? {
        if answer.string == nil { fault(.type, .text) }
        return answer.string
    }

    /// The file; nil with a fault if the answer is neither a data URL nor a reference to a file of the run.
    mutating func file(_ answer: JSONValue, expected: FlowSentence) -> FileReference? {
        if let reference = FileReference(answer) {
            if files.contains(reference) { return reference }
            fault(.pattern, .unknownFile)
            return nil
        }
        guard let text = answer.string else {
            fault(.type, expected)
            return nil
        }
        if let url = DataURL(text) { return url.file.reference }
        fault(.pattern, expected)
        return nil
    }

    /// The number; nil with a fault if the answer is no number.
    mutating func number(_ answer: JSONValue) -> Double? {
        if answer.double == nil { fault(.type, .number) }
        return answer.double
    }
}

/// The keys of a field, which are in its `config`. A block with an answer can also have them at its top level.
public struct FieldKeys {
    let field: JSONReader
    private let sources: [JSONReader]
    private let isBlock: Bool

    init(_ field: JSONReader, isBlock: Bool) {
        (self.field, self.isBlock) = (field, isBlock)
        let config = field.optional("config").flatMap { $0.object() == nil ? nil : $0 }
        sources = [config, isBlock ? field : nil].compactMap(\.self)
    }

    func key(_ name: String) -> JSONReader? { sources.lazy.compactMap { $0.optional(name) }.first }

    /// Reads a number. `min_value` is called `min` in a block.
    func number(_ name: String, orInBlock other: String? = nil) -> Double? {
        (key(name) ?? (isBlock ? other.flatMap { key($0) } : nil))?.number()
    }

    func count(_ name: String, in range: ClosedRange<Int64> = 0...1_000_000) -> Int? {
        key(name)?.integer(in: range).map { Int($0) }
    }

    func bool(_ name: String) -> Bool? { key(name)?.bool() }

    func texts(_ name: String) -> [String]? {
        key(name)?.elements()?.compactMap { $0.value.string ?? $0.optional("id")?.string() ?? $0.string() }
    }

    /// Reads the two bounds. It is a fault if no value is between them.
    func bounds(_ low: String, _ high: String) -> (low: Double?, high: Double?) {
        let bounds = (low: number(low, orInBlock: "min"), high: number(high, orInBlock: "max"))
        if let first = bounds.low, let last = bounds.high, first > last {
            (key(high) ?? field).finding("range", "\(high) is less than \(low)")
        }
        return bounds
    }

    /// The distance between allowed values, above 0.
    func step() -> Double? {
        guard let step = number("step") else { return nil }
        if step > 0 { return step }
        key("step")?.finding("range", "a step is more than 0")
        return nil
    }
}
