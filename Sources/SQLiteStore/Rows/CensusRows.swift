import BellwetherJSON
import BellwetherService
import SQLiteWire

/// Counts the slots that runs have, and finds runs without a reference to one of their files (`SlotCensus`), inside
/// one read transaction.
struct CensusRows {
    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) { self.database = database }

    func read() throws -> SlotCensus {
        var census = SlotCensus()
        // The first condition passes over runs without slots; the body of a run is its JSON.
        census.slots = try Prepared(
            database,
            """
            SELECT app.name, slot.value, count(*)
            FROM run JOIN app ON app.key = run.app, json_each(CAST(run.body AS TEXT), '$.quotas') AS slot
            WHERE instr(run.body, CAST('"quotas"' AS BLOB)) > 0 GROUP BY app.name, slot.value
            """
        ).all { SlotCensus.Slots(app: $0.text(0), slot: $0.text(1), count: Int($0.integer(2))) }
        let tallies = try Prepared(
            database,
            """
            SELECT shared.kind, shared.name, shared.version, shared.body, app.name
            FROM shared JOIN app ON app.key = shared.app WHERE shared.kind = 'tally'
            """
        ).all { try SharedRows.found($0, app: $0.text(4)) }
        for row in tallies {
            if case .tally(let tally) = try row.value.get() { census.tallies[row.name] = tally }
        }
        census.unreferring = try Prepared(
            database,
            """
            SELECT DISTINCT app.name, run.id
            FROM run JOIN app ON app.key = run.app, json_each(CAST(run.body AS TEXT), '$.flow.files') AS named
            WHERE instr(run.body, CAST('"files"' AS BLOB)) > 0 AND NOT EXISTS (
                SELECT 1 FROM run_file JOIN file ON file.key = run_file.file
                WHERE run_file.run = run.key AND file.sha256 = json_extract(named.value, '$.sha256'))
            LIMIT ?
            """
        ).all(.integer(Int64(SlotCensus.bound))) { RunReference(app: $0.text(0), id: $0.text(1)) }
        return census
    }
}
