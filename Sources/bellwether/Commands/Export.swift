internal import ArgumentParser
internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// `bellwether export`: writes one day of an app's log, for systems that load whole days.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a day of an app's telemetry to standard output.",
        discussion: """
            A day is what the daemon received from 00:00 to 24:00 UTC, whatever time the records bear: once it is over, its \
            export is complete and stays the same. ndjson is what `GET …/telemetry` answers; csv has a header and the \
            same columns in every export. The daemon may be running. Exits with 1 if retention has deleted records of that \
            day, and says up to when; what is left is written.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case ndjson, csv
    }

    @OptionGroup var store: StoreOptions

    @Option(help: "The app's name in the daemon.")
    var app: String

    @Option(help: ArgumentHelp("The day, as 2026-11-21.", valueName: "day"))
    var day: String

    @Option(help: "What a record is written as.")
    var format = Format.ndjson

    func validate() throws {
        guard start != nil else { throw ValidationError("\"\(day)\" is no day such as 2026-11-21.") }
    }

    func run() throws {
        guard let start else { return }
        let location = try store.location(else: Backup.directory)
        do {
            let received = start..<start.adding(seconds: Timestamp.secondsPerDay)
            try TelemetryExport(archive: try location.openLog(), app: Identifier(app), received: received)
                .write(format)
        } catch let refusal as TelemetryExport.Refusal {
            StandardError.write(refusal.message)
            throw ExitCode(1)
        } catch let error as StoreError {
            StandardError.write(error.sentence)
            throw ExitCode(1)
        }
    }

    private var start: Timestamp? { day.utf8.count == 10 ? Timestamp(rfc3339: day + "T00:00:00Z") : nil }
}
