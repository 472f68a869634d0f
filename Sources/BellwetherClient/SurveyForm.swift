public import BellwetherBase
public import BellwetherJSON
public import Surveys

/// A questionnaire or a survey in the person's language, with the answers so far.
///
/// The value is pure: a view changes `answers` and reads `evaluation`. `BellwetherClient.save` keeps a draft at each
/// step, and `BellwetherClient.submit` ends it.
public struct SurveyForm: Sendable {
    public let kind: ContentKind
    public let slug: String
    public let revision: Int
    public let locale: String
    public let isRightToLeft: Bool
    /// The questions with their types, conditions and rules.
    public let definition: SurveyDefinition
    /// The texts of the interface by key: `submitButton`, `consentTitle` and so on.
    public let strings: [String: String]
    /// The round of a recipe that repeats.
    public let round: Int?
    /// The id of the draft at the daemon, if there is one.
    public let responseID: String?
    /// The answers, by the id of the question.
    public var answers: SurveyAnswers
    /// The key of the message that presented the recipe.
    public var message: String?
    /// Whether the form was requested with `force`: saves are previews, and count nowhere.
    public let isForced: Bool

    /// The questions to show, the faults, and where a draft continues.
    public func evaluation(at now: Timestamp) -> QuestionEvaluation {
        definition.questions.evaluate(answers.json, QuestionFacts(now: now))
    }

    /// The answers without those that are at fault, which no draft may have.
    func validAnswers(at now: Timestamp) -> JSONObject {
        let faulty = Set(evaluation(at: now).faults.map(\.questionID))
        return JSONObject(answers.json.filter { !faulty.contains(Identifier($0.key)) })
    }
}

/// A definition as its route serves it (docs/reference/http-api.md#questionnaires).
extension SurveyForm {
    /// - Parameters:
    ///   - response: the body of the route.
    ///   - saved: the answers that this device keeps; they are newer than those of the daemon's draft.
    init?(_ response: JSONValue, _ kind: ContentKind, saved: JSONObject?, isForced: Bool) {
        let served = response[kind.rawValue]
        guard let slug = served["slug"].string, var document = served.object,
            let definition = Self.definition(&document, kind)
        else { return nil }
        (self.kind, self.slug, self.definition, self.isForced) = (kind, slug, definition, isForced)
        revision = Int(served["revision"].integer ?? 0)
        locale = served["locale"].string ?? ""
        isRightToLeft = served["dir"] == "rtl"
        strings = (served["strings"].object ?? [:]).reduce(into: [:]) { $0[$1.key] = $1.value.string }
        round = response["round"].integer.map { Int($0) }
        responseID = response["in_progress"]["response_id"].string
        answers = SurveyAnswers(saved ?? response["in_progress"]["answers"].object ?? [:])
    }

    /// Reads a served definition. Its `strings` are those of the interface, and not only the author's.
    private static func definition(_ document: inout JSONObject, _ kind: ContentKind) -> SurveyDefinition? {
        document["kind"] = .string(kind.rawValue)
        if document["shows_consent"] == false { document["offer"] = ["showsConsent": false] }
        return SurveyDefinition(JSONReader(.object(document), findings: Findings()), kind)
    }
}

/// Answers by the id of the question, each in the form of its type (docs/reference/surveys.md).
public struct SurveyAnswers: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    public private(set) var json: JSONObject

    public init(_ json: JSONObject = [:]) { self.json = json }

    public init(dictionaryLiteral elements: (String, SurveyAnswer)...) {
        json = JSONObject(elements.map { ($0.0, $0.1.json) })
    }

    /// An answer. Nil clears it, at the daemon too.
    public subscript(id: Identifier) -> SurveyAnswer? {
        get { json[id].flatMap { $0 == .null ? nil : SurveyAnswer(json: $0) } }
        set { json[id] = newValue?.json ?? .null }
    }
}

/// One answer.
public enum SurveyAnswer: Sendable, Hashable {
    /// A text, or the id of one option.
    case text(String)
    /// A rating, or a score from 0 to 10.
    case number(Int64)
    /// The ids of options, or several texts.
    case texts([String])
    /// The texts of several fields, or the options of a table, by label or row.
    case fields([String: String])
    /// Any other form.
    case other(JSONValue)

    public var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        case .texts(let texts): .array(texts.map { .string($0) })
        case .fields(let fields):
            .object(JSONObject(fields.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        case .other(let value): value
        }
    }

    public init(json: JSONValue) {
        let texts = json.array?.compactMap(\.string)
        let fields = json.object.map { members in
            Dictionary(uniqueKeysWithValues: members.compactMap { key, value in value.string.map { (key, $0) } })
        }
        if let text = json.string {
            self = .text(text)
        } else if let number = json.integer {
            self = .number(number)
        } else if let texts, texts.count == json.array?.count {
            self = .texts(texts)
        } else if let fields, fields.count == json.object?.count {
            self = .fields(fields)
        } else {
            self = .other(json)
        }
    }
}

/// The outcome of a request for a questionnaire or survey.
public enum SurveyAvailability: Sendable {
    case open(SurveyForm)
    /// The person may not answer it now: `inactive`, `globally_dismissed`, `already_responded` and so on.
    case closed(reason: String)
    /// There is no such recipe, or it was never loaded and there is no network.
    case unavailable

    public var form: SurveyForm? { if case .open(let form) = self { form } else { nil } }
}

/// The confirmation of a save.
public struct SaveReceipt: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        /// The daemon has stored the answers. Nil of both: another process has delivered them.
        case stored(responseID: String?, status: String?)
        /// The answers are on disk here, and will be sent.
        case waiting
    }

    /// The idempotency key of the save.
    public let id: String
    public let state: State
    /// Whether this save has submitted the response, which is true once.
    public let wasSubmitted: Bool
}

/// The reason why answers were not taken.
public enum SaveFailure: Error, Sendable, Hashable {
    /// Some answers are at fault, or required ones are missing. Nothing was sent.
    case invalid([AnswerFault])
    /// The daemon has refused the answers: `already_responded`, `inactive`, `quota_full` and so on.
    case refused(code: String)
    /// The person has opted out, or has not consented.
    case notAllowed
}
