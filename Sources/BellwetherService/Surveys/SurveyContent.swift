internal import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// A questionnaire or survey as it is published: its questions, and its expressions parsed.
public struct SurveyContent: Sendable {
    public let run: RunDefinition
    public let predicates: SurveyPredicates

    public var definition: SurveyDefinition { run.definition }

    /// Nil for a recipe that is something else.
    init?(_ recipe: Recipe, retiredIDs: Set<String>) {
        guard let kind = recipe.content,
            let definition = SurveyDefinition(JSONReader(recipe.document, findings: Findings()), kind)
        else { return nil }
        run = RunDefinition(definition, revision: recipe.revision, retiredIDs: retiredIDs)
        predicates = SurveyPredicates(definition.questions.predicates)
    }

    /// The recipe as a device gets it: what is for the daemon is left out.
    var publicText: [UInt8] { JSONValue.object(definition.publicDocument).encoded }

    /// Ids of all questions that it has and ever had.
    var questionIDs: Set<String> { run.retiredIDs.union(definition.questions.all.map(\.id)) }

    /// Ids of all questions of a recipe's revisions.
    static func questionIDs(of revisions: [StoredDocument]) -> Set<String> {
        var ids: Set<String> = []
        for revision in revisions {
            guard let document = try? JSONValue(parsing: revision.text, limits: .kept),
                let kind = document.object?["kind"]?.string.flatMap(ContentKind.init(rawValue:)),
                let definition = SurveyDefinition(JSONReader(document, findings: Findings()), kind)
            else { continue }
            ids.formUnion(definition.questions.all.map(\.id))
        }
        return ids
    }

    /// Finds every fault of a document that somebody publishes.
    static func check(_ document: JSONValue, _ kind: ContentKind, at now: Timestamp, _ findings: Findings) {
        let reader = JSONReader(document, findings: findings)
        let pacing = reader.optional("offer")?.optional("pacing")
        QuotaCheck.checkConditions(of: pacing, findings: findings)
        guard let definition = SurveyDefinition(reader, kind) else { return }
        QuotaCheck.check(pacing, reading: definition.questions, findings: findings)
        QuotaCheck.check(notification: reader.optional("notify"), reading: definition.questions, findings: findings)
        SurveyCheck.check(definition, reader, on: CalendarDay(now), findings: findings)
        for (name, source) in definition.questions.predicates {
            guard let message = SurveyPredicates.fault(of: source) else { continue }
            findings.fault("jexl_parse", at: JSONPointer(tokens: ["predicates", name]), message)
        }
    }

    /// What answers are judged by.
    public func facts(at now: Timestamp, attributes: JSONObject) -> QuestionFacts {
        QuestionFacts(now: now) { [predicates] in predicates.holds($0, attributes: attributes, &$1) }
    }
}
