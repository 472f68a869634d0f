internal import BellwetherBase
public import BellwetherJSON

/// One screen of a flow (docs/reference/flows.md#steps).
public struct FlowStep: Sendable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case welcome
        case question
        case valueProp = "value_prop"
        case form
        case interactiveChat = "interactive_chat"
        /// A custom step. An unknown type counts as custom too.
        case custom
    }

    public let id: Identifier
    public let kind: Kind
    /// All fields of the step, including hidden ones.
    public let fields: [FlowField]
    public let isSkippable: Bool
    public let hidesProgress: Bool
    public let hidesBack: Bool
    /// The hook that is called before the respondent leaves the step by `next`.
    public let hook: FlowHook?
    /// The hook that is called before the step is shown.
    public let renderHook: FlowHook?
    /// The hook that is called for each message of a chat.
    public let chatHook: FlowHook?
    /// The step as its author wrote it, and its `config`.
    public let document: JSONObject
    public let config: JSONObject
    let rules: [FlowRule]
    let blocks: [FlowBlock]
    /// The fields of a form by their index; nil for a field that cannot have an answer.
    let formFields: [FlowField?]
    let aliases: [OptionAlias]
    /// The location where its author wrote it.
    let pointer: JSONPointer

    /// Whether the conversation of a chat appears in no list and in no telemetry.
    let hidesConversation: Bool

    /// The key of a question's answer.
    static let selectionID: Identifier = "selected"

    /// Reads a step; nil for a step without an id.
    init?(_ reader: JSONReader, _ budget: ConditionReader.Budget) {
        guard let document = reader.object() else { return nil }
        let id = reader.required("id")?.identifier(length: 1...200)
        kind = Self.kind(reader)
        let keys = StepKeys(reader)
        keys.checkTexts()
        isSkippable = keys.config("skip_enabled")?.bool() ?? false
        hidesProgress = keys.any("hide_progress")?.bool() ?? false
        hidesBack = keys.any("hide_back")?.bool() ?? false
        hook = FlowHook(keys.any("hook"), .advance)
        renderHook = FlowHook(keys.any("render_hook"), .render)
        chatHook = kind == .interactiveChat ? Self.chat(keys) : nil
        let chat = kind == .interactiveChat ? keys.config("chat_config") : nil
        hidesConversation = chat?.value.object == nil ? false : chat?.optional("sensitive")?.bool() ?? false
        let blockReader = keys.config("content_blocks") ?? reader.optional("content_blocks")
        blocks = FlowBlock.read(blockReader, budget)
        let needsFields = kind == .form && blocks.isEmpty
        formFields = needsFields || keys.config("fields") != nil ? Self.formFields(keys, budget) : []
        let selection = kind == .question ? Self.selection(keys, hasBlocks: !blocks.isEmpty) : nil
        fields = (selection.map { [$0] } ?? []) + formFields.compactMap(\.self) + blocks.flatMap(\.allFields)
        rules = FlowRule.rules(of: keys, budget)
        aliases = fields.flatMap(\.type.aliases)
        (self.document, config, pointer) = (document, keys.mergedConfig, reader.pointer)
        guard let id else { return nil }
        self.id = id
        FlowField.checkIDs(fields, reader.findings)
    }

    private static func kind(_ reader: JSONReader) -> Kind {
        guard let name = reader.required("type")?.string() else { return .custom }
        if let kind = Kind(rawValue: name) { return kind }
        reader.findings.warn(
            "unknown_step", at: reader.pointer.appending("type"),
            "the step type \(name) is unknown; the step is a custom one. The types are "
                + Kind.allCases.map(\.rawValue).joined(separator: ", "))
        return .custom
    }

    private static func formFields(_ keys: StepKeys, _ budget: ConditionReader.Budget) -> [FlowField?] {
        let list = keys.config("fields") ?? keys.requiredConfig?.required("fields")
        return (list?.elements() ?? []).map { FlowField(form: $0, around: [], budget) }
    }

    /// The selection of a question. If a block contains the question's options, the block has the answer.
    private static func selection(_ keys: StepKeys, hasBlocks: Bool) -> FlowField? {
        if hasBlocks, keys.config("options") == nil { return nil }
        guard let config = keys.source(of: "options") ?? keys.requiredConfig else { return nil }
        if let mode = keys.config("selection_mode") { _ = mode.string() }
        if let display = keys.config("display") { BlockKeys.checkWord(display, ["dropdown", "stacked", "grid"]) }
        return FlowField(
            id: selectionID, QuestionSelection(FieldKeys(config, isBlock: true)), named: "question",
            label: "A selection", at: config.pointer)
    }

    private static func chat(_ keys: StepKeys) -> FlowHook? {
        guard let reader = keys.requiredConfig?.required("chat_config"), reader.object() != nil else { return nil }
        _ = ChatConfig(reader)
        return FlowHook(reader.required("webhook"), .chat)
    }
}

/// The locations of a step's keys: `config` (or `layout`), and for some keys also the step's top level.
struct StepKeys {
    let step: JSONReader
    /// The objects that are present.
    private let configs: [JSONReader]

    init(_ step: JSONReader) {
        self.step = step
        configs = ["config", "layout"].compactMap { step.optional($0) }.filter { $0.object() != nil }
    }

    func source(of key: String) -> JSONReader? { configs.first { $0.optional(key) != nil } }
    func config(_ key: String) -> JSONReader? { source(of: key)?.optional(key) }
    /// The value at the step's top level, else in its config.
    func any(_ key: String) -> JSONReader? { step.optional(key) ?? config(key) }
    /// The config for keys that are required.
    var requiredConfig: JSONReader? { configs.first ?? step.required("config") }

    var mergedConfig: JSONObject {
        var merged = JSONObject()
        for config in configs.reversed() {
            for member in config.value.object ?? [:] { merged[member.key] = member.value }
        }
        return merged
    }

    func checkTexts() {
        for key in ["title", "subtitle", "image_url", "cta_text", "default_locale", "permission_type"] {
            _ = config(key)?.string()
        }
        for item in config("items")?.elements() ?? [] { _ = item.object() }
        for (_, texts) in config("localizations")?.members() ?? [] {
            for (_, text) in texts.members() ?? [] { _ = text.string() }
        }
        if let localizations = step.optional("localizations") { _ = localizations.object() }
    }
}

extension FlowField {
    /// Checks that ids are unique in a step, and that `depends_on` reads only earlier fields.
    fileprivate static func checkIDs(_ fields: [FlowField], _ findings: Findings) {
        var known: Set<Identifier> = []
        for field in fields {
            for id in field.dependencies where !known.contains(id) {
                findings.fault(
                    "reference", at: field.pointer.appending("depends_on"), "no field before this one has the id \(id)")
            }
            if !known.insert(field.id).inserted {
                findings.fault(
                    "duplicate", at: field.pointer.appending("id"), "another field of the step has the id \(field.id)")
            }
        }
    }

    /// The ids of fields that `depends_on` reads. Only its tests use this comparison.
    private var dependencies: [Identifier] {
        conditions.flatMap(\.leaves).compactMap { leaf in
            guard case .test(let test) = leaf, test.comparison == .textAndJSONNumbers else { return nil }
            return test.reference.answerID
        }
    }
}

/// The evaluation of a response to a step.
public struct FlowEvaluation: Sendable {
    /// The answers to visible fields.
    public let answers: JSONObject
    let faults: [(id: Identifier, field: FlowField?, fault: FieldFault)]
    let visibleIDs: Set<Identifier>
}

/// One fault of a response (docs/reference/flows.md#faults-of-a-response).
public struct FlowFault: Sendable, Hashable {
    public let pointer: JSONPointer
    /// A code of `AnswerFault.Code`, or the reason why the action is refused.
    public let code: String
    public let message: String
    /// The key of the sentence that the message is; nil if the message is a text of the app.
    public let reason: FlowSentence?
    public let bounds: JSONObject

    package init(
        _ code: String, at tokens: [String], _ message: String, reason: FlowSentence? = nil, bounds: JSONObject = [:]
    ) {
        (pointer, self.code, self.message) = (JSONPointer(tokens: tokens), code, message)
        (self.reason, self.bounds) = (reason, bounds)
    }

    /// The facts that a client needs for a sentence of its own: `{reason, bounds}`, as far as they are known.
    public var details: JSONObject {
        var details = JSONObject()
        details["reason"] = reason.map { .string($0.rawValue) }
        if !bounds.isEmpty { details["bounds"] = .object(bounds) }
        return details
    }

    /// `{pointer, code, message}` and the details.
    public var json: JSONValue {
        var json: JSONObject = [
            "pointer": .string(pointer.description), "code": .string(code), "message": .string(message),
        ]
        for member in details { json[member.key] = member.value }
        return .object(json)
    }
}

extension FlowStep {
    /// Judges a response, field by field in order. Hidden fields are ignored. All faults are found, at most one per
    /// field.
    ///
    /// - Parameters:
    ///   - facts: the values that conditions can read, without the response.
    ///   - files: the files of the run.
    func evaluate(
        _ response: JSONObject, _ facts: ConditionFacts, on today: CalendarDay, files: [FileReference],
        _ budget: inout EvaluationBudget
    ) -> FlowEvaluation {
        var facts = facts
        facts.answers = given(response)
        var visible: Set<Identifier> = []
        var answers = JSONObject()
        let country = facts.locale.flatMap { LanguageTag($0)?.country }
        var faults: [(id: Identifier, field: FlowField?, fault: FieldFault)] = []
        facts.steps[id] = .object(facts.answers)
        for field in fields {
            guard field.conditions.allSatisfy({ $0.holds(for: facts, &budget) }) else {
                // The budget pays for a copy of the answers.
                if facts.answers[field.id] != nil, budget.spend(facts.answers.count) {
                    facts.answers[field.id] = nil
                    facts.steps[id] = .object(facts.answers)
                }
                continue
            }
            visible.insert(field.id)
            let answer = response[field.id]
            if let fault = field.fault(of: answer, on: today, in: country, files: files, &budget) {
                faults.append((field.id, field, fault))
            } else if let answer = answer?.present, answer.isEmptyAnswer || !field.type.isNoAnswer(answer) {
                answers[field.id] = answer
            }
        }
        complete(&answers, country)
        // A client may send an addition back.
        let known = Set(fields.flatMap(\.keys))
        for member in response where !known.contains(Identifier(member.key)) {
            faults.append(
                (Identifier(member.key), nil, FieldFault(code: .unknownKey, text: .own(.unknownField, values: []))))
        }
        return FlowEvaluation(answers: answers, faults: faults, visibleIDs: visible)
    }

    /// The members of a response that conditions can read: without null, and without what is no answer yet.
    private func given(_ response: JSONObject) -> JSONObject {
        var given = JSONObject(response.filter { $0.value != .null })
        for field in fields {
            guard let answer = given[field.id], !answer.isEmptyAnswer, field.type.isNoAnswer(answer) else { continue }
            given[field.id] = nil
        }
        return given
    }

    /// Adds the second members of valid answers. They replace no answer to a field with such an id.
    private func complete(_ answers: inout JSONObject, _ country: String?) {
        for field in fields {
            guard let addition = field.type.addition, let key = field.additionKey, let answer = answers[field.id],
                !fields.contains(where: { $0.id == key })
            else { continue }
            answers[key] = addition.value(answer, country)
        }
    }

    /// The title of a field: its label, or the step's title for the selection of a question.
    public func title(of field: FlowField) -> String {
        let isSelection = kind == .question && field.id == Self.selectionID
        return isSelection ? title ?? id.text : FlowTemplate.plain(field.label)
    }

    /// The field with this id.
    func field(_ id: Identifier) -> FlowField? { fields.first { $0.id == id } }

    /// The step's title in its default texts, without templates; nil if it has none.
    public var title: String? { config["title"]?.string.map(FlowTemplate.plain) }

    /// The field to which a key of the answers belongs.
    private func field(of key: Identifier) -> FlowField? {
        fields.first { $0.id == key } ?? fields.first { $0.additionKey == key }
    }

    /// The answers without secrets, which are never stored.
    func kept(_ answers: JSONObject) -> JSONObject {
        let secret = fields.filter(\.type.isSecret).map(\.id)
        return secret.isEmpty ? answers : JSONObject(answers.filter { !secret.contains(Identifier($0.key)) })
    }

    /// The members of a chat's answer that are the conversation itself.
    static let conversationKeys: [Identifier] = ["transcript", "webhook_data"]

    /// The answers in the form for telemetry.
    public func open(_ answers: JSONObject) -> JSONObject {
        JSONObject(
            answers.compactMap { key, value in
                if hidesConversation, Self.conversationKeys.contains(Identifier(key)) { return nil }
                guard let field = field(of: Identifier(key)) else { return (key, value) }
                return field.open(value).map { (key, $0) }
            })
    }
}
