import BellwetherJSON
import BellwetherService
import SQLiteWire
import Surveys

/// Tables `file` and `run_file`: each file once for each app and digest, and the runs that refer to it. Triggers delete
/// a run's references with the run, and a file with its last reference.
struct FileRows {
    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) { self.database = database }

    /// Inserts a file. A digest that the app already has keeps its first type.
    func insert(_ file: FlowFile, app: Int64) throws {
        try Prepared(
            database,
            "INSERT INTO file (app, sha256, type, content) VALUES (?, ?, ?, ?) ON CONFLICT (app, sha256) DO NOTHING"
        ).run(.integer(app), .text(file.reference.sha256), .text(file.reference.type), .blob(file.content))
    }

    /// Adds the references of a run to its files. The run and the files must have rows.
    func refer(run: Identifier, app: Int64, to files: [FileReference]) throws {
        guard !files.isEmpty else { return }
        let (list, digests) = Self.list(files)
        try Prepared(
            database,
            """
            INSERT INTO run_file (run, file)
                SELECT run.key, file.key FROM run JOIN file ON file.app = run.app
                WHERE run.app = ? AND run.id = ? AND file.sha256 IN (\(list))
            ON CONFLICT DO NOTHING
            """
        ).run([.integer(app), .text(run)] + digests)
    }

    /// Removes the references of a run to other files. All runs of the same write must have their references by now,
    /// because a file is deleted with its last reference.
    func release(run: Identifier, app: Int64, except files: [FileReference]) throws {
        let (list, digests) = Self.list(files)
        try Prepared(
            database,
            """
            DELETE FROM run_file WHERE run = (SELECT key FROM run WHERE app = ? AND id = ?)
                AND file NOT IN (SELECT key FROM file WHERE app = ? AND sha256 IN (\(list)))
            """
        ).run([.integer(app), .text(run), .integer(app)] + digests)
    }

    private static func list(_ files: [FileReference]) -> (places: String, digests: [SQLValue]) {
        (files.map { _ in "?" }.joined(separator: ", "), files.map { .text($0.sha256) })
    }

    /// Deletes a file if no run refers to it.
    func deleteUnused(_ sha256: Identifier, app: Int64) throws {
        try Prepared(
            database,
            """
            DELETE FROM file WHERE app = ? AND sha256 = ?
                AND NOT EXISTS (SELECT 1 FROM run_file WHERE run_file.file = file.key)
            """
        ).run(.integer(app), .text(sha256))
    }
}
