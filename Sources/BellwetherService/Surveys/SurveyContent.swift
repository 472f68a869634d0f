public import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import JEXL
public import Surveys

/// A published questionnaire or survey: its questions, and its parsed expressions.
public struct SurveyContent: PublishedContent {
    public let run: RunDefinition
    public private(set) var predicates: SurveyPredicates

    public var definition: SurveyDefinition { run.definition }
    public var kind: ContentKind { definition.kind }
    public var revision: Int { run.revision }
    public var link: LinkParameters? { definition.link }
    public var theme: Theme? { definition.theme }
    public var keep: KeptAttributes { definition.keep }
    public var retentionDays: Int? { definition.retentionDays }
    public var signingSecret: String? { definition.notification?.secretName }
    public var publicText: [UInt8] { JSONValue.object(definition.publicDocument).encoded }
    public var questionIDs: Set<Identifier> { run.retiredIDs.union(definition.questions.all.map(\.id)) }

    public init?(
        _ document: JSONValue, _ kind: ContentKind, slug: Identifier, revision: Int, retiredIDs: Set<Identifier>
    ) {
        guard let definition = SurveyDefinition(JSONReader(document, findings: Findings()), kind) else { return nil }
        run = RunDefinition(definition, revision: revision, retiredIDs: retiredIDs)
        predicates = SurveyPredicates(definition.questions.predicates)
    }

    /// The same content, whose predicates read these segments.
    public func reading(_ scope: AudienceScope) -> SurveyContent {
        var content = self
        content.predicates = SurveyPredicates(definition.questions.predicates, in: scope)
        return content
    }

    public var asked: [SeriesLocation] { definition.asked }

    public func results(text: @escaping @Sendable (String) -> String) -> any RunResults {
        SurveyResults(run, text: text)
    }

    public func words(for part: AnswerPart, of answer: JSONValue, _ resolve: (String) -> String) -> String? {
        definition.words(for: part, of: answer, resolve)
    }

    public func facts(of run: Run) -> [DeclaredFacts.Answer] { definition.factAnswers(of: run) }

    /// A draft counts at the question where it stopped.
    public func marking(_ run: Run) -> Run {
        var budget = EvaluationBudget.amongWrites
        let isDraft = run.submittedAt == nil
        let facts = QuestionFacts(now: run.updatedAt, isAnyDay: true)
        let stop = isDraft ? self.run.draft(of: run, facts, &budget).resumeAt : nil
        return self.run.marking(run, stoppedAt: stop)
    }

    /// Ids of all questions of a recipe's revisions.
    static func questionIDs(of revisions: [StoredDocument]) -> Set<Identifier> {
        var ids: Set<Identifier> = []
        for revision in revisions {
            guard let document = try? JSONValue(parsing: revision.text, limits: .kept),
                let kind = ContentKind(of: document),
                let definition = SurveyDefinition(JSONReader(document, findings: Findings()), kind)
            else { continue }
            ids.formUnion(definition.questions.all.map(\.id))
        }
        return ids
    }

    public static func check(
        _ document: JSONValue, _ kind: ContentKind, _ intake: RecipeIntake, _ findings: Findings
    ) {
        checkQuestions(of: document, kind, at: intake.now, findings)
        let definition = SurveyDefinition(JSONReader(document, findings: Findings()), kind)
        FactCheck.check(JSONReader(document, findings: findings), of: definition, under: intake.manifest)
        intake.secrets?.checkNotification(of: document, findings)
        if kind == .questionnaire, intake.state == nil { intake.checkQuestionnaire(document, findings) }
    }

    private static func checkQuestions(
        of document: JSONValue, _ kind: ContentKind, at now: Timestamp, _ findings: Findings
    ) {
        let reader = JSONReader(document, findings: findings)
        let pacing = reader.optional("offer")?.optional("pacing")
        QuotaCheck.checkConditions(of: pacing, findings: findings)
        guard let definition = SurveyDefinition(reader, kind) else { return }
        QuotaCheck.check(pacing, reading: definition.questions, findings: findings)
        QuotaCheck.check(notification: reader.optional("notify"), reading: definition.questions, findings: findings)
        SurveyCheck.check(definition, reader, on: CalendarDay(now), findings: findings)
        for (name, source) in definition.questions.predicates {
            guard let message = SurveyPredicates.fault(of: source) else { continue }
            findings.fault("jexl_parse", at: JSONPointer(tokens: ["predicates", name.text]), message)
        }
    }

    /// The facts for the judgement of answers.
    ///
    /// - Parameter attributes: see `AppSnapshot.attributes`.
    public func facts(at now: Timestamp, attributes: JSONObject) -> QuestionFacts {
        QuestionFacts(now: now, isAnyDay: true) { [predicates] in predicates.holds($0, attributes: attributes, &$1) }
    }
}
