internal import BellwetherJSON
internal import BellwetherService

/// What `check` found, file by file.
struct CheckReport {
    private var findings: [PlacedFinding] = []
    private let failures: [String]

    init(_ files: FileCatalog, isStrict: Bool = false) {
        failures = files.failures
        for (_, app) in files.apps.sorted(by: { $0.key.precedes($1.key) }) {
            for outcome in AppCheck(app).outcomes { add(outcome, isStrict: isStrict) }
        }
    }

    private mutating func add(_ outcome: AppCheck.Outcome, isStrict: Bool) {
        let file = outcome.file
        if let error = outcome.syntax { return findings.append(PlacedFinding(error, path: file.path)) }
        let places = JSONSourceMap(file.text)
        for (found, isFault) in [(outcome.faults, true), (outcome.warnings, isStrict)] {
            findings += found.map {
                PlacedFinding($0, isFault: isFault, path: file.path, position: places.position(of: $0.pointer))
            }
        }
    }

    var hasFaults: Bool { !failures.isEmpty || findings.contains(where: \.isFault) }

    /// What keeps the files from being used, where results are something else.
    func complain() {
        for failure in failures { StandardError.write(failure.plain) }
        for finding in findings where finding.isFault { StandardError.write(finding.line) }
    }

    func print(asJSON: Bool) {
        for failure in failures { StandardError.write(failure.plain) }
        for finding in findings { StandardOutput.writeLine(asJSON ? finding.json.text : finding.tintedLine) }
    }
}
