public import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
public import Surveys

/// A published flow.
public struct FlowContent: PublishedContent {
    public private(set) var definition: FlowDefinition
    public let revision: Int

    public var kind: ContentKind { .flow }
    public var link: LinkParameters? { definition.link }
    public var theme: Theme? { definition.theme }
    public var keep: KeptAttributes { definition.keep }
    public var answerIDs: Set<Identifier>? {
        definition.hooks.isEmpty ? Set(definition.steps.flatMap(\.fields).map(\.id)) : nil
    }
    public var publicText: [UInt8] { JSONValue.object(definition.publicDocument).encoded }
    public var headerSecrets: [String] { definition.hooks.flatMap(\.secretNames) }
    public var signingSecret: String? { definition.notification?.secretName }

    /// The maximum bytes of a document.
    private static let maximumBytes = 1 << 20

    /// Retired ids are not needed, because a run continues with the revision that it began with.
    public init?(
        _ document: JSONValue, _ kind: ContentKind, slug: Identifier, revision: Int, retiredIDs: Set<Identifier>
    ) {
        guard kind == .flow, let definition = FlowDefinition(JSONReader(document, findings: Findings()), slug: slug)
        else { return nil }
        (self.definition, self.revision) = (definition, revision)
    }

    /// Reads a revision of a recipe, for a run that began with it. Nil if the revision is not a flow.
    public init?(_ revision: StoredDocument, slug: Identifier) {
        guard let document = try? JSONValue(parsing: revision.text, limits: .kept),
            let definition = FlowDefinition(JSONReader(document, findings: Findings()), slug: slug)
        else { return nil }
        (self.definition, self.revision) = (definition, revision.revision)
    }

    public func speaking(_ language: FlowLanguage) -> FlowContent {
        var flow = self
        flow.definition = definition.speaking(language)
        return flow
    }

    public var asked: [SeriesLocation] { definition.asked }

    public func results(text: @escaping @Sendable (String) -> String) -> any RunResults {
        FlowResults(definition, text: text)
    }

    public func marking(_ run: Run) -> Run { definition.marking(run) }

    public func words(for part: AnswerPart, of answer: JSONValue, _ resolve: (String) -> String) -> String? {
        definition.words(for: part, of: answer, resolve)
    }

    public func facts(of run: Run) -> [DeclaredFacts.Answer] { definition.factAnswers(of: run) }

    public static func check(
        _ document: JSONValue, _ kind: ContentKind, _ intake: RecipeIntake, _ findings: Findings
    ) {
        let bytes = document.encoded.count
        if bytes > maximumBytes {
            findings.fault("length", at: .root, "a flow has at most 1 MiB, this one \(bytes) bytes")
        }
        let reader = JSONReader(document, findings: findings)
        QuotaCheck.checkConditions(of: reader.optional("offer")?.optional("pacing"), findings: findings)
        let flow = FlowDefinition(reader)
        FactCheck.check(reader, of: flow, under: intake.manifest)
        if let flow {
            FlowDocumentCheck.check(
                flow, reader, under: intake.manifest, on: CalendarDay(intake.now), findings: findings)
            intake.secrets?.checkHooks(of: flow, findings)
            intake.secrets?.checkNotification(of: document, besides: flow.hooks.flatMap(\.secretNames), findings)
        }
        intake.checkStatus(of: document, findings)
    }
}

/// All flows of an app in AppDNA's form: `{"flows": {ID: FLOW}, "active_flow_id"}` (docs/reference/flows.md#bundles).
public struct FlowBundle {
    let entries: [RecipeBatch.Entry]
    /// The id of the active flow; nil if the bundle does not name one.
    let activeID: Identifier?

    /// A flow of a bundle, as a recipe.
    public struct Flow: Sendable {
        public let slug: Identifier
        public let text: [UInt8]
        /// The reasons why the flow cannot be a recipe.
        public let faults: [Finding]
    }

    /// The flows of a file in the order of the file, and the id of the active one; nil if the file is not a bundle.
    public static func read(
        file text: [UInt8]
    ) throws(PublishRefusal) -> (flows: [Flow], activeID: Identifier?)? {
        var limits = JSONLimits.standard
        limits.depth += 2
        guard (try? JSONValue(parsing: text, limits: limits))?.object?["kind"] == nil,
            let bundle = try FlowBundle(text, limits: limits)
        else { return nil }
        let flows = bundle.entries.map { entry in
            var faults: [Finding] = []
            if case .envelope(let found)? = entry.refusal { faults = found }
            return Flow(slug: entry.slug ?? "", text: entry.text, faults: faults)
        }
        return (flows, bundle.activeID)
    }

    /// The document that makes one of an app's flows the active one.
    public static func activating(_ id: Identifier) -> JSONValue { ["flows": [:], "active_flow_id": .string(id)] }

    /// Nil if the document is not a bundle.
    init?(_ text: [UInt8], limits: JSONLimits) throws(PublishRefusal) {
        guard let object = (try? JSONValue(parsing: text, limits: limits))?.object, object["data"] == nil,
            let flows = object["flows"]
        else { return nil }
        let findings = Findings()
        let reader = JSONReader(flows, at: JSONPointer.root.appending("flows"), findings: findings)
        guard let members = reader.members() else { throw .envelope(findings.faults) }
        guard members.count <= RecipeBatch.maximum else {
            throw .envelope([Finding(pointer: reader.pointer, code: "too_many", message: "too many flows")])
        }
        let active = JSONReader(.object(object), findings: findings).optional("active_flow_id")?.identifier()
        guard findings.faults.isEmpty else { throw .envelope(findings.faults) }
        activeID = active
        entries = members.map { id, flow in
            Self.entry(Identifier(id), flow, isActive: active.map { $0 == id })
        }
    }

    private static func entry(_ id: Identifier, _ flow: JSONReader, isActive: Bool?) -> RecipeBatch.Entry {
        let findings = Findings()
        let own = JSONReader(flow.value, at: flow.pointer, findings: findings)
        if !id.text.isIdentifier { own.finding("identifier", "an id is 1 to 128 printable characters") }
        guard var document = own.object(), findings.faults.isEmpty else {
            return RecipeBatch.Entry(slug: id, text: [], refusal: .envelope(findings.faults))
        }
        document["kind"] = .string(ContentKind.flow.rawValue)
        if document["id"] == nil { document["id"] = .string(id) }
        if let isActive, isActive || document["active"] != nil { document["active"] = .bool(isActive) }
        return RecipeBatch.Entry(slug: id, text: JSONValue.object(document).encoded, refusal: nil)
    }

    /// The flows of an app that are in force, and drafts of flows that never were in force. A `status` that contradicts
    /// this is replaced.
    public static func export(_ app: AppSnapshot) -> JSONValue {
        var flows = JSONObject()
        var active: Identifier?
        for (slug, recipe) in app.recipes.sorted(by: { $0.key < $1.key }) {
            guard recipe.flow != nil, var document = recipe.recipe.document.object else { continue }
            if document["active"] == true, recipe.isLive { active = active ?? slug }
            document["kind"] = nil
            document["active"] = nil
            let isDraft = recipe.stored.state == .draft
            if FlowDefinition.isPublished(recipe.recipe.document) == isDraft {
                document["status"] = isDraft ? "draft" : "published"
            }
            flows[slug] = .object(document)
        }
        return ["flows": .object(flows), "active_flow_id": active.map { .string($0) } ?? .null]
    }
}

extension AppSnapshot {
    /// The live flow that audiences select for these attributes, segments and facts, otherwise the active one.
    public func activeFlow(
        for attributes: JSONObject, in segments: JSONObject, with facts: RespondentFacts
    ) -> LoadedRecipe? {
        let live = recipes.values.filter(\.isLive).compactMap { recipe in
            recipe.flow.map { (id: recipe.stored.slug, flow: $0.definition, choice: recipe) }
        }
        return FlowDefinition.chosen(among: live, for: attributes, in: segments, with: facts.json)
    }
}
