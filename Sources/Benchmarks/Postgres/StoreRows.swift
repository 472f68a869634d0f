import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Foundation
import PostgresStore
import PostgresWire
import Synchronization

/// The processor time that PostgreSQL needs to verify a poll, and the speed at which several daemons write one log in
/// order. This program calls the store directly, without HTTP.
enum StoreRows {
    private static let clients = 20_000
    private static let batch = 64
    private static let writers = 4
    private static let records = 100
    private static let select = "postgres, one SELECT of a state"
    private static let bigserial = "postgres, 4 writers, bigserial"

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            StoreRow(select, bench) { try $0.select(seconds: $1) },
            StoreRow("postgres, verification in batches of \(batch)", bench, [verification]) {
                try $0.verify(seconds: $1)
            },
            StoreRow(bigserial, bench) { try $0.write(seconds: $1, inOrder: false) },
            StoreRow("postgres, 4 writers, one log in order", bench, [order]) {
                try $0.write(seconds: $1, inOrder: true)
            },
        ]
    }

    private static var verification: Comparison {
        Comparison(base: select, figure: \.cpu, limit: .atMost(0.35, aim: 0.2))
    }
    private static var order: Comparison {
        Comparison(base: bigserial, figure: \.rows, limit: .atLeast(0.7, aim: 0.9))
    }

    private final class StoreRow: Benchmark {
        let name: String
        let comparisons: [Comparison]
        private let bench: Workbench
        private let measure: (Scene, Double) throws -> Sample

        init(
            _ name: String, _ bench: Workbench, _ comparisons: [Comparison] = [],
            _ measure: @escaping (Scene, Double) throws -> Sample
        ) {
            (self.name, self.bench, self.comparisons, self.measure) = (name, bench, comparisons, measure)
        }

        func prepare() throws { _ = try Scene.shared(bench) }

        func sample(round: Int) throws -> Sample? { try measure(Scene.shared(bench), Double(bench.seconds)) }
    }

    /// A database with clients of a few hundred bytes each.
    private final class Scene {
        private let server: PostgresBench
        private let uri: String
        private let store: any Store
        private let connection: PostgresConnection
        nonisolated(unsafe) private static var existing: Scene?

        static func shared(_ bench: Workbench) throws -> Scene {
            if let existing { return existing }
            let scene = try Scene(bench)
            existing = scene
            return scene
        }

        private init(_ bench: Workbench) throws {
            server = try PostgresBench.server(bench)
            uri = try server.newDatabase("pg_store")
            store = try PostgresLocation(uri).open(background: BackgroundQueue()).store
            connection = try server.connect(to: "pg_store")
            for start in stride(from: 0, to: clients, by: 500) {
                _ = try store.write((start..<start + 500).map { WriteGroup([Self.write($0)]) })
            }
            let own = [
                "CREATE TABLE serial_log (LIKE telemetry INCLUDING INDEXES)",
                "CREATE SEQUENCE serial_cursor",
                "ALTER TABLE serial_log ALTER cursor SET DEFAULT nextval('serial_cursor')", "ANALYZE",
            ]
            for sql in own { _ = try connection.run([PostgresStatement(sql)], seconds: 30) }
        }

        private static func name(_ number: Int) -> RowName {
            .client(ClientReference(app: "app", id: "client-\(number)"))
        }

        private static func write(_ number: Int, expecting version: UInt64 = 0) -> RowWrite {
            var state = ClientState()
            for message in 0..<8 { state.ledger["message-\(message)"].displayCount = UInt32(message + 1) }
            return RowWrite(name: name(number), expected: version, value: .client(state))
        }

        /// Processor time of the server for each operation.
        private func cost(of body: () throws -> Int, seconds: Double) throws -> Sample {
            let (before, begin) = (try server.cpu(), Date.now)
            var count = 0
            while Date.now.timeIntervalSince(begin) < seconds { count += try body() }
            return Sample(
                cpu: (try server.cpu() - before) / Double(count),
                rate: Double(count) / Date.now.timeIntervalSince(begin))
        }

        func select(seconds: Double) throws -> Sample {
            try cost(
                of: {
                    let id = "client-\(Int.random(in: 0..<clients))"
                    let sql = "SELECT version, state FROM client WHERE app = $1 AND id = $2"
                    _ = try connection.run([PostgresStatement(sql, .text("app"), .text(id))], seconds: 5)
                    return 1
                }, seconds: seconds)
        }

        func verify(seconds: Double) throws -> Sample {
            try cost(
                of: {
                    let names = (0..<batch).map { _ in Self.name(Int.random(in: 0..<clients)) }
                    _ = try store.versions(of: names)
                    return batch
                }, seconds: seconds)
        }

        /// Several writers, each of which writes a client and records of that client, in one transaction after another.
        ///
        /// - Parameter inOrder: true to write through the store; false to run the same statements without the store's
        ///   ordering.
        func write(seconds: Double, inOrder: Bool) throws -> Sample {
            let writes = try (0..<writers).map { try inOrder ? ordered($0) : unordered($0) }
            let begin = Date.now
            let count = WrittenRecords()
            DispatchQueue.concurrentPerform(iterations: writers) { writer in
                do {
                    while Date.now.timeIntervalSince(begin) < seconds {
                        try writes[writer]()
                        count.written.wrappingAdd(records, ordering: .relaxed)
                    }
                } catch { count.failure.withLock { $0 = error } }
            }
            if let error = count.failure.withLock({ $0 }) { throw error }
            return Sample(rows: Double(count.written.load(ordering: .relaxed)) / Date.now.timeIntervalSince(begin))
        }

        private func ordered(_ writer: Int) throws -> @Sendable () throws -> Void {
            let store = try PostgresLocation(uri).open(background: BackgroundQueue()).store
            let client = ClientReference(app: "app", id: "writer-\(writer)")
            let version = KnownVersion(try store.versions(of: [.client(client)])[0])
            let now = store.clock.now()
            let record = TelemetryRecord(at: now, clientID: client.id, category: "c", name: "n", extra: ["k": "v"])
            return {
                var group = WriteGroup([
                    RowWrite(
                        name: .client(client), expected: version.value.load(ordering: .relaxed),
                        value: .client(ClientState()))
                ])
                group.records = Array(
                    repeating: WriteGroup.LogRecord(app: "app", record: record, receivedAt: now), count: records)
                guard case .written(let versions)? = try store.write([group]).first else {
                    throw Failure("a writer of its own row met another one")
                }
                version.value.store(versions[0], ordering: .relaxed)
            }
        }

        private func unordered(_ writer: Int) throws -> @Sendable () throws -> Void {
            let connection = try server.connect(to: "pg_store")
            let statements = [
                PostgresStatement("BEGIN"),
                PostgresStatement(
                    """
                    INSERT INTO client (app, id, version, state) VALUES ('app', $1, 1, '')
                    ON CONFLICT (app, id) DO UPDATE SET version = client.version + 1
                    """, .text("serial-\(writer)")),
                PostgresStatement(
                    """
                    INSERT INTO serial_log (app, received_at, at, client_id, category, name, extra)
                    SELECT 'app', 1, 1, c, 'c', 'n', '{"k": "v"}' FROM unnest($1::text[]) c
                    """, .texts(Array(repeating: "serial-\(writer)", count: records))),
                PostgresStatement("COMMIT"),
            ]
            return { _ = try connection.run(statements, seconds: 10) }
        }
    }

    private final class WrittenRecords: Sendable {
        let written = Atomic<Int>(0)
        let failure = Mutex<(any Error)?>(nil)
    }

    /// A row's version as last seen by one writer.
    private final class KnownVersion: Sendable {
        let value: Atomic<UInt64>

        init(_ value: UInt64) { self.value = Atomic(value) }
    }
}
