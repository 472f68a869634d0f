internal import ArgumentParser
internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Glibc
internal import Parquet
internal import Sinks

/// `bellwether export`: writes days of an app's data, for systems that load whole days.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write days of an app's data, as NDJSON, CSV or Parquet.",
        discussion: """
            A day is what the daemon received from 00:00 to 24:00 UTC, whatever time the records bear: once it is over, its \
            export is complete and stays the same. ndjson is what `GET …/telemetry` answers; csv has a header and the \
            same columns in every export; parquet has typed columns (docs/reference/data.md), and is the only format of \
            the tables responses and answers, whose days are those on which a response began. The daemon may be running. \
            Exits with 1 if retention has deleted records of that time, and says up to when; what is left is written.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case ndjson, csv, parquet
    }

    @OptionGroup var store: StoreOptions

    @Option(help: "The app's name in the daemon.")
    var app: String

    @Option(help: ArgumentHelp("The day, as 2026-11-21.", valueName: "day"))
    var day: String?

    @Option(help: ArgumentHelp("The first day, in place of --day.", valueName: "day"))
    var from: String?

    @Option(help: ArgumentHelp("The last day, in place of --day.", valueName: "day"))
    var to: String?

    @Option(help: "What a record is written as.")
    var format = Format.ndjson

    @Option(name: .customLong("table"), help: "What is written.")
    var tableName = TableName.events

    enum TableName: String, ExpressibleByArgument, CaseIterable {
        case events, responses, answers

        var table: DataTable {
            switch self {
            case .events: .events
            case .responses: .responses
            case .answers: .answers
            }
        }
    }

    private var table: DataTable { tableName.table }

    @Option(
        help: ArgumentHelp(
            "A file, in place of standard output. A folder gets one file of Parquet for each day, as TABLE/v1/APP/day=DAY/data.parquet.",
            valueName: "path"))
    var output: String?

    func validate() throws {
        guard table == .events || format == .parquet else {
            throw ValidationError("The table \(table.rawValue) is written as parquet: add --format parquet.")
        }
        guard isFolder ? format == .parquet : true else {
            throw ValidationError("A folder gets files of Parquet: add --format parquet, or name a file.")
        }
        _ = try range()
    }

    func run() throws {
        // A daemon on the same machine goes first: an export gets what the daemon leaves of a processor.
        nice(19)
        let location = try store.location(else: Backup.directory)
        do {
            let archive = try location.openArchive()
            guard isFolder else { return try write(from: archive, try range(), to: output) }
            var start = try range().lowerBound
            while start < (try range().upperBound) {
                let end = start.adding(seconds: Timestamp.secondsPerDay)
                let folder = "\(output ?? ".")/\(table.folder(of: Identifier(app)))/day=\(start.day)"
                try Folder.make(folder)
                try write(from: archive, start..<end, to: folder + "/data.parquet")
                start = end
            }
        } catch let refusal as TelemetryExport.Refusal {
            StandardError.write(refusal.message)
            throw ExitCode(1)
        } catch let fault as SinkFault {
            StandardError.write(fault.sentence)
            throw ExitCode(1)
        } catch let error as StoreError {
            StandardError.write(error.sentence)
            throw ExitCode(1)
        }
    }

    private var isFolder: Bool { output.map { $0.hasSuffix("/") || Folder.exists($0) } ?? false }

    /// Writes a file. Throws after it if retention has deleted a part of the range.
    private func write(from archive: any DataReading, _ range: Range<Timestamp>, to path: String?) throws {
        let output = try ExportOutput(path)
        var missing: TelemetryExport.Refusal?
        switch table {
        case .events:
            let export = TelemetryExport(archive: archive, app: Identifier(app), received: range)
            missing = try export.write(format, to: output)
        case .responses, .answers:
            guard try archive.bounds(of: Identifier(app)) != nil else {
                throw TelemetryExport.Refusal(message: "nothing was ever stored of an app \"\(app)\"")
            }
            var tables = try ResponseTables(stored: Identifier(app), in: archive, at: Clock.system.now(), .ofProgram)
            try tables.write(table, in: range) { try output.write(&$0) }
        }
        try output.finish()
        if let missing { throw missing }
    }

    /// The range of the days.
    private func range() throws -> Range<Timestamp> {
        guard (day == nil) != (from == nil && to == nil) else {
            throw ValidationError("An export has a --day, or --from and --to.")
        }
        let start = try Self.day(day ?? from, "--from")
        let last = try Self.day(day ?? to, "--to")
        guard start <= last else { throw ValidationError("--from is after --to.") }
        return start..<last.adding(seconds: Timestamp.secondsPerDay)
    }

    private static func day(_ text: String?, _ option: String) throws -> Timestamp {
        guard let text else { throw ValidationError("\(option) is missing.") }
        guard text.utf8.count == 10, let start = Timestamp(rfc3339: text + "T00:00:00Z") else {
            throw ValidationError("\"\(text)\" is no day such as 2026-11-21.")
        }
        return start
    }
}
