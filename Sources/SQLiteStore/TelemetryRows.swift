internal import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import GRDB

/// Table `telemetry`: the log that pipelines read, in the order in which it was committed.
struct TelemetryRows {
    private let insert: Prepared

    init(_ database: Database) throws {
        insert = try Prepared(
            database,
            """
            INSERT INTO telemetry (app, received_at, at, client_id, category, name, extra, experiment, branch, message)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func append(_ record: TelemetryRecord, app: Int64, receivedAt: Timestamp) throws {
        var extra: [UInt8] = []
        record.extra.write(to: &extra)
        try insert.run(
            .integer(app), .integer(receivedAt.milliseconds), .integer(record.at.milliseconds), .text(record.clientID),
            .text(record.category), .text(record.name), .utf8(extra), .text(record.experiment), .text(record.branch),
            .text(record.messageKey))
    }
}
