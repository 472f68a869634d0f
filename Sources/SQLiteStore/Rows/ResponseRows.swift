internal import BellwetherBase
import BellwetherCore
import GRDB

/// Table `response`: a client's one answer to each microsurvey.
struct ResponseRows {
    private let insert: Prepared
    private let select: Prepared

    init(_ database: Database) throws {
        insert = try Prepared(
            database,
            """
            INSERT INTO response (app, client, message, id, request_id, option_index, option_string_id, text, locale,
                revision, submitted_at, experiment, branch)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        select = try Prepared(
            database,
            """
            SELECT id, request_id, option_index, option_string_id, text, locale, revision, submitted_at
            FROM response WHERE app = ? AND message = ? AND client = ?
            """)
    }

    /// A second answer of the client to the message breaks the table's constraint.
    func insert(_ response: SurveyResponse, app: Int64, client: Int64) throws {
        try insert.run(
            .integer(app), .integer(client), .text(response.message), .text(response.id), .text(response.requestID),
            .integer(Int64(response.optionIndex)), .text(response.optionStringID), .text(response.text),
            .text(response.locale), .integer(Int64(response.revision)),
            .integer(response.submittedAt.milliseconds), .text(response.enrollment?.slug),
            .text(response.enrollment?.branch))
    }

    func find(app: Int64, client: Int64, clientID: String, message: String) throws -> SurveyResponse? {
        try select.first(.integer(app), .text(message), .integer(client)) { row in
            SurveyResponse(
                id: row.text(0), clientID: clientID, message: message, requestID: row.optionalText(1),
                optionIndex: Int(row.integer(2)), optionStringID: row.text(3), text: row.text(4), locale: row.text(5),
                revision: Int(row.integer(6)), submittedAt: Timestamp(milliseconds: row.integer(7)))
        }
    }
}
