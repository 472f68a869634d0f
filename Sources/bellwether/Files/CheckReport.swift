internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// What `check` found, file by file.
struct CheckReport {
    struct Entry {
        let path: String
        let position: (line: Int, column: Int)?
        let isFault: Bool
        let finding: Finding
    }

    private var entries: [Entry] = []
    private let failures: [String]
    private let isStrict: Bool

    init(_ files: FileCatalog, isStrict: Bool = false) {
        failures = files.failures
        self.isStrict = isStrict
        for (_, app) in files.apps.sorted(by: { $0.key.precedes($1.key) }) { check(app) }
    }

    private mutating func check(_ app: FileCatalog.App) {
        let context = CheckContext(app)
        let manifest = app.manifest.flatMap { file in
            check(file) { value, findings in
                let manifest = Manifest.read(value, findings: findings)
                if let manifest { DocumentCheck.check(manifest, in: context, findings: findings) }
                return manifest
            }
        }
        for (locale, file) in app.strings.sorted(by: { $0.key.precedes($1.key) }) {
            _ = check(file) { StringTables.read($0, locale: locale, findings: $1) }
        }
        for (slug, file) in app.recipes.sorted(by: { $0.key.precedes($1.key) }) {
            _ = check(file) { value, findings in
                guard let manifest else {
                    let message = "there is no readable manifest.json of its app: name one, or --apps"
                    findings.fault("no_manifest", at: .root, message)
                    return nil as Recipe?
                }
                let recipe = Recipe.read(value, slug: slug, revision: 1, manifest: manifest, findings: findings)
                if let recipe {
                    DocumentCheck.check(recipe, under: manifest, in: context, findings: findings)
                }
                return recipe
            }
        }
    }

    var hasFaults: Bool { !failures.isEmpty || entries.contains(where: \.isFault) }

    private mutating func check<Content>(
        _ file: FileCatalog.File, _ read: (JSONValue, Findings) -> Content?
    ) -> Content? {
        let findings = Findings()
        let value: JSONValue
        do {
            value = try JSONValue(parsing: file.text)
        } catch {
            let finding = Finding(pointer: .root, code: "json_\(error.kind.rawValue)", message: error.message)
            entries.append(
                Entry(path: file.path, position: (error.line, error.column), isFault: true, finding: finding))
            return nil
        }
        let content = read(value, findings)
        let places = JSONSourceMap(file.text)
        for (findings, isFault) in [(findings.faults, true), (findings.warnings, isStrict)] {
            for finding in findings {
                entries.append(
                    Entry(
                        path: file.path, position: places.position(of: finding.pointer), isFault: isFault,
                        finding: finding))
            }
        }
        return content
    }

    /// What keeps the files from being used, where results are something else.
    func complain() {
        for failure in failures { StandardError.write(failure) }
        for entry in entries where entry.isFault { StandardError.write(entry.line) }
    }

    func print(asJSON: Bool) {
        for failure in failures { StandardError.write(failure) }
        for entry in entries { StandardOutput.writeLine(asJSON ? entry.json.text : entry.line) }
    }
}

extension CheckReport.Entry {
    private var severity: String { isFault ? "error" : "warning" }

    /// As compilers write it, so that editors can jump there.
    fileprivate var line: String {
        let place = position.map { ":\($0.line):\($0.column)" } ?? ""
        let pointer = finding.pointer.description
        return "\(path)\(place): \(severity): \(finding.message) [\(finding.code)]"
            + (pointer.isEmpty ? "" : " at \(pointer)")
    }

    fileprivate var json: JSONValue {
        [
            "file": .string(path), "line": position.map { .integer(Int64($0.line)) } ?? .null,
            "column": position.map { .integer(Int64($0.column)) } ?? .null, "severity": .string(severity),
            "pointer": .string(finding.pointer.description), "code": .string(finding.code),
            "message": .string(finding.message),
        ]
    }
}
