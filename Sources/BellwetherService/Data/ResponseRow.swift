internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Parquet
internal import Surveys

/// A row of the table `responses`: a run, or the answer to a microsurvey.
struct ResponseRow {
    enum Content {
        case run(Run)
        case answer(SurveyResponse)
    }

    let app: Identifier
    /// The recipe, or the message of a microsurvey.
    let slug: Identifier
    let content: Content
    /// The version of the stored row.
    let version: UInt64

    /// The day of the table that has the row.
    var createdAt: Timestamp {
        switch content {
        case .run(let run): run.createdAt
        case .answer(let answer): answer.submittedAt
        }
    }

    private var run: Run? { if case .run(let run) = content { run } else { nil } }

    var id: Identifier {
        switch content {
        case .run(let run): run.id
        case .answer(let answer): answer.id
        }
    }

    private var revision: Int {
        switch content {
        case .run(let run): run.revision
        case .answer(let answer): answer.revision
        }
    }

    private var submittedAt: Timestamp? {
        switch content {
        case .run(let run): run.submittedAt
        case .answer(let answer): answer.submittedAt
        }
    }

    private var branch: (experiment: Identifier?, branch: Identifier?) {
        switch content {
        case .run(let run): (run.experiment, run.branch)
        case .answer(let answer): (answer.enrollment?.slug, answer.enrollment?.branch)
        }
    }

    private func text(_ value: Identifier?) -> DataValue { DataValue(value?.text) }

    /// JSON text; null for an empty object.
    private static func json(_ object: JSONObject?) -> DataValue {
        DataValue(object.flatMap { $0.isEmpty ? nil : JSONValue.object($0).text })
    }

    static let columns: [DataField<ResponseRow>] = names + facts + times

    private static let names: [DataField<ResponseRow>] = [
        DataField("response_id", .string, "The id of the response.", isRequired: true) { .text($0.id.text) },
        DataField("app", .string, "The app.", isRequired: true) { .text($0.app.text) },
        DataField("slug", .string, "The recipe; of a microsurvey, the message.", isRequired: true) {
            .text($0.slug.text)
        },
        DataField("kind", .string, "`questionnaire`, `survey`, `flow` or `microsurvey`.", isRequired: true) {
            .text($0.run?.kind.rawValue ?? "microsurvey")
        },
        DataField("status", .string, "The status, such as `draft` or `new`.", isRequired: true) {
            .text(($0.run?.status ?? .new).rawValue)
        },
        DataField("revision", .int32, "The revision that judged the last save.") { .integer(Int64($0.revision)) },
        DataField("client_id", .string, "The client.") {
            if case .answer(let answer) = $0.content { .text(answer.clientID.text) } else { $0.text($0.run?.clientID) }
        },
        DataField("user_id", .string, "The user.") { $0.text($0.run?.respondent.userID) },
        DataField("run_status", .string, "The state of a flow: `active`, `completed` or `dismissed`.") {
            DataValue($0.run?.flow?.status.rawValue)
        },
        DataField("step_id", .string, "The current step of a flow.") { $0.text($0.run?.flow?.stepID) },
    ]

    private static let facts: [DataField<ResponseRow>] = [
        DataField("platform", .string, "The platform that started a flow.") { DataValue($0.run?.flow?.platform) },
        DataField("message", .string, "The message that presented the recipe, or the microsurvey itself.") {
            if case .answer(let answer) = $0.content { .text(answer.message.text) } else { $0.text($0.run?.message) }
        },
        DataField("experiment", .string, "The experiment of the respondent.") { $0.text($0.branch.experiment) },
        DataField("branch", .string, "The branch in the experiment.") { $0.text($0.branch.branch) },
        DataField("source", .string, "The system from which the response was imported.") {
            $0.text($0.run?.origin?.source)
        },
        DataField("source_id", .string, "The id of an imported response in its system.") {
            $0.text($0.run?.origin?.id)
        },
        DataField("outcome", .string, "The outcome of a flow, as JSON.", hasStatistics: false) {
            json($0.run?.flow?.outcome?.json.object)
        },
        DataField("attributes", .string, "The attributes that the recipe keeps, as JSON.", hasStatistics: false) {
            json($0.run?.attributes)
        },
        DataField(
            "attribution", .string, "The origin of a flow's respondent, as JSON.", hasStatistics: false
        ) { json($0.run?.attribution) },
        DataField("is_dev", .boolean, "Whether the response was given in development.", isRequired: true) {
            .flag($0.run?.isDevelopment ?? false)
        },
        DataField("round", .int32, "The round of a recipe that is asked again; 1 for any other.") {
            DataValue($0.run?.round.map { Int64($0) })
        },
    ]

    private static let times: [DataField<ResponseRow>] = [
        DataField("created_at", .timestamp, "The time of the first save.", isRequired: true) {
            .integer($0.createdAt.milliseconds)
        },
        DataField("updated_at", .timestamp, "The time of the last save.", isRequired: true) {
            .integer(($0.run?.updatedAt ?? $0.createdAt).milliseconds)
        },
        DataField("submitted_at", .timestamp, "The time of submission; null for a draft.") {
            DataValue($0.submittedAt?.milliseconds)
        },
    ]

    /// The rows of the table `answers` for this response.
    func answers(_ words: inout AnswerTexts) -> [AnswerRow] {
        switch content {
        case .run(let run):
            return run.answerParts.map { AnswerRow(response: self, part: $0, text: words.text(of: $0, in: run)) }
        case .answer(let answer):
            let part = AnswerPart(
                step: nil, question: answer.message, option: answer.optionStringID, value: answer.optionStringID.text)
            return [AnswerRow(response: self, part: part, text: answer.text)]
        }
    }
}

/// A row of the table `answers`: a part of an answer that lists may show.
struct AnswerRow {
    let response: ResponseRow
    let part: AnswerPart
    /// The part in words; nil if no stored revision asks the question.
    let text: String?

    private static let repeated: Set<String> = ["response_id", "app", "slug", "kind"]
    private static let facts: Set<String> = [
        "status", "is_dev", "branch", "round", "created_at", "submitted_at",
    ]

    static let columns: [DataField<AnswerRow>] =
        responses(repeated)
        + [
            DataField(
                "question_id", .string, "The question, or the field of a flow; of a microsurvey, the message.",
                isRequired: true
            ) { .text($0.part.question.text) },
            DataField("step_id", .string, "The step of a flow.") { DataValue($0.part.step?.text) },
            DataField("part", .string, "The row of a table, or the label of a number.") {
                DataValue($0.part.part?.text)
            },
            DataField("ordinal", .int32, "The place among the parts of the answer, from 0.", isRequired: true) {
                .integer(Int64($0.part.ordinal))
            },
            DataField(
                "value", .string, "The stored value: a text, the id of an option, or JSON.", hasStatistics: false
            ) { .text($0.part.value) },
            DataField("number", .double, "The value as a number, if results count it as one.") {
                $0.part.number.map { .number($0) } ?? .null
            },
            DataField(
                "text", .string, "The answer in words, in the app's default language.", hasStatistics: false
            ) { DataValue($0.text) },
        ] + responses(facts)

    /// Columns of the response, which most questions then need no join for.
    private static func responses(_ names: Set<String>) -> [DataField<AnswerRow>] {
        ResponseRow.columns.filter { names.contains($0.column.name) }.map { field in
            let (column, value) = (field.column, field.value)
            return DataField(
                column.name, column.type, column.sentence, isRequired: column.isRequired,
                hasStatistics: column.hasStatistics
            ) { value($0.response) }
        }
    }
}
