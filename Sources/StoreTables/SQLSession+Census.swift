internal import BellwetherJSON
public import BellwetherService

extension SQLSession {
    /// Counts the slots that runs have, and finds runs without a reference to one of their files.
    public func census() throws -> SlotCensus {
        var census = SlotCensus()
        census.slots = try all(dialect.slots) {
            SlotCensus.Slots(app: $0.identifier(0), slot: $0.identifier(1), count: Int($0.integer(2)))
        }
        let tallies = try all(
            "SELECT \(dialect.expression("app", of: .small)), t.name, t.body FROM \(dialect.source(.small)) WHERE t.kind = 'tally'"
        ) { row in
            (app: row.identifier(0), key: row.identifier(1), value: try StoreTable.small.value(row, at: 2, ["tally"]))
        }
        for (app, key, value) in tallies {
            if case .tally(let tally) = value { census.tallies[.tally(app: app, key: key)] = tally }
        }
        census.unreferring = try all(dialect.unreferring, .integer(Int64(SlotCensus.bound))) {
            RunReference(app: $0.identifier(0), id: $0.identifier(1))
        }
        return census
    }
}

/// The body of a run is its JSON. The first condition passes over runs without slots or files.
extension Dialect {
    fileprivate var slots: String {
        switch self {
        case .sqlite:
            """
            SELECT app.name, slot.value, count(*)
            FROM run JOIN app ON app.key = run.app, json_each(CAST(run.body AS TEXT), '$.quotas') AS slot
            WHERE instr(run.body, CAST('"quotas"' AS BLOB)) > 0 GROUP BY app.name, slot.value
            """
        case .postgres:
            """
            SELECT app, slot, count(*) FROM run,
                json_array_elements_text(convert_from(body, 'UTF8')::json -> 'quotas') AS slot
            WHERE position('"quotas"'::bytea IN body) > 0 GROUP BY app, slot
            """
        }
    }

    fileprivate var unreferring: String {
        switch self {
        case .sqlite:
            """
            SELECT DISTINCT app.name, run.id
            FROM run JOIN app ON app.key = run.app, json_each(CAST(run.body AS TEXT), '$.flow.files') AS named
            WHERE instr(run.body, CAST('"files"' AS BLOB)) > 0 AND NOT EXISTS (
                SELECT 1 FROM run_file JOIN file ON file.key = run_file.file
                WHERE run_file.run = run.key AND file.sha256 = json_extract(named.value, '$.sha256'))
            LIMIT ?
            """
        case .postgres:
            """
            SELECT DISTINCT r.app, r.id FROM run r,
                json_array_elements(convert_from(r.body, 'UTF8')::json -> 'flow' -> 'files') AS named
            WHERE position('"files"'::bytea IN r.body) > 0 AND NOT EXISTS (
                SELECT 1 FROM run_file f WHERE f.app = r.app AND f.run = r.id AND f.sha256 = named ->> 'sha256')
            LIMIT ?
            """
        }
    }
}
