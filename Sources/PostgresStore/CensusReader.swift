internal import BellwetherJSON
internal import BellwetherService
internal import PostgresWire

/// Counts the slots that runs have, and finds runs without a reference to one of their files (`SlotCensus`), in one
/// snapshot.
struct CensusReader {
    private static let seconds = 300.0

    let connection: PostgresConnection

    func read() throws -> SlotCensus {
        // The first condition passes over runs without slots; the body of a run is its JSON.
        let slots = PostgresStatement(
            """
            SELECT app, slot, count(*) FROM run,
                json_array_elements_text(convert_from(body, 'UTF8')::json -> 'quotas') AS slot
            WHERE position('"quotas"'::bytea IN body) > 0 GROUP BY app, slot
            """)
        let tallies = PostgresStatement("SELECT app, name, body FROM small WHERE kind = 'tally'")
        let unreferring = PostgresStatement.numbering(
            """
            SELECT DISTINCT r.app, r.id FROM run r,
                json_array_elements(convert_from(r.body, 'UTF8')::json -> 'flow' -> 'files') AS named
            WHERE position('"files"'::bytea IN r.body) > 0 AND NOT EXISTS (
                SELECT 1 FROM run_file f WHERE f.app = r.app AND f.run = r.id AND f.sha256 = named ->> 'sha256')
            LIMIT ?
            """, .integer(Int64(SlotCensus.bound)))
        let answers = try RowReader(connection: connection, seconds: Self.seconds)
            .snapshot([slots, tallies, unreferring])
        var census = SlotCensus()
        census.slots = answers[0].map {
            SlotCensus.Slots(app: $0.text(0), slot: $0.text(1), count: Int($0.integer(2)))
        }
        for index in 0..<answers[1].count {
            let row = answers[1][index]
            let json = (try? JSONValue(parsing: row.bytes(2), limits: .kept))?.object ?? [:]
            guard let tally = Tally(json) else { throw RowFault("a tally cannot be read") }
            census.tallies[.tally(app: row.text(0), key: row.text(1))] = tally
        }
        census.unreferring = answers[2].map { RunReference(app: $0.text(0), id: $0.text(1)) }
        return census
    }
}
