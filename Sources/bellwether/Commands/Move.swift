internal import ArgumentParser
internal import BellwetherAPI
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// `bellwether move`: moves all data from one store to another.
struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move a data directory into PostgreSQL, or back.",
        discussion: """
            All daemons of both stores are stopped first; the command refuses a data directory or a database that one \
            uses. The target is an empty directory, or a database without tables. It is whole at the end, or as empty \
            as before: a move that was broken off is begun anew by the same command. The audit is followed record by \
            record, and all rows are counted. The source stays as it is: no daemon should be started on it again. \
            Pipelines go on from their cursors.
            """)

    @Option(help: ArgumentHelp("What is moved: sqlite:DIR or a postgresql: URI.", valueName: "url"))
    var from: String

    @Option(help: ArgumentHelp("The empty store that it is moved into.", valueName: "url"))
    var to: String

    @Flag(help: "What was moved, as a JSON object.")
    var json = false

    func run() throws {
        let (source, target) = (try StoreURL.option(from, "--from"), try StoreURL.option(to, "--to"))
        let line = MoveProgress()
        do throws(StoreError) {
            let report = try target.receive(try source.openSource()) { line.show($0, $1) }
            line.finish()
            try? StandardOutput.writeLine(json ? report.json.text : "\(target): \(report.sentence)")
        } catch {
            line.finish()
            StandardError.write(error.sentence)
            throw ExitCode(1)
        }
    }
}

/// Shows on a terminal which table is being copied.
private final class MoveProgress {
    private var line: Progress?
    private var table: StoreTable?

    func show(_ table: StoreTable, _ rows: Int) {
        if table != self.table {
            line?.finish()
            line = Progress("moving", of: Int64(StoreTable.allCases.count))
            self.table = table
        }
        line?.show(Int64(StoreTable.allCases.firstIndex(of: table) ?? 0))
    }

    func finish() { line?.finish() }
}

extension TransferReport {
    fileprivate var sentence: String {
        let clients = rows[.client, default: 0] + rows[.user, default: 0]
        return """
            \(count) rows: \(clients) clients and users, \(rows[.run, default: 0]) runs, \
            \(rows[.telemetry, default: 0]) records of telemetry, \(audit.sequence) records of the audit, which is whole
            """
    }

    fileprivate var json: JSONValue {
        var counts: JSONObject = [:]
        for table in StoreTable.allCases { counts[table.rawValue] = .integer(Int64(rows[table, default: 0])) }
        return [
            "rows": .object(counts),
            "audit": ["records": .integer(audit.sequence), "hash": .string(Digest.hex(audit.hash))],
        ]
    }
}
