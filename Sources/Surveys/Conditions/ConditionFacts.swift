public import BellwetherBase
public import BellwetherJSON

/// A value that a test reads: a root, and a path through objects.
public struct ConditionReference: Sendable, Hashable {
    public enum Root: String, Sendable, Hashable, CaseIterable {
        /// The answers of this questionnaire or survey, or of the current step of a flow.
        case answers
        /// The answers of a flow by step and field.
        case steps
        case attributes
        case counters
        case user
        case session
        /// The data that hooks of a flow have returned.
        case hookData
        /// The context with which the app started a flow: source, campaign and so on.
        case context
        case ledger
        case previousStep
        case platform
        case locale
        /// Whether the respondent is in a segment.
        case segments = "segment"
        /// The respondent's facts, for audiences of flows: `answer` in other conditions is that of the run itself.
        case personFacts = "answer"
        case now
        /// A root that does not exist. Its values are always missing.
        case nowhere
    }

    public var root: Root
    public var path: [Identifier]
    /// A member that is read if the value is an object that contains only texts. Any other value is used unchanged.
    public var textMember: Identifier?

    public init(_ root: Root, _ path: [Identifier] = [], textMember: Identifier? = nil) {
        self.root = root
        self.path = path
        self.textMember = textMember
    }

    /// A reference to a field of the current answers, or to `step.field`.
    init(answerKey key: String) {
        let parts = key.split(separator: ".", omittingEmptySubsequences: false).map { Identifier(String($0)) }
        self.init(parts.count > 1 ? .steps : .answers, parts)
    }

    var answerID: Identifier? { root == .answers ? path.first : nil }

    /// The spelling for people: `answer.q1`.
    public var text: String {
        ([root.rawValue] + path.map(\.text) + (textMember.map { [$0.text] } ?? [])).joined(separator: ".")
    }
}

/// The values that a condition can read. An absent value is missing.
public struct ConditionFacts: Sendable {
    public var answers: JSONObject
    public var steps: JSONObject
    public var attributes: JSONObject
    public var counters: JSONObject
    public var user: JSONObject
    public var session: JSONObject
    public var hookData: JSONObject
    public var context: JSONObject
    public var ledger: JSONObject
    /// The segments that conditions name, each true or false.
    public var segments: JSONObject
    /// The respondent's facts by name.
    public var personFacts: JSONObject = [:]
    public var previousStep: Identifier?
    public var platform: String?
    public var locale: String?
    public var now: Timestamp?
    /// Pairs of an option's id and its value, which count as equal if a test uses aliases.
    public var aliases: [OptionAlias]

    public init(
        answers: JSONObject = [:], steps: JSONObject = [:], attributes: JSONObject = [:], counters: JSONObject = [:]
    ) {
        self.answers = answers
        self.steps = steps
        self.attributes = attributes
        self.counters = counters
        (user, session, hookData, context, ledger, segments, aliases) = ([:], [:], [:], [:], [:], [:], [])
    }

    /// Reads the facts of `bellwether condition batch`. A member of the wrong type counts as absent.
    public init(_ json: JSONObject) {
        func object(_ key: String) -> JSONObject { json[key]?.object ?? [:] }
        self.init(
            answers: object("answers"), steps: object("steps"), attributes: object("attributes"),
            counters: object("counters"))
        (user, session, hookData, ledger) = (object("user"), object("session"), object("hook_data"), object("ledger"))
        (segments, personFacts) = (object("segments"), object("facts"))
        previousStep = json["previous_step"]?.identifier
        (platform, locale) = (json["platform"]?.string, json["locale"]?.string)
        now = json["now"]?.string.flatMap { Timestamp(rfc3339: $0) }
        aliases = (json["options"]?.array ?? []).compactMap { OptionAlias($0) }
    }

    /// The steps that reading a value costs.
    func steps(of reference: ConditionReference) -> Int {
        guard reference.textMember != nil else { return reference.path.count }
        var object = reference
        object.textMember = nil
        return reference.path.count + (value(object)?.object?.count ?? 0)
    }

    /// The value of a reference; nil if it is missing or null.
    func value(_ reference: ConditionReference) -> JSONValue? {
        var value: JSONValue?
        var path = reference.path[...]
        if let object = object(reference.root) {
            guard let key = path.popFirst() else { return .object(object) }
            value = object[key]
        } else {
            value = scalar(reference.root)
        }
        while let key = path.popFirst() { value = value?.object?[key] }
        if let member = reference.textMember, let object = value?.object,
            object.allSatisfy({ $0.value.string != nil })
        {
            value = object[member]
        }
        return value?.present
    }

    private func object(_ root: ConditionReference.Root) -> JSONObject? {
        switch root {
        case .answers: answers
        case .steps: steps
        case .attributes: attributes
        case .counters: counters
        case .user: user
        case .session: session
        case .hookData: hookData
        case .context: context
        case .ledger: ledger
        case .segments: segments
        case .personFacts: personFacts
        case .previousStep, .platform, .locale, .now, .nowhere: nil
        }
    }

    private func scalar(_ root: ConditionReference.Root) -> JSONValue? {
        switch root {
        case .previousStep: previousStep.map { .string($0) }
        case .platform: platform.map { .string($0) }
        case .locale: locale.map { .string($0) }
        case .now: now.map { .integer($0.milliseconds / 1000) }
        default: nil
        }
    }
}

/// An option's id and its value.
public struct OptionAlias: Sendable, Hashable {
    public var id: Identifier
    public var value: Identifier

    public init(id: Identifier, value: Identifier) {
        self.id = id
        self.value = value
    }

    init?(_ json: JSONValue) {
        guard let id = json.object?["id"]?.identifier, let value = json.object?["value"]?.identifier else { return nil }
        self.init(id: id, value: value)
    }
}
