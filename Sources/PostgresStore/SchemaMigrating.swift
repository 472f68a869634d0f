internal import BellwetherService
internal import Dispatch
internal import PostgresWire

/// The command `bellwether migrate`. It brings tables from one version to the next, each step in its own transaction.
///
/// Each step first locks the row of table `bellwether`. If several commands run at once, only one continues
/// (docs/decisions/0111-the-tables-expand-before-they-contract.md).
struct SchemaMigrating {
    /// The time limit for the row lock and for a step. To build an index of a large table takes time.
    private static let seconds = 3600.0
    /// A step that waits for the lock of a table blocks all later users of the table. So it waits briefly, and tries
    /// again.
    private static let lockMilliseconds = 2000
    private static let attempts = 30
    private static let pauseMilliseconds = 200

    let history: SchemaHistory
    let connection: PostgresConnection

    func run(_ mode: MigrationMode) throws -> MigrationReport {
        let before = try Self.state(connection)
        guard before.version <= history.version else {
            throw StoreError.unusable(
                "the database has schema \(before.version), and this program knows \(history.version); run the newer one"
            )
        }
        if mode == .plan {
            return MigrationReport(
                before: before.version, after: before.version, steps: steps(after: before, contracting: true))
        }
        var done: [MigrationStep] = []
        while let step = try next(contracting: mode == .contract) { done.append(step) }
        return MigrationReport(
            before: before.version, after: try Self.state(connection).version, steps: done)
    }

    /// All expansions come before the first contraction.
    func steps(after state: SchemaState, contracting: Bool) -> [MigrationStep] {
        let expansions = history.steps.filter { $0.version > state.version }.map { step in
            MigrationStep(version: step.version, phase: .expand, title: step.title, statements: step.expansion)
        }
        let contractions = history.steps.filter { $0.version > state.minimum && !$0.contraction.isEmpty }.map { step in
            MigrationStep(version: step.version, phase: .contract, title: step.title, statements: step.contraction)
        }
        return expansions + (contracting ? contractions : [])
    }

    static func state(_ connection: PostgresConnection, locking: Bool = false) throws -> SchemaState {
        let sql = "SELECT version, minimum FROM bellwether\(locking ? " FOR UPDATE" : "")"
        let rows = try connection.run([PostgresStatement(sql)], seconds: seconds)[0]
        guard let state = rows.first({ SchemaState(version: $0.integer(0), minimum: $0.integer(1)) }) else {
            throw StoreError.unavailable("the database's schema has no version")
        }
        return state
    }

    /// Performs the step that is due, and returns it; nil if no step is due.
    private func next(contracting: Bool) throws -> MigrationStep? {
        for attempt in 1... {
            do {
                return try attemptNext(contracting: contracting)
            } catch let error as PostgresError where error.isOfLocks {
                guard attempt < Self.attempts else {
                    throw StoreError.unusable(
                        "a table is in use by a long transaction; the step was not done, and can be tried again")
                }
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(Self.pauseMilliseconds))
            } catch let error as PostgresError where error.isOfRights {
                throw StoreError.unusable("the user may not change the tables; run migrate as the database's owner")
            }
        }
        return nil
    }

    private func attemptNext(contracting: Bool) throws -> MigrationStep? {
        _ = try connection.run([PostgresStatement("BEGIN")], seconds: Self.seconds)
        do {
            let state = try Self.state(connection, locking: true)
            guard let step = steps(after: state, contracting: contracting).first else {
                _ = try connection.run([PostgresStatement("ROLLBACK")], seconds: Self.seconds)
                return nil
            }
            if step.phase == .contract { try checkDaemons(before: step.version) }
            let column = step.phase == .expand ? "version" : "minimum"
            let statements =
                [PostgresStatement("SET LOCAL lock_timeout = \(Self.lockMilliseconds)")]
                + step.statements.map { PostgresStatement($0) } + [
                    .numbering("UPDATE bellwether SET \(column) = ?", .integer(step.version)),
                    PostgresStatement("COMMIT"),
                ]
            _ = try connection.run(statements, seconds: Self.seconds)
            return step
        } catch {
            if connection.isInTransaction, !connection.isLost {
                _ = try? connection.run([PostgresStatement("ROLLBACK")], seconds: Self.seconds)
            }
            throw error
        }
    }

    /// Throws if a connected daemon knows only an older schema. The name of a connection contains that schema's
    /// version.
    private func checkDaemons(before version: Int64) throws {
        let statement = PostgresStatement.numbering(
            """
            SELECT min(substring(application_name from '^bellwether/([0-9]+)')::int8) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        guard let known = try connection.run([statement], seconds: 30)[0][0].optionalInteger(0), known < version else {
            return
        }
        throw StoreError.unusable(
            """
            a daemon that knows schema \(known) only is still connected, and would lack what is to be taken away; \
            replace it first
            """)
    }
}
