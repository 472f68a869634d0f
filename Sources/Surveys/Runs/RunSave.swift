public import BellwetherBase
public import BellwetherJSON

/// One save of answers, as a client sends it (docs/reference/surveys.md#saving).
public struct RunSave: Sendable {
    /// The answers. Null, or a value that clears an answer of the question's type, removes the answer.
    public var answers: JSONObject
    /// Whether this is the final save.
    public var isComplete: Bool
    /// Whether the save ignores the respondent's earlier actions. The run is then a preview.
    public var isForced: Bool
    /// The round that the client was told; nil if it names none, or if the recipe does not repeat.
    public var round: Int?

    public init(answers: JSONObject, isComplete: Bool, isForced: Bool = false) {
        (self.answers, self.isComplete, self.isForced) = (answers, isComplete, isForced)
    }
}

extension RunSave {
    /// The facts that a client sends about itself with a save. A run stores them.
    public static let factKeys = [
        "session_id", "locale", "environment", "os_version", "app_version", "sdk_name", "sdk_version", "device_model",
        "country_code",
    ]
}

/// The reason why nothing was saved.
public enum SaveRefusal: Error, Sendable, Hashable {
    case inactive
    case globallyDismissed
    /// The round is nil for a recipe that does not repeat.
    case alreadyResponded(AnsweredRound?)
    /// The save names a round after the next one, which is this.
    case wrongRound(next: Int)
    case quotaFull
    case invalid([AnswerFault])
}

/// The respondent's earlier actions on this recipe and on all recipes.
public struct RespondentStanding: Sendable, Hashable {
    public var hasDismissedAll: Bool
    /// The reason why the respondent's earlier answers forbid a save; nil if they do not.
    public var refusal: SaveRefusal?

    public init(hasDismissedAll: Bool = false, refusal: SaveRefusal? = nil) {
        (self.hasDismissedAll, self.refusal) = (hasDismissedAll, refusal)
    }
}

/// A definition against which runs are judged.
public struct RunDefinition: Sendable {
    public let definition: SurveyDefinition
    public let revision: Int
    /// The ids of questions of earlier revisions. Answers to them are ignored.
    public let retiredIDs: Set<Identifier>

    public init(_ definition: SurveyDefinition, revision: Int, retiredIDs: Set<Identifier> = []) {
        (self.definition, self.revision, self.retiredIDs) = (definition, revision, retiredIDs)
    }
}

/// The result of a save of a run.
public struct SavedRun: Sendable {
    public let run: Run
    /// Whether this save submitted the run. It is true once for each run, and never for a preview.
    public let wasSubmitted: Bool
    public let resumeAt: Identifier?
    /// The answers to shown questions.
    public let effectiveAnswers: JSONObject

    public init(run: Run, wasSubmitted: Bool, resumeAt: Identifier?, effectiveAnswers: JSONObject) {
        (self.run, self.wasSubmitted) = (run, wasSubmitted)
        (self.resumeAt, self.effectiveAnswers) = (resumeAt, effectiveAnswers)
    }
}

extension RunDefinition {
    /// The run after a save. All faults are found at once.
    ///
    /// - Parameter run: the respondent's run of the recipe, new or existing.
    public func saving(
        _ save: RunSave, to run: Run, _ standing: RespondentStanding, _ facts: QuestionFacts,
        _ budget: inout EvaluationBudget
    ) throws(SaveRefusal) -> SavedRun {
        guard definition.isActive else { throw .inactive }
        if !save.isForced {
            if save.isComplete, standing.hasDismissedAll { throw .globallyDismissed }
            if let refusal = standing.refusal { throw refusal }
            if run.status == .screenedOut { throw .quotaFull }
            if run.submittedAt != nil { throw .alreadyResponded(nil) }
        }
        return try judging(save, to: run, facts, &budget)
    }

    /// The run after a save whose respondent and time are not checked. Only the answers are judged.
    public func judging(
        _ save: RunSave, to run: Run, _ facts: QuestionFacts, _ budget: inout EvaluationBudget
    ) throws(SaveRefusal) -> SavedRun {
        let incoming = JSONObject(save.answers.filter { !isRetired(Identifier($0.key)) })
        let merged = merging(incoming, into: taken(from: run, facts, &budget))
        let evaluation = definition.questions.evaluate(merged, facts, &budget)
        let faults = faults(of: incoming, evaluation, facts, isComplete: save.isComplete)
        guard faults.isEmpty else { throw .invalid(faults) }
        var saved = run
        saved.revision = revision
        saved.updatedAt = facts.now
        saved.answers = save.isComplete ? evaluation.effectiveAnswers : keptAnswers(of: run, merged)
        saved.sensitiveIDs = definition.questions.all.filter(\.isSensitive).map(\.id)
        if save.isForced { saved.status = .preview }
        if save.isComplete {
            saved.snapshot = definition.schema
            saved.submittedAt = facts.now
            if !save.isForced { saved.status = .new }
        }
        let resumeAt = save.isComplete ? nil : evaluation.resumeAt
        return SavedRun(
            run: marking(saved, stoppedAt: resumeAt), wasSubmitted: save.isComplete && !save.isForced,
            resumeAt: resumeAt, effectiveAnswers: evaluation.effectiveAnswers)
    }

    /// Whether the question belongs to an earlier revision, and not to this one.
    private func isRetired(_ id: Identifier) -> Bool { retiredIDs.contains(id) && definition.questions[id] == nil }

    /// The stored answers that this revision takes. An edit of the recipe can make an answer faulty: an option is gone,
    /// it is out of range, or it was given on another scale. Such an answer is none any more
    /// (docs/reference/surveys.md#saving).
    private func taken(
        from run: Run, _ facts: QuestionFacts, _ budget: inout EvaluationBudget
    ) -> JSONObject {
        let known = JSONObject(run.answers.filter { definition.questions[Identifier($0.key)] != nil })
        guard run.revision != revision else { return known }
        let comparable = known.filter { id, _ in
            definition.questions[Identifier(id)].map { run.answers($0.series) } ?? true
        }
        return definition.questions.valid(JSONObject(comparable), facts, &budget)
    }

    /// The stored answers with those of a save.
    private func merging(_ incoming: JSONObject, into stored: JSONObject) -> JSONObject {
        var merged = stored
        for (id, answer) in incoming {
            if answer == .null || definition.questions[Identifier(id)]?.type.isCleared(by: answer) == true {
                merged[id] = nil
            } else {
                merged[id] = answer
            }
        }
        return merged
    }

    /// The answers that a draft keeps. They include answers to questions that this revision does not have.
    private func keptAnswers(of run: Run, _ merged: JSONObject) -> JSONObject {
        var answers = merged
        for (id, answer) in run.answers where definition.questions[Identifier(id)] == nil { answers[id] = answer }
        return answers
    }

    /// The faults of a save. A draft has the faults of the answers that it contains. A final save has the faults of all
    /// answers.
    private func faults(
        of incoming: JSONObject, _ evaluation: QuestionEvaluation, _ facts: QuestionFacts, isComplete: Bool
    ) -> [AnswerFault] {
        if isComplete { return evaluation.faults + evaluation.missing }
        return evaluation.faults.filter { incoming[$0.questionID] != nil }
    }

    /// A draft as its respondent continues it: the answers that this revision takes, and the question to continue at.
    public func draft(
        of run: Run, _ facts: QuestionFacts, _ budget: inout EvaluationBudget
    ) -> (answers: JSONObject, resumeAt: Identifier?) {
        let answers = taken(from: run, facts, &budget)
        return (answers, definition.questions.evaluate(answers, facts, &budget).resumeAt)
    }
}
