internal import BellwetherAPI
internal import BellwetherJSON
internal import BellwetherService

/// The text of a backup's report.
extension BackupReport {
    /// A sentence with the size in decimal megabytes.
    var sentence: String {
        let size = "\((Double(facts.bytes) / 100_000).rounded() / 10) MB"
        let secret = hasSecret ? "and the installation's secret" : "without a secret, for there is none"
        let fault = facts.auditFault.map { "; its audit is not whole: \($0)" } ?? ""
        return "\(path): the database (\(size), found whole) \(secret)\(fault)"
    }

    /// The message about a database that another tool has restored.
    var renewal: String {
        "\(path): ready; the audit is whole, and new records come after cursor \(facts.cursor.text)"
    }

    var json: JSONValue {
        var audit: JSONObject = [
            "records": .integer(facts.audit.sequence), "hash": .string(Digest.hex(facts.audit.hash)),
        ]
        if let fault = facts.auditFault { audit["fault"] = .string(fault.description) }
        return [
            "path": .string(path), "bytes": .integer(facts.bytes), "integrity": "ok", "secret": .bool(hasSecret),
            "telemetry_cursor": .string(facts.cursor.text),
            "audit": .object(audit),
        ]
    }
}

/// Shows the progress of a copy on a terminal.
final class BackupProgressLine {
    private let title: String
    private var line: Progress?

    init(_ title: String) { self.title = title }

    func show(_ progress: BackupProgress) {
        switch progress {
        case .copying(let done, let total):
            let line = self.line ?? Progress(title, of: Int64(total))
            self.line = line
            line.show(Int64(done))
        case .checking:
            line?.finish()
            line = Progress("checking", of: 1)
            line?.show(0)
        }
    }

    func finish() { line?.finish() }
}
