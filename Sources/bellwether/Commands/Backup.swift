internal import ArgumentParser
internal import BellwetherAPI
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import Sinks

/// `bellwether backup`: copies a data directory, which may be in use.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database while the daemon runs, and check the copy.",
        discussion: """
            The backup is a folder with the database and the installation's secret, for its owner only. It holds \
            everything that was acknowledged before the command began; the daemon's writes do not wait for it. The folder \
            gets its name when it is whole and durable, so that what has the name is a backup. Run it as the daemon's \
            user or as root. `bellwether restore` brings it back.
            """)

    static let directory = ".data"

    @OptionGroup var store: StoreOptions

    @Argument(help: "The folder to make; there must be none of that name.")
    var destination: String

    @Flag(help: "What was copied, as a JSON object.")
    var json = false

    func run() throws {
        let location = try store.location(else: Self.directory)
        try BackupCommands.run(asJSON: json) { progress in
            try location.backUp(to: BackupCommands.path(destination), progress)
        }
    }
}

/// `bellwether restore`: makes a data directory from a backup.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a data directory of a backup.",
        discussion: """
            The directory must be empty, and no daemon may use it. New telemetry gets cursors that the lost daemon cannot \
            have given out, so that pipelines go on from whatever they read last; a plain copy refuses those that were \
            given after it. Tokens that were revoked after the backup live again, and clients that were erased after it \
            are back: revoke and erase them once more. Webhooks that were waiting are not sent, for the lost daemon may \
            have sent them: `bellwether webhooks --state dead` lists them. A PostgreSQL database is restored by \
            PostgreSQL's own tools, and then this command with --store does the rest to it.
            """)

    @Argument(help: "The folder that `bellwether backup` made, or s3://BUCKET/PREFIX/NAME, which the daemon copied.")
    var backup: String?

    @OptionGroup var objects: ObjectStoreOptions

    @Option(help: ArgumentHelp("The data directory to make.", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("In place of both: a PostgreSQL database that was restored.", valueName: "url"))
    var store: String?

    @Flag(help: "Send the webhooks that were waiting when the backup was made, perhaps a second time.")
    var resend = false

    @Flag(help: "What was restored, as a JSON object.")
    var json = false

    func validate() throws {
        guard (backup == nil) == (data == nil), (backup == nil) != (store == nil) else {
            throw ValidationError("Say the folder and --data, or --store.")
        }
    }

    func run() throws {
        let webhooks = resend ? RestoredWebhooks.resend : .giveUp
        let location = try store.map { try StoreURL.option($0, "--store") }
        if let location {
            return try BackupCommands.run(asJSON: json, saying: \.renewal) { _ in try location.renew(webhooks) }
        }
        let (backup, data) = (BackupCommands.path(backup ?? ""), BackupCommands.path(data ?? ""))
        let copy = try BackupCommands.copy(backup, objects)
        try BackupCommands.run(asJSON: json) { progress in
            let target = StoreURL.directory(data)
            guard let copy else { return try target.restore(backup, webhooks: webhooks, progress) }
            let folder = data + ".download"
            return try copy.copies.fetch(copy.name, into: folder) {
                progress(.copying($0, of: $1))
            } _: { () throws(StoreError) in
                try target.restore(folder, webhooks: webhooks, progress)
            }
        }
    }
}

/// The options that say how an object store is reached. Credentials come from the environment without a file.
struct ObjectStoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server of an object store that is not AWS.", valueName: "url"))
    var endpoint = ""

    @Option(help: "The region of an object store.")
    var region = "us-east-1"

    @Flag(help: "The bucket is the first segment of the path, also for AWS.")
    var pathStyle = false

    @Option(help: ArgumentHelp("The value instance takes the credentials of the machine's role.", valueName: "source"))
    var credentials = ""

    @Option(help: ArgumentHelp("A file in the format of AWS's credentials.", valueName: "file"), completion: .file())
    var credentialsFile = ""

    func reading(_ text: String) -> ObjectStoreReading {
        ObjectStoreReading(
            text: text, endpoint: endpoint, region: region, isPathStyle: pathStyle, credentials: credentials,
            credentialsFile: credentialsFile)
    }
}

/// The common parts of both commands.
private enum BackupCommands {
    /// The store of an address such as `s3://bucket/prefix/NAME`, and the name; nil for a folder.
    static func copy(_ text: String, _ options: ObjectStoreOptions) throws -> (copies: BackupCopies, name: String)? {
        guard text.hasPrefix("s3://"), let slash = text.lastIndex(of: "/") else { return nil }
        let (address, name) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
        do {
            return (BackupCopies(try options.reading(address).access(), at: address), name)
        } catch {
            throw ValidationError("\(text): \(error.sentence).")
        }
    }

    /// The path without trailing slashes.
    static func path(_ text: String) -> String {
        var text = text
        while text.count > 1, text.hasSuffix("/") { text.removeLast() }
        return text
    }

    static func run(
        asJSON: Bool, saying sentence: (BackupReport) -> String = \.sentence,
        _ work: ((BackupProgress) -> Void) throws -> BackupReport
    ) throws {
        let line = BackupProgressLine("copying")
        do {
            let report = try work { line.show($0) }
            line.finish()
            try StandardOutput.writeLine(asJSON ? report.json.text : sentence(report))
        } catch let error {
            line.finish()
            StandardError.write((error as? StoreError)?.sentence ?? "\(error)")
            throw ExitCode(1)
        }
    }
}

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
