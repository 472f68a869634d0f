public import BellwetherBase
public import BellwetherJSON

/// A questionnaire or a survey, read from its recipe (docs/reference/surveys.md#recipes).
public struct SurveyDefinition: Sendable {
    public let kind: ContentKind
    public let questions: QuestionSet
    public let name: String?
    /// The description that is shown before the first question.
    public let description: String?
    /// Whether the recipe is offered and accepts answers.
    public let isActive: Bool
    /// Whether the first page asks for consent.
    public let showsConsent: Bool
    /// The texts of the respondent's interface that the author has replaced.
    public let strings: JSONObject
    /// The receivers that are notified of a submitted response.
    public let notification: ResponseNotification?
    /// The address to which a survey's answers are forwarded. Clients do not get it.
    public let submitURL: String?
    /// The theme, which overrides the manifest's.
    public let theme: Theme?
    public let link: LinkParameters?
    /// The attributes that are stored with the responses.
    public let keep: KeptAttributes
    /// The answers that expressions of the app read.
    public let facts: DeclaredFacts
    /// The number of days that a run is kept after its last save; nil: the daemon's settings decide.
    public let retentionDays: Int?
    /// The definition as its author wrote it.
    public let document: JSONObject

    /// Reads a definition; nil if it cannot be served. The reader's findings contain all faults.
    public init?(_ reader: JSONReader, _ kind: ContentKind) {
        guard let document = reader.object() else { return nil }
        self.kind = kind
        self.document = document
        name = reader.optional("name")?.text(length: 1...200)
        let description = reader.optional("description")?.string(length: 0...2_000)
        self.description = description.flatMap { $0.isBlank ? nil : $0 }
        isActive = reader.optional("is_active")?.bool() ?? true
        showsConsent = document["offer"]?.object?["showsConsent"]?.bool ?? true
        strings = Self.strings(reader.optional("strings"))
        notification = reader.optional("notify").flatMap { ResponseNotification($0) }
        theme = reader.optional("theme").flatMap { Theme($0) }
        link = reader.optional("link").flatMap { LinkParameters($0) }
        keep = KeptAttributes(reader.optional("keep"))
        facts = DeclaredFacts(document)
        retentionDays = reader.optional("retention_days")?.integer(in: 1...36_500).map { Int($0) }
        let questions: QuestionSet?
        switch kind {
        case .questionnaire:
            submitURL = nil
            questions = Self.questionnaireQuestions(reader)
        case .survey:
            let submit = reader.optional("submit")
            _ = submit?.optional("button_title")?.string(length: 1...200)
            submitURL = submit?.optional("url")?.webAddress()
            _ = reader.optional("auto_focus_text")?.bool()
            questions = QuestionSet(reader, in: reader, .survey, count: 1...200)
        case .flow: return nil
        }
        guard let questions else { return nil }
        self.questions = questions
    }

    private static func questionnaireQuestions(_ reader: JSONReader) -> QuestionSet? {
        guard let schema = reader.required("schema"), schema.object() != nil else { return nil }
        _ = schema.optional("version")?.integer(in: 1...1)
        return QuestionSet(schema, in: reader, .questionnaire, count: 1...30)
    }

    private static func strings(_ reader: JSONReader?) -> JSONObject {
        var strings = JSONObject()
        for (key, text) in reader?.members() ?? [] {
            guard InterfaceText.all.contains(where: { $0.key == key }) else {
                reader?.refuse(key: key, knowing: InterfaceText.all.map(\.key))
                continue
            }
            if let text = text.string(length: 1...2_000) { strings[key] = .string(text) }
        }
        return strings
    }

    /// The questions in the form that clients get and responses store.
    public var schema: JSONObject {
        switch kind {
        case .questionnaire:
            var schema: JSONObject = ["version": 1]
            schema["questions"] = document["schema"]?.object?["questions"]
            return schema
        case .survey, .flow:
            var schema = JSONObject(document.filter { !Self.serverKeys.contains($0.key) })
            if var submit = document["submit"]?.object {
                submit["url"] = nil
                schema["submit"] = .object(submit)
            }
            return schema
        }
    }

    /// The whole recipe without the parts for the daemon.
    public var publicDocument: JSONObject {
        var document = JSONObject(document.filter { !Self.secretKeys.contains($0.key) })
        if var submit = document["submit"]?.object {
            submit["url"] = nil
            document["submit"] = .object(submit)
        }
        return document
    }

    private static let secretKeys: Set<String> = ["notify", "predicates", "retention_days", "keep", DeclaredFacts.key]

    /// The keys that the form for clients does not have.
    private static let serverKeys: Set<String> = [
        "kind", "slug", "notify", "predicates", "offer", "repeat", "strings", "hosted", "retention_days",
        "theme",
        "link", "keep", "goals", "guards", DeclaredFacts.key,
    ]
}
