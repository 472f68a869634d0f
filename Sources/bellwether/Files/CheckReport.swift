internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// The findings of `check`, file by file.
struct CheckReport {
    private var findings: [LocatedFinding]
    private let failures: [String]
    private let isStrict: Bool

    /// The report on complete folders, as the daemon serves them.
    init(_ files: FileCatalog) {
        (failures, findings, isStrict) = (files.failures + Self.nameFailures(files), [], false)
        for (_, app) in files.apps.sorted(by: { $0.key < $1.key }) { add(AppCheck(app), [:]) }
    }

    /// The report on files that may be only a part of the served files.
    init(_ reading: PathReading, isStrict: Bool) {
        let failures = reading.catalog.failures + Self.nameFailures(reading.catalog)
        (self.failures, findings, self.isStrict) = (failures, reading.nameless + reading.notes, isStrict)
        for (name, app) in reading.catalog.apps.sorted(by: { $0.key < $1.key }) {
            add(AppCheck(app, manifest: .optional), reading.documents[name] ?? [:])
        }
    }

    private static func nameFailures(_ files: FileCatalog) -> [String] {
        files.apps.keys.filter(\.text.meansAllApps).map { "an app cannot be called \($0), which means all apps" }
    }

    private mutating func add(_ check: AppCheck, _ documents: [DocumentName: SourceDocument]) {
        for outcome in check.outcomes {
            if let error = outcome.syntax {
                findings.append(LocatedFinding(error, path: outcome.file.path))
                continue
            }
            let document = documents[outcome.name] ?? SourceDocument(outcome.name, SourceFile(outcome.file))
            findings += outcome.faults.map { document.located($0, isFault: true) }
            findings += outcome.warnings.map { document.located($0, isFault: isStrict) }
        }
    }

    var hasFaults: Bool { !failures.isEmpty || findings.contains(where: \.isFault) }

    /// Writes the faults to standard error, for commands whose output is something else.
    func complain() {
        for failure in failures { StandardError.write(failure.plain) }
        for finding in findings where finding.isFault { StandardError.write(finding.line) }
    }

    func print(asJSON: Bool) throws {
        for failure in failures { StandardError.write(failure.plain) }
        for finding in findings { try StandardOutput.writeLine(asJSON ? finding.json.text : finding.tintedLine) }
    }
}
