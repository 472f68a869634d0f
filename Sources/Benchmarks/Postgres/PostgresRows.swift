/// The daemon over PostgreSQL, compared with the daemon over SQLite and with the cost of SQLite itself. PostgreSQL runs
/// on the load generator's processor.
enum PostgresRows {
    /// Fewer clients than the other rows have, because each is a row of the database.
    private static let clients = Population(size: 20_000)

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        guard PostgresBench.isInstalled else { return [] }
        return polls(bench) + events(bench) + StoreRows.rows(bench)
    }

    /// Polls over PostgreSQL. Each poll queries the version of its client.
    private static func polls(_ bench: Workbench) -> [any Benchmark] {
        let again = { Load.replay((0..<clients.size).map { clients.path($0) }) }
        let anew = { Load.replayAnew(clients.respelledPaths) }
        return [
            row("sqlite, poll asked again", bench, sqlite, nil, again),
            row("postgres, poll asked again", bench, postgres, "sqlite, poll asked again", again),
            row("sqlite, poll asked anew", bench, sqlite, nil, anew),
            row("postgres, poll asked anew", bench, postgres, "sqlite, poll asked anew", anew),
        ]
    }

    private static func row(
        _ name: String, _ bench: Workbench, _ server: @escaping (Workbench) throws -> BellwetherServer, _ base: String?,
        _ load: @escaping () -> Load
    ) -> any Benchmark {
        let comparisons = base.map { [Comparison(base: $0, figure: \.cpu, limit: .atMost(1.6, aim: 1.2))] } ?? []
        return LoadBenchmark(name, on: bench, expecting: 200, comparedWith: comparisons) {
            (try server(bench), load())
        }
    }

    private static func sqlite(_ bench: Workbench) throws -> BellwetherServer {
        try bench.server("sqlite-polls") { try server("sqlite-polls", [:], bench) }
    }

    private static func postgres(_ bench: Workbench) throws -> BellwetherServer {
        try bench.server("postgres-polls") {
            let uri = try PostgresBench.server(bench).newDatabase("pg_polls")
            return try server("postgres-polls", ["STORE_URL": uri], bench)
        }
    }

    /// A daemon whose clients are known, have seen a message and are enrolled.
    private static func server(
        _ name: String, _ settings: [String: String], _ bench: Workbench
    ) throws -> BellwetherServer {
        let server = try BellwetherServer(named: name, recipes: 100, of: .mixed, settings: settings, bench: bench)
        try clients.introduce(to: server.port, displaying: SampleApp.eligibleKey)
        for _ in 0..<3 { try clients.poll(server.port) }
        return server
    }

    private static func events(_ bench: Workbench) -> [any Benchmark] {
        [(1, Limit.atLeast(2.5, aim: 6)), (100, Limit.atLeast(0.35, aim: 0.6))].map { count, limit in
            let comparison = Comparison(base: SQLiteFloor.name(batch: count), figure: \.rows, limit: limit)
            return LoadBenchmark(
                "postgres, \(count) events a POST", on: bench, expecting: 200, rowsPerRequest: Double(count),
                comparedWith: [comparison]
            ) {
                let server = try bench.server("postgres-events") {
                    let uri = try PostgresBench.server(bench).newDatabase("pg_events")
                    return try BellwetherServer(
                        named: "postgres-events", recipes: 100, settings: ["STORE_URL": uri], bench: bench)
                }
                return (server, .events(count, clients: clients.size))
            }
        }
    }
}
