public import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// Reads a recipe that is being published. It reports all findings of reading and checking, and faults that refuse only
/// a new document. Publishing, validation and `bellwether check` all read recipes here.
///
/// A recipe that an earlier version accepted is not checked again: it is served, and it can be read and deleted.
public struct RecipeIntake {
    let slug: Identifier
    let manifest: Manifest
    let now: Timestamp
    /// The revision that the recipe is read as.
    public var revision = 1
    /// The state of the recipe that has the slug now; nil if there is none.
    public var state: RecipeState?
    /// The content that is in force; nil if there is none. A document that replaces it is compared with it.
    public var inForce: (any PublishedContent)?
    /// The recipe as it was before; nil if there was none, or if it is not known. Its goals are compared.
    public var former: Recipe?
    /// Whether the document was published before. Then its mistakes do not refuse it.
    public var isStored = false
    /// The context that the recipe is checked against beyond its types; nil if it is only read.
    public var context: CheckContext?
    /// The secrets that it may name; nil if the names are not checked.
    public var secrets: RecipeSecrets?

    public init(slug: Identifier, manifest: Manifest, now: Timestamp) {
        self.slug = slug
        self.manifest = manifest
        self.now = now
    }

    /// The names that no recipe can have, because paths of the API use them in place of a slug (`…/recipes/validate`).
    public static let reservedSlugs: Set<Identifier> = ["forecast", "render", "simulate", "size", "validate"]

    /// Reads a document and reports every fault. The result may be used only if there is no fault.
    ///
    /// A misspelled key hides its value. Findings that only follow from this are not reported.
    public func read(_ document: JSONValue, findings: Findings) -> Recipe? {
        let recipe = readOnce(document, findings)
        if let meant = findings.meaning(of: document) {
            let found = Findings()
            _ = readOnce(meant, found)
            findings.dropConsequences(knowing: found)
        }
        return recipe
    }

    private func readOnce(_ document: JSONValue, _ findings: Findings) -> Recipe? {
        defer { findings.settle(isStored: isStored) }
        checkName(of: document, findings)
        if let format = ForeignFormat(document) {
            findings.fault("unknown_kind", at: .root, "not a recipe: \(format.advice)")
            return nil
        }
        let recipe = Recipe.read(document, slug: slug, revision: revision, manifest: manifest, findings: findings)
        KeyCheck.check(document, findings: findings)
        // These checks also run for a recipe whose offer is faulty.
        if let kind = ContentKind(of: document) {
            kind.published.check(document, kind, self, findings)
            checkSeries(of: document, kind, findings)
            KeptAttributesCheck.check(document, under: manifest, findings: findings)
            ConditionReferences.checkAttributes(of: document, under: manifest, findings: findings)
            let offer = JSONReader(document, findings: Findings()).optional("offer")
            PacingCheck.check(offer?.optional("pacing"), at: now, findings: findings)
            RepeatCheck.check(JSONReader(document, findings: Findings()), findings: findings)
            _ = JSONReader(document, findings: findings).own.optional("hosted")?.bool()
        } else {
            QuotaCheck.checkConditions(ofMessagesIn: document, findings: findings)
            checkNotification(of: document, findings)
        }
        guard let recipe else { return nil }
        recipe.checkDates(at: now, findings: findings)
        // An end in the past is reported as a fault of the date.
        if state == .ended, !recipe.hasEnded(at: now) {
            findings.warn(
                "recipe_ended", at: .root,
                "recipe \"\(slug)\" has ended for good, and nothing of it is served: use another slug")
        }
        checkGoals(of: recipe, findings)
        if var context {
            (context.now, context.isStored) = (now, isStored)
            DocumentCheck.check(recipe, under: manifest, in: context, findings: findings)
        }
        return recipe
    }

    /// A stored document of an earlier version may have any `notify`.
    private func checkNotification(of document: JSONValue, _ findings: Findings) {
        guard let object = document.object, Recipe.isExperiment(object) else { return }
        let own = Findings()
        secrets?.checkNotification(of: document, own)
        findings.take(mistakes: own)
    }

    /// Warns of goals that do not count the clients who are enrolled already.
    private func checkGoals(of recipe: Recipe, _ findings: Findings) {
        guard let goals = recipe.goals, let former, let state, state != .draft, !goals.counts(like: former.goals)
        else { return }
        findings.warn(
            "goals_running", at: JSONPointer(tokens: ["goals"]),
            "the goals are new, and the recipe was live: clients that are enrolled already are not counted")
    }

    /// Warns of questions whose type or scale changes (docs/findings.md#questions).
    private func checkSeries(of document: JSONValue, _ kind: ContentKind, _ findings: Findings) {
        guard let inForce else { return }
        let content = kind.published.init(document, kind, slug: slug, revision: revision, retiredIDs: [])
        let former = Dictionary(inForce.asked.map { ($0.series.id, $0.series) }) { first, _ in first }
        for question in content?.asked ?? [] {
            guard let before = former[question.series.id], before != question.series else { continue }
            findings.warn(
                "new_series", at: question.pointer,
                "the question is \(question.series.name) now, and was \(before.name): results count its answers anew, "
                    + "and list those given before in other_revisions")
        }
    }

    private func checkName(of document: JSONValue, _ findings: Findings) {
        guard Self.reservedSlugs.contains(slug) else { return }
        findings.fault(
            "reserved", at: slugPointer(document), "a recipe cannot be named \(slug): that is a path of the API")
    }

    /// The location of the document's slug, or the root if it has none.
    private func slugPointer(_ document: JSONValue) -> JSONPointer {
        document.object?["slug"] == nil ? .root : JSONPointer.root.appending("slug")
    }

    /// A flow's own status counts when the flow is first stored (docs/reference/flows.md#the-status-of-a-flow).
    func checkStatus(of flow: JSONValue, _ findings: Findings) {
        guard let state, state == .live || state == .paused, !FlowDefinition.isPublished(flow) else { return }
        findings.warn(
            "status", at: JSONPointer.root.appending("status"),
            "the recipe is \(state.rawValue), whatever its document says: a status counts for a new flow only")
    }

    /// Checks the requirements of a new questionnaire (docs/reference/surveys.md#questionnaires). A stored
    /// questionnaire keeps its slug.
    func checkQuestionnaire(_ document: JSONValue, _ findings: Findings) {
        let isSlug = (1...64).contains(slug.utf8.count) && slug.utf8.allSatisfy(\.isSlugCharacter)
        if !isSlug {
            findings.fault(
                "slug", at: slugPointer(document),
                "a questionnaire's slug has 1 to 64 of the characters a-z, 0-9 and -")
        }
        _ = JSONReader(document, findings: findings).required("name")
    }
}

extension UInt8 {
    /// Whether it is one of `a` to `z`, the digits and `-`.
    fileprivate var isSlugCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
