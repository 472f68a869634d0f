internal import BellwetherJSON
internal import Foundation

/// The documents among the paths of `push`, in the order in which they are sent: the manifest, strings, recipes.
///
/// A file that is named is taken by where it stands, as `serve` takes it: `manifest.json`, `strings/{locale}.json`, else
/// a recipe under the file's name, or an envelope `{"data": [recipe, …]}` of recipes under their own slugs. A folder is
/// an app's (of recipes, or with a manifest and strings), or one of apps, out of which the pushed one is taken.
struct PushReading {
    private(set) var documents: [PushDocument] = []
    /// Paths that cannot be taken, a sentence each.
    private(set) var failures: [String] = []
    /// Entries of envelopes of which nobody can say which recipe they are.
    private(set) var nameless: [PlacedFinding] = []
    private let app: String

    init(_ paths: [String], app: String) {
        self.app = app
        for path in paths { read(path) }
        // A stable order, so that what is sent is what was said.
        documents = documents.enumerated()
            .sorted { ($0.element.name.rank, $0.offset) < ($1.element.name.rank, $1.offset) }.map(\.element)
    }

    private mutating func read(_ path: String) {
        guard FileManager.default.fileExists(atPath: path) else {
            failures.append("\(path): there is no such file")
            return
        }
        if !Self.isFolder(path) { return readFile(path) }
        if name(of: path) == "strings" || isAppFolder(path) { return readFolder(path) }
        let inner = Self.joined(path, app)
        guard Self.isFolder(inner) else {
            failures.append("\(path): neither the folder of an app, nor is \(app) in it")
            return
        }
        readFolder(inner)
    }

    private func isAppFolder(_ path: String) -> Bool {
        entries(of: path).contains { entry in
            entry.hasSuffix(".json") || (entry == "strings" && Self.isFolder(Self.joined(path, entry)))
        }
    }

    /// An app's folder, or the strings in it.
    private mutating func readFolder(_ path: String) {
        for entry in entries(of: path) {
            let inner = Self.joined(path, entry)
            if Self.isFolder(inner) {
                if entry == "strings" { readFolder(inner) }
            } else if entry.hasSuffix(".json") {
                readFile(inner)
            }
        }
    }

    private mutating func readFile(_ path: String) {
        guard let data = FileManager.default.contents(atPath: path) else {
            failures.append("\(path): it cannot be read")
            return
        }
        let file = SourceFile(path: path, text: Array(data))
        let url = URL(fileURLWithPath: path)
        let stem = url.deletingPathExtension().lastPathComponent
        if url.deletingLastPathComponent().lastPathComponent == "strings" {
            add(PushDocument(name: .strings(locale: stem), source: file, root: .root, text: file.text))
        } else if stem == "manifest" {
            add(PushDocument(name: .manifest, source: file, root: .root, text: file.text))
        } else if let entries = Self.envelope(file.text) {
            readEnvelope(file, entries)
        } else {
            add(PushDocument(name: .recipe(slug: stem), source: file, root: .root, text: file.text))
        }
    }

    /// The recipes of `{"data": [recipe, …]}`; nil for anything else, which then tells itself what it is not.
    private static func envelope(_ text: [UInt8]) -> [JSONValue]? {
        var limits = JSONLimits.standard
        limits.depth += 2
        return (try? JSONValue(parsing: text, limits: limits))?.object?["data"]?.array
    }

    private mutating func readEnvelope(_ file: SourceFile, _ entries: [JSONValue]) {
        for (index, (entry, range)) in zip(entries, JSONElements.ranges(of: "data", in: file.text)).enumerated() {
            let root = JSONPointer.root.appending("data").appending(index)
            guard let slug = entry.object?["slug"]?.string else {
                let finding = Finding(
                    pointer: root, code: "required", message: "a recipe of an envelope needs its slug, a string")
                nameless.append(
                    PlacedFinding(finding, isFault: true, path: file.path, position: file.places.position(of: root)))
                continue
            }
            add(PushDocument(name: .recipe(slug: slug), source: file, root: root, text: Array(file.text[range])))
        }
    }

    /// Two texts for one document: the order of the paths must not choose between them.
    private mutating func add(_ document: PushDocument) {
        guard let earlier = documents.first(where: { $0.name == document.name }) else {
            return documents.append(document)
        }
        // Paths may overlap.
        guard earlier.source.path != document.source.path || earlier.root != document.root else { return }
        failures.append(
            "\(document.source.path)\(document.root.description): it stands for the same document as "
                + "\(earlier.source.path)\(earlier.root.description)")
    }

    private func name(of path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    private func entries(of folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
