public import BellwetherJSON

/// One type of question. It reads the question's definition and judges its answers.
///
/// Each type is one file and one row of a `QuestionFormat`. Its functions depend only on their arguments.
public protocol QuestionType: Sendable {
    /// Reads the keys of this type; nil if one of them is faulty. The reader's findings name it.
    init?(_ definition: JSONReader)

    /// Finds all faults of an answer that is present and not null.
    func check(_ answer: JSONValue, _ check: inout AnswerCheck)

    /// Whether saving this value clears the answer, as null does.
    func isCleared(by answer: JSONValue) -> Bool

    /// Whether the answer is complete.
    func isComplete(_ answer: JSONValue) -> Bool

    /// The range of a picker on a day; nil for other types.
    func range(on today: CalendarDay) -> PickerRange?

    /// The questions whose answers its rules read, with the location of each reference.
    var references: [QuestionReference] { get }

    /// The way in which results count its answers.
    var tally: QuestionTally { get }

    /// The part of the definition that changes the meaning of a value; nil if no part does. Results do not count
    /// answers of different scales together.
    var scale: String? { get }

    /// The options that an answer chooses. `former` contains the texts of options of earlier revisions.
    func chosen(in answer: JSONValue, former: [Identifier]) -> [ChosenOption]

    /// The marks by which results count a complete answer, in addition to the count of answers.
    func marks(of answer: JSONValue) -> [AnswerMark]

    /// The possible values of its answers.
    var domain: AnswerDomain { get }
}

extension QuestionType {
    public func isCleared(by answer: JSONValue) -> Bool { false }
    public func range(on today: CalendarDay) -> PickerRange? { nil }
    public var references: [QuestionReference] { [] }
    public var tally: QuestionTally { .text }
    /// The number of points of a rating.
    public var scale: String? { if case .rating(let scale) = tally { "\(scale)" } else { nil } }

    /// The id in a text, or the ids in an array.
    public func chosen(in answer: JSONValue, former: [Identifier]) -> [ChosenOption] {
        (answer.identifier.map { [$0] } ?? answer.array?.compactMap(\.identifier) ?? []).map { ChosenOption(id: $0) }
    }

    public func marks(of answer: JSONValue) -> [AnswerMark] {
        switch tally {
        case .text: []
        case .choices: chosen(in: answer, former: []).map { .option($0.id) }
        case .rating, .nps: AnswerMark.number(answer).map { [.number($0)] } ?? []
        }
    }

    public var domain: AnswerDomain { .text }
}

/// The way in which the answers to a question are summarized.
public enum QuestionTally: Sendable, Hashable {
    /// The number of answers, and the newest.
    case text
    /// The number of times that each option was chosen. An answer is one id or an array of ids.
    case choices([QuestionOption])
    /// The mean, and the count of each value from 1 to the scale.
    case rating(scale: Int64)
    /// Promoters, passives and detractors.
    case nps
}

public struct QuestionOption: Sendable, Hashable {
    public let id: Identifier
    public let label: String

    public init(id: Identifier, label: String) {
        self.id = id
        self.label = label
    }
}

/// An option that an answer chooses.
public struct ChosenOption: Sendable, Hashable {
    public let id: Identifier
    /// The text that the respondent has written, for an option that accepts a text.
    public var text: String?

    public init(id: Identifier, text: String? = nil) { (self.id, self.text) = (id, text) }
}

public struct QuestionReference: Sendable, Hashable {
    public let id: Identifier
    public let pointer: JSONPointer
}

/// One fault of one answer (docs/reference/surveys.md#faults-of-answers).
public struct AnswerFault: Sendable, Hashable {
    public enum Code: String, Sendable, Hashable {
        case required
        case unknownKey = "unknown_key"
        case type
        case range
        case notOption = "not_option"
        case duplicate
        case tooLong = "too_long"
        case pattern
        case rule
    }

    public let code: Code
    public let questionID: Identifier
    /// The path inside the answer, of members and indices.
    public let path: [String]
    public let message: String
    /// The bounds of valid answers, `min` and `max`, for clients with sentences of their own.
    public let bounds: JSONObject

    public init(
        _ code: Code, _ questionID: Identifier, path: [String] = [], _ message: String, bounds: JSONObject = [:]
    ) {
        (self.code, self.questionID, self.path, self.message) = (code, questionID, path, message)
        self.bounds = bounds
    }

    /// The location, such as `/answers/q2/0`.
    public var pointer: JSONPointer {
        path.reduce(JSONPointer.root.appending("answers").appending(questionID)) { $0.appending($1) }
    }
}

/// The facts for judging an answer, and the faults that are found.
public struct AnswerCheck {
    public private(set) var faults: [AnswerFault] = []
    /// All answers that conditions and rules can read.
    public let answers: JSONObject
    /// The days that count as today, in their order.
    let days: [CalendarDay]
    var budget: EvaluationBudget
    private var questionID: Identifier = ""

    init(answers: JSONObject, days: [CalendarDay], _ budget: EvaluationBudget) {
        (self.answers, self.days, self.budget) = (answers, days, budget)
    }

    public mutating func fault(
        _ code: AnswerFault.Code, at path: [String] = [], _ message: String, bounds: JSONObject = [:]
    ) {
        faults.append(AnswerFault(code, questionID, path: path, message, bounds: bounds))
    }

    /// Judges an answer. Returns whether it has no fault; a value that clears the answer has none.
    @discardableResult
    mutating func judge(_ answer: JSONValue, to question: Question) -> Bool {
        if question.type.isCleared(by: answer) { return true }
        let count = faults.count
        questionID = question.id
        if refusesNUL(in: answer) { return false }
        question.type.check(answer, &self)
        if budget.endsShort(\.answers) { fault(.pattern, "the answer takes too long to judge") }
        return faults.count == count
    }

    /// Judges an answer to a question that is not shown.
    mutating func judge(hidden answer: JSONValue, to id: Identifier) {
        questionID = id
        _ = refusesNUL(in: answer)
    }

    private mutating func refusesNUL(in answer: JSONValue) -> Bool {
        guard let path = answer.pathToNUL else { return false }
        fault(.type, at: path, "the text has a NUL")
        return true
    }

    mutating func refuse(unknownKey id: Identifier) {
        questionID = id
        fault(.unknownKey, "there is no such question")
    }

    mutating func require(_ question: Question) {
        questionID = question.id
        fault(.required, "an answer is required")
    }
}

extension JSONValue {
    /// The path of a text, or of an object with a key, that contains a NUL; nil if there is none. No answer may contain
    /// a NUL, because other programs may end a text there.
    var pathToNUL: [String]? {
        func path(_ value: JSONValue, below key: String) -> [String]? { value.pathToNUL.map { [key] + $0 } }
        switch self {
        case .string(let text): return text.utf8.contains(0) ? [] : nil
        case .array(let values):
            return values.indices.lazy.compactMap { path(values[$0], below: String($0)) }.first
        case .object(let members):
            if members.contains(where: { $0.key.utf8.contains(0) }) { return [] }
            return members.lazy.compactMap { path($0.value, below: $0.key) }.first
        default: return nil
        }
    }
}

/// A picker's bounds, in the format of its answers. A bound is nil if there is none.
public struct PickerRange: Sendable, Hashable {
    public var minimum: String?
    public var maximum: String?
    /// The value that the picker shows first.
    public var initial: String?
}
