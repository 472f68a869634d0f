internal import BellwetherBase
import BellwetherCore
import SQLiteWire

/// Table `response`: a client's one answer to each microsurvey.
struct ResponseRows {
    private let database: SQLiteConnection
    private let insert: Prepared
    private let select: Prepared

    /// The columns of one row, in the order in which `response` reads them.
    static let columns = """
        message, id, request_id, option_index, option_string_id, text, locale, revision, submitted_at, experiment, branch
        """

    init(_ database: SQLiteConnection) throws {
        self.database = database
        insert = try Prepared(
            database,
            """
            INSERT INTO response (app, client, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        select = try Prepared(
            database, "SELECT \(Self.columns) FROM response WHERE app = ? AND message = ? AND client = ?")
    }

    /// A second answer of the client to the message violates the table's constraint.
    func insert(_ response: SurveyResponse, app: Int64, client: Int64) throws {
        try insert.run(
            .integer(app), .integer(client), .text(response.message), .text(response.id), .text(response.requestID),
            .integer(Int64(response.optionIndex)), .text(response.optionStringID), .text(response.text),
            .text(response.locale), .integer(Int64(response.revision)),
            .integer(response.submittedAt.milliseconds), .text(response.enrollment?.slug),
            .text(response.enrollment?.branch))
    }

    func find(app: Int64, client: Int64, clientID: String, message: String) throws -> SurveyResponse? {
        try select.first(.integer(app), .text(message), .integer(client)) { Self.response($0, of: clientID) }
    }

    func delete(app: Int64, client: Int64, message: String) throws {
        try Prepared(database, "DELETE FROM response WHERE app = ? AND message = ? AND client = ?")
            .run(.integer(app), .text(message), .integer(client))
    }

    static func response(_ row: SQLRow, of clientID: String) -> SurveyResponse {
        var response = SurveyResponse(
            id: row.text(1), clientID: clientID, message: row.text(0), requestID: row.optionalText(2),
            optionIndex: Int(row.integer(3)), optionStringID: row.text(4), text: row.text(5), locale: row.text(6),
            revision: Int(row.integer(7)), submittedAt: Timestamp(milliseconds: row.integer(8)))
        if let slug = row.optionalText(9), let branch = row.optionalText(10) {
            response.enrollment = EnrolledBranch(slug: slug, branch: branch)
        }
        return response
    }
}
