internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Parquet

/// A row of the table `events`: a record of the log, with the members of `extra` that have columns.
struct EventRow {
    let app: Identifier
    let record: TelemetryRow
    private let members: ExtraMembers

    init(_ record: TelemetryRow, of app: Identifier) {
        (self.app, self.record) = (app, record)
        members = ExtraMembers(record.extra)
    }

    private func text(_ member: ExtraMember) -> DataValue { DataValue(members.text(member)) }

    static let columns: [DataField<EventRow>] =
        [
            DataField("position", .int64, "The number of the record in its store.", isRequired: true) {
                .integer($0.record.cursor.number)
            },
            DataField(
                "cursor", .string, "The cursor of the record. A reader of the log continues after it.",
                isRequired: true
            ) { .text($0.record.cursor.text) },
            DataField("received_at", .timestamp, "The time at which the store received it.", isRequired: true) {
                .integer($0.record.receivedAt.milliseconds)
            },
            DataField("event_at", .timestamp, "The time that the record states.", isRequired: true) {
                .integer($0.record.at.milliseconds)
            },
            DataField("app", .string, "The app.", isRequired: true) { .text($0.app.text) },
            DataField("client_id", .string, "The client.", isRequired: true) { .text($0.record.clientID.text) },
            DataField("category", .string, "The category, such as `messaging`.", isRequired: true) {
                .text($0.record.category.text)
            },
            DataField("name", .string, "The name, such as `shown`.", isRequired: true) { .text($0.record.name.text) },
            DataField("experiment", .string, "The experiment of the client.") {
                $0.record.experiment.map { .text($0.text) } ?? $0.text(.experiment)
            },
            DataField("branch", .string, "The branch of the client in the experiment.") {
                $0.record.branch.map { .text($0.text) } ?? $0.text(.branch)
            },
        ] + texts
        + [
            DataField("option_index", .int32, "The index of the chosen option of a microsurvey.") {
                DataValue($0.members.integer(.optionIndex))
            },
            DataField("revision", .int32, "The revision of the message or the recipe.") {
                DataValue($0.members.integer(.revision))
            },
            DataField("slug", .string, "The recipe of a questionnaire or survey.") { $0.text(.slug) },
            DataField("flow_id", .string, "The recipe of a flow.") { $0.text(.flow) },
            DataField("step_id", .string, "The step of a flow.") { $0.text(.step) },
            DataField(
                "extra", .string, "All members of the record's `extra` as JSON, also those that have a column.",
                isRequired: true, hasStatistics: false
            ) { .text($0.record.extra) },
        ]

    private static let texts = ExtraMember.texts.map { member in
        DataField<EventRow>(member.text, .string, sentences[member] ?? "") { $0.text(member) }
    }

    private static let sentences: [ExtraMember: String] = [
        .messageKey: "The key of the message.", .messageSurface: "The surface of the message.",
        .surveyID: "The id of the microsurvey.", .userSelection: "The text of the chosen option.",
        .optionStringID: "The option as its author wrote it.", .locale: "The language of the displayed text.",
        .featureID: "The feature.",
    ]
}

extension DataValue {
    init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
}
