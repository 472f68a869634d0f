public import BellwetherBase
public import BellwetherJSON

/// An onboarding flow, read from its recipe: steps, and the rules that lead from one to the next
/// (docs/reference/flows.md).
///
/// When a flow runs, it tolerates the faults that its author's tools tolerate. At publish, the findings refuse them.
public struct FlowDefinition: Sendable {
    public static let maximumSteps = 200
    /// The maximum size of an image or a signature after decoding.
    public static let maximumFileBytes = DataURL.maximumBytes
    /// The maximum number of step visits in one run; a rule can lead back.
    public static let maximumVisits = 200

    public let id: Identifier
    public let name: String?
    /// The version in the author's numbering: a number or a text.
    public let version: JSONValue
    /// Whether a respondent who requests no flow by name gets this one, if no audience fits.
    public let isActive: Bool
    public let steps: [FlowStep]
    public let settings: Settings
    /// The theme, which overrides the manifest's.
    public let theme: Theme?
    public let link: LinkParameters?
    /// The attributes that are stored with its runs.
    public let keep: KeptAttributes
    /// The answers that expressions of the app read.
    public let facts: DeclaredFacts
    /// The receivers that are notified of a completed run.
    public let notification: ResponseNotification?
    /// The audience; nil: all respondents.
    public let audience: Condition?
    /// The priority. If several audiences fit, the flow with the highest priority is chosen.
    public let priority: Double
    /// The definition as its author wrote it.
    public let document: JSONObject
    /// The fields whose answers appear in no list, as `/STEP/FIELD`, and the members of sensitive conversations.
    public let sensitivePointers: [Identifier]
    let nodes: [Identifier: FlowNode]
    /// The aliases of all steps, because conditions of blocks can read the answers to any step.
    let aliases: [OptionAlias]
    private let indexes: [Identifier: Int]
    /// The language of its sentences for the respondent of a run.
    public private(set) var language = FlowLanguage.english

    public struct Settings: Sendable {
        public var showsProgress = true
        public var allowsBack = true
        /// Whether the respondent can end the flow before its last step.
        public var allowsDismissal = true
    }

    /// The hooks of all its steps.
    public var hooks: [FlowHook] { steps.flatMap { [$0.hook, $0.renderHook, $0.chatHook].compactMap(\.self) } }

    /// Reads a definition; nil if it has no steps to run. The reader's findings contain all faults.
    ///
    /// - Parameter slug: the id of a flow whose document has none.
    public init?(_ reader: JSONReader, slug: Identifier = "") {
        guard let document = reader.object() else { return nil }
        self.document = document
        id = reader.optional("id")?.identifier(length: 1...200) ?? slug
        name = reader.optional("name")?.string()
        version = reader.optional("version").map(Self.version) ?? .null
        _ = reader.optional("status")?.string()
        isActive = reader.optional("active")?.bool() ?? false
        settings = Self.settings(reader.optional("settings"))
        theme = reader.optional("theme").flatMap { Theme($0) }
        link = reader.optional("link").flatMap { LinkParameters($0) }
        keep = KeptAttributes(reader.optional("keep"))
        facts = DeclaredFacts(document)
        notification = reader.optional("notify").flatMap { ResponseNotification($0) }
        let budget = ConditionReader.Budget()
        audience = reader.optional("audience_rules").map {
            AudienceConditions.read(ConditionReader($0, budget: budget))
        }
        let rules = reader.optional("audience_rules")
        priority = rules?.value.object == nil ? 0 : rules?.optional("priority")?.number() ?? 0
        nodes = Self.nodes(reader.optional("graph_nodes"))
        guard let list = reader.required("steps"), let elements = list.elements() else { return nil }
        if !(1...Self.maximumSteps).contains(elements.count) {
            list.finding("length", "a flow has 1 to \(Self.maximumSteps) steps, this one \(elements.count)")
        }
        let read = elements.map { (reader: $0, step: FlowStep($0, budget)) }
        steps = read.compactMap(\.step)
        aliases = steps.flatMap(\.aliases)
        sensitivePointers = steps.flatMap { step in
            let ids = step.fields.filter(\.isSensitive).flatMap(\.keys)
            return (ids + (step.hidesConversation ? FlowStep.conversationKeys : [])).map {
                Identifier(JSONPointer.root.appending(step.id).appending($0).description)
            }
        }
        var indexes: [Identifier: Int] = [:]
        for (index, step) in steps.enumerated() {
            if indexes[step.id] == nil { indexes[step.id] = index }
        }
        self.indexes = indexes
        guard !steps.isEmpty, steps.count == elements.count else { return nil }
        FlowCheck(flow: self).check(reader, steps: read.map(\.reader), reading: budget.steps)
    }

    private static func version(_ reader: JSONReader) -> JSONValue {
        if reader.value.string == nil { _ = reader.number() }
        return reader.value
    }

    private static func nodes(_ reader: JSONReader?) -> [Identifier: FlowNode] {
        var nodes: [Identifier: FlowNode] = [:]
        for (id, node) in reader?.members() ?? [] where node.object() != nil { nodes[Identifier(id)] = FlowNode(node) }
        return nodes
    }

    private static let progressStyles = ["dots", "segmented_bar", "continuous_bar", "fraction", "none"]

    private static func settings(_ reader: JSONReader?) -> Settings {
        var settings = Settings()
        guard let reader, reader.object() != nil else { return settings }
        settings.showsProgress = reader.optional("show_progress")?.bool() ?? true
        settings.allowsBack = reader.optional("allow_back")?.bool() ?? true
        settings.allowsDismissal = reader.optional("dismiss_allowed")?.bool() ?? true
        if let style = reader.optional("progress_style") {
            BlockKeys.checkWord(style, progressStyles)
            if style.value.string == "none" { settings.showsProgress = false }
        }
        if let skip = reader.optional("skip_to_step"), skip.value.bool == nil { _ = skip.string() }
        return settings
    }

    public func speaking(_ language: FlowLanguage) -> FlowDefinition {
        var flow = self
        flow.language = language
        return flow
    }

    public func index(of step: Identifier) -> Int? { indexes[step] }
    public func step(_ id: Identifier) -> FlowStep? { index(of: id).map { steps[$0] } }

    /// Whether the author's `status` says that a flow is published, or is missing.
    public static func isPublished(_ document: JSONValue) -> Bool {
        document.object?["status"]?.string.map { ["published", "active", "live"].contains($0) } ?? true
    }
}

/// The parts of a flow that clients and devices may read.
extension FlowDefinition {
    /// The whole recipe without hooks, their headers, and the parts for the daemon.
    public var publicDocument: JSONObject {
        let open = JSONObject(document.filter { !Self.ownKeys.contains($0.key) })
        return Self.withoutHooks(.object(open)).object ?? [:]
    }

    /// The keys of the parts for the daemon.
    private static let ownKeys: Set<String> = ["notify", "keep", "goals", "guards", DeclaredFacts.key]

    private static let hookKeys: Set<String> = ["hook", "render_hook", "webhook", "webhook_url", "headers"]

    static func withoutHooks(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map(withoutHooks))
        case .object(let members):
            .object(
                JSONObject(
                    members.filter { !hookKeys.contains($0.key) }.map { ($0.key, withoutHooks($0.value)) }))
        default: value
        }
    }

    /// Whether the audience reads facts of the respondent.
    public var audienceReadsFacts: Bool {
        (audience?.leaves ?? []).contains { leaf in
            if case .test(let test) = leaf { test.reference.root == .personFacts } else { false }
        }
    }

    /// The flow for a respondent who requests none by name. It is the flow with the highest priority among those whose
    /// audience fits, else the active one. Among several, the first id is chosen. Without attributes only an audience
    /// that reads a segment or a fact of the respondent can fit.
    public static func chosen<Choice>(
        among flows: [(id: Identifier, flow: FlowDefinition, choice: Choice)], for attributes: JSONObject,
        in segments: JSONObject = [:], with personFacts: JSONObject = [:]
    ) -> Choice? {
        let flows = flows.sorted { $0.id < $1.id }
        var facts = ConditionFacts(attributes: attributes)
        (facts.segments, facts.personFacts) = (segments, personFacts)
        var budget = EvaluationBudget.wholeSave
        let fitting = flows.filter { _, flow, _ in
            guard let audience = flow.audience, !attributes.isEmpty || audience.readsPerson else { return false }
            return audience.holds(for: facts, &budget)
        }
        let highest = fitting.map(\.flow.priority).max()
        return (fitting.first { $0.flow.priority == highest } ?? flows.first { $0.flow.isActive })?.choice
    }
}
