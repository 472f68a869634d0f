internal import ArgumentParser
internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import FoundationEssentials

/// `bellwether strings`: imports texts from Apple's string catalogs (docs/reference/http-api.md#the-command-strings).
struct StringsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strings", abstract: "Bring texts into an app's strings.", subcommands: [Import.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import .strings and .xcstrings files into {locale}.json files.",
            discussion: """
                A file becomes a table of its own name: its texts are added to those of the locale's file, and replace \
                texts of the same key. The locale of a .strings file is that of its folder (de.lproj). Every fault is told \
                with file and line; then nothing is written, and the exit status is 1.
                """)

        @Option(help: ArgumentHelp("The app's folder of {locale}.json.", valueName: "dir"), completion: .directory)
        var into: String

        @Option(help: "The table, in place of the file's name.")
        var table: String?

        @Option(help: "The locale of .strings files, in place of the folder's.")
        var locale: String?

        @Flag(help: "Tell what would change; write nothing.")
        var dryRun = false

        @Flag(help: "A JSON object for each locale and table, a line each.")
        var json = false

        @Argument(help: "Files.", completion: .file(extensions: ["strings", "xcstrings"]))
        var files: [String]

        func run() throws {
            var importing = StringsImport(into: into)
            for file in files { importing.read(file, table: table, locale: locale) }
            importing.merge()
            for failure in importing.failures { StandardError.write(failure.plain) }
            for finding in importing.findings { StandardError.write(finding.line) }
            guard importing.failures.isEmpty, !importing.findings.contains(where: \.isFault) else {
                throw ExitCode(1)
            }
            if !dryRun { try importing.write() }
            let columns = ["locale", "table", "texts", "added", "changed"]
            try TextTable(columns: columns, rows: importing.rows).print(asJSON: json)
        }
    }
}

/// The imported catalogs, and the resulting files of strings.
struct StringsImport {
    private struct Table {
        let locale: String
        let name: String
        let texts: [(key: String, text: String)]
    }

    private let folder: String
    private var tables: [Table] = []
    /// New documents by locale.
    private var documents: [(locale: String, document: JSONObject)] = []
    private(set) var failures: [String] = []
    private(set) var findings: [LocatedFinding] = []
    /// The changes: `{locale, table, texts, added, changed}`.
    private(set) var rows: [JSONValue] = []

    init(into folder: String) { self.folder = folder }

    mutating func read(_ path: String, table: String?, locale: String?) {
        guard let file = FileAccess.file(path, &failures) else { return }
        let url = URL(fileURLWithPath: path)
        let name = table ?? url.deletingPathExtension().lastPathComponent
        switch url.pathExtension {
        case "strings": readStrings(file, name, locale ?? Self.locale(of: url))
        case "xcstrings": readCatalog(file, name)
        default: failures.append("\(path): neither a .strings nor an .xcstrings file")
        }
    }

    /// The locale of a folder such as `de.lproj`; nil for `Base.lproj` and any other folder.
    private static func locale(of url: URL) -> String? {
        let folder = url.deletingLastPathComponent()
        let name = folder.deletingPathExtension().lastPathComponent
        return folder.pathExtension == "lproj" && name != "Base" ? name : nil
    }

    private mutating func readStrings(_ file: FileCatalog.File, _ table: String, _ locale: String?) {
        let strings = StringsFile(file.text)
        for fault in strings.faults {
            let finding = Finding(pointer: .root, code: fault.code, message: fault.message)
            findings.append(
                LocatedFinding(finding, isFault: true, path: file.path, position: (fault.line, fault.column)))
        }
        guard let locale else {
            failures.append("\(file.path): give --locale, for its folder names none")
            return
        }
        guard LanguageTag(tableName: locale) != nil else {
            failures.append("\(file.path): \(LanguageTag.refusal(of: locale))")
            return
        }
        add(Table(locale: locale, name: table, texts: strings.entries), of: file)
    }

    private mutating func readCatalog(_ file: FileCatalog.File, _ table: String) {
        guard file.text.count <= StringCatalog.maximumBytes else {
            failures.append("\(file.path): a catalog has at most \(StringCatalog.maximumBytes) bytes")
            return
        }
        let found = Findings()
        let source = SourceFile(file)
        do throws(JSONError) {
            let catalog = StringCatalog.read(try JSONValue(parsing: file.text, limits: .kept), findings: found)
            let lists = [(found.faults, true), (found.warnings, false)]
            for (list, isFault) in lists {
                findings += list.map {
                    LocatedFinding(
                        $0, isFault: isFault, path: file.path, position: source.sourceMap.position(of: $0.pointer))
                }
            }
            for (locale, texts) in (catalog ?? [:]).sorted(by: { $0.key < $1.key }) {
                add(Table(locale: locale, name: table, texts: texts), of: file)
            }
        } catch {
            findings.append(LocatedFinding(error, path: file.path))
        }
    }

    /// Two files with different texts for a key are a failure, because the order of the paths must not decide.
    private mutating func add(_ table: Table, of file: FileCatalog.File) {
        let earlier = tables.filter { $0.locale == table.locale && $0.name == table.name }.flatMap(\.texts)
        let known = Dictionary(earlier.map { ($0.key, $0.text) }) { $1 }
        if let conflict = table.texts.first(where: { known[$0.key].map { [text = $0.text] in $0 != text } ?? false }) {
            failures.append("\(file.path): another file has another text for \(table.name)/\(conflict.key)")
        }
        tables.append(table)
        let own = table.texts.filter { $0.key == $0.text }
        guard let first = own.first else { return }
        let finding = Finding(
            pointer: .root, code: "own_key",
            message: "\(table.locale): a text that equals its key counts as not found: \(own.count), first \(first.key)"
        )
        findings.append(LocatedFinding(finding, isFault: false, path: file.path, position: nil))
    }
}

extension StringsImport {
    /// Merges the tables over the existing files.
    mutating func merge() {
        for table in tables {
            let index = document(of: table.locale)
            guard let index else { continue }
            var texts = documents[index].document[table.name]?.object ?? [:]
            var (added, changed) = (0, 0)
            for (key, text) in table.texts {
                switch texts[key] {
                case nil: added += 1
                case let earlier?: changed += earlier == .string(text) ? 0 : 1
                }
                texts[key] = .string(text)
            }
            documents[index].document[table.name] = .object(texts)
            rows.append([
                "locale": .string(documents[index].locale), "table": .string(table.name),
                "texts": .integer(Int64(table.texts.count)), "added": .integer(Int64(added)),
                "changed": .integer(Int64(changed)),
            ])
        }
    }

    /// The index of the locale's document; nil after a failure. The file's name may have another spelling of the
    /// locale.
    private mutating func document(of locale: String) -> Int? {
        let folded = LanguageTag.folded(locale)
        if let index = documents.firstIndex(where: { LanguageTag.folded($0.locale) == folded }) { return index }
        let stems = FileAccess.isFolder(folder) ? FileAccess.entries(of: folder, &failures) ?? [] : []
        let stem = stems.compactMap(FileAccess.stem).first { LanguageTag.folded($0) == folded }
        guard let stem else {
            documents.append((locale.replacing("_", with: "-"), [:]))
            return documents.count - 1
        }
        guard let file = FileAccess.file(path(stem), &failures) else { return nil }
        do throws(JSONError) {
            guard let object = try JSONValue(parsing: file.text, limits: .kept).object else {
                failures.append("\(file.path): it is no object of tables")
                return nil
            }
            documents.append((stem, object))
            return documents.count - 1
        } catch {
            findings.append(LocatedFinding(error, path: file.path))
            return nil
        }
    }

    private func path(_ locale: String) -> String { FileAccess.joined(folder, locale + ".json") }

    func write() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (locale, document) in documents {
            let text = JSONValue.object(document).prettyText + "\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path(locale)), options: .atomic)
        }
    }
}
