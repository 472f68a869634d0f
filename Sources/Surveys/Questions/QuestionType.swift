public import BellwetherJSON

/// One type of question: how its definition is read, and how its answers are judged.
///
/// A type is one file and one row of a `QuestionFormat`. Its functions depend on nothing but their arguments.
public protocol QuestionType: Sendable {
    /// Reads the keys of this type. Nil if one of them is faulty: the reader's findings say which.
    init?(_ definition: JSONReader)

    /// Finds all faults of an answer that is there and not null.
    func check(_ answer: JSONValue, _ check: inout AnswerCheck)

    /// Whether saving this value clears the answer, as null does.
    func isCleared(by answer: JSONValue) -> Bool

    /// Whether the answer is all that the question asks for.
    func isComplete(_ answer: JSONValue) -> Bool

    /// The range of a picker on a day; nil for other types.
    func range(on today: CalendarDay) -> PickerRange?

    /// The questions whose answers its rules read, with where each is named.
    var references: [QuestionReference] { get }

    /// How results count its answers.
    var tally: QuestionTally { get }

    /// The options that an answer chooses, those of an earlier revision included, whose texts are given.
    func chosen(in answer: JSONValue, former: [String]) -> [ChosenOption]

    /// The marks by which results count a complete answer, beside the count of answers.
    func marks(of answer: JSONValue) -> [AnswerMark]

    /// Which values its answers can have.
    var domain: AnswerDomain { get }
}

extension QuestionType {
    public func isCleared(by answer: JSONValue) -> Bool { false }
    public func range(on today: CalendarDay) -> PickerRange? { nil }
    public var references: [QuestionReference] { [] }
    public var tally: QuestionTally { .text }

    /// The one id of a text, or those of an array.
    public func chosen(in answer: JSONValue, former: [String]) -> [ChosenOption] {
        (answer.string.map { [$0] } ?? answer.array?.compactMap(\.string) ?? []).map { ChosenOption(id: $0) }
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

/// How the answers to a question are summed up.
public enum QuestionTally: Sendable, Hashable {
    /// The number of answers, and the newest.
    case text
    /// How often each option was chosen. An answer is one id or an array of them.
    case choices([QuestionOption])
    /// Mean and the count of each value from 1 to the scale.
    case rating(scale: Int64)
    /// Promoters, passives and detractors.
    case nps
}

public struct QuestionOption: Sendable, Hashable {
    public let id: String
    public let label: String

    public init(id: String, label: String) {
        self.id = id
        self.label = label
    }
}

/// An option that an answer chooses.
public struct ChosenOption: Sendable, Hashable {
    public let id: String
    /// The text that the respondent has written, for an option that is open for it.
    public var text: String?

    public init(id: String, text: String? = nil) { (self.id, self.text) = (id, text) }
}

public struct QuestionReference: Sendable, Hashable {
    public let id: String
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
    public let questionID: String
    /// Members and indexes within the answer.
    public let path: [String]
    public let message: String

    public init(_ code: Code, _ questionID: String, path: [String] = [], _ message: String) {
        (self.code, self.questionID, self.path, self.message) = (code, questionID, path, message)
    }

    /// As `/answers/q2/0`.
    public var pointer: JSONPointer {
        ([questionID] + path).reduce(JSONPointer.root.appending("answers")) { $0.appending($1) }
    }
}

/// The facts that the judgement of an answer may know, and the faults that it finds.
public struct AnswerCheck {
    public private(set) var faults: [AnswerFault] = []
    /// All answers that conditions and rules may read.
    public let answers: JSONObject
    public let today: CalendarDay
    var budget: EvaluationBudget
    private var questionID = ""

    init(answers: JSONObject, today: CalendarDay, _ budget: EvaluationBudget) {
        (self.answers, self.today, self.budget) = (answers, today, budget)
    }

    public mutating func fault(_ code: AnswerFault.Code, at path: [String] = [], _ message: String) {
        faults.append(AnswerFault(code, questionID, path: path, message))
    }

    mutating func judge(_ answer: JSONValue, to question: Question) {
        questionID = question.id
        if refusesNUL(in: answer) { return }
        question.type.check(answer, &self)
        if budget.endsShort(\.answers) { fault(.pattern, "the answer takes too long to judge") }
    }

    /// Judges an answer to a question that is not shown.
    mutating func judge(hidden answer: JSONValue, to id: String) {
        questionID = id
        _ = refusesNUL(in: answer)
    }

    private mutating func refusesNUL(in answer: JSONValue) -> Bool {
        guard let path = answer.pathToNUL else { return false }
        fault(.type, at: path, "the text has a NUL")
        return true
    }

    mutating func refuse(unknownKey id: String) {
        questionID = id
        fault(.unknownKey, "there is no such question")
    }

    mutating func require(_ question: Question) {
        questionID = question.id
        fault(.required, "an answer is required")
    }
}

extension JSONValue {
    /// Members and indexes that lead to a text, or to an object with a key, that has a NUL; nil: there is none. A NUL
    /// is in no answer: what reads answers elsewhere may end a text there.
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

/// A picker's bounds, spelled as its answers are. Nil: no bound.
public struct PickerRange: Sendable, Hashable {
    public var minimum: String?
    public var maximum: String?
    /// Where the picker stands first.
    public var initial: String?
}
