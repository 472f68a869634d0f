internal import BellwetherCommands
internal import FoundationEssentials

/// The documents in the paths of `push`, in the order in which they are sent: manifest, strings, recipes.
///
/// A folder belongs to one app (with recipes, or with a manifest and strings), or it contains the folders of several
/// apps. Then only the folder of the pushed app is read.
struct PushReading {
    private(set) var documents: [SourceDocument] = []
    /// The failures of paths that cannot be read, one sentence each.
    private(set) var failures: [String] = []
    /// Findings about entries of envelopes whose recipe has no usable name.
    private(set) var nameless: [LocatedFinding] = []
    /// Findings about parts of the files that have no counterpart in Bellwether.
    private(set) var notes: [LocatedFinding] = []
    /// The flow that the last bundle activates.
    private(set) var activeFlow: ActiveFlow?
    private let app: String

    init(_ paths: [String], app: String) {
        self.app = app
        for path in paths { read(path) }
        // The sort is stable, so documents of one kind stay in the order of the paths.
        documents = documents.enumerated()
            .sorted { ($0.element.name.rank, $0.offset) < ($1.element.name.rank, $1.offset) }.map(\.element)
    }

    private mutating func read(_ path: String) {
        guard FileAccess.exists(path) else {
            failures.append("\(path): there is no such file")
            return
        }
        guard FileAccess.isFolder(path) else { return readFile(path) }
        guard let entries = FileAccess.entries(of: path, &failures) else { return }
        let isStrings = URL(fileURLWithPath: path).lastPathComponent == "strings"
        if isStrings || isAppFolder(path, entries) { return readFolder(path, entries) }
        let inner = FileAccess.joined(path, app)
        guard FileAccess.isFolder(inner) else {
            failures.append("\(path): neither the folder of an app, nor is \(app) in it")
            return
        }
        readFolder(inner)
    }

    private func isAppFolder(_ path: String, _ entries: [String]) -> Bool {
        entries.contains {
            $0.hasSuffix(".json") || ($0 == "strings" && FileAccess.isFolder(FileAccess.joined(path, $0)))
        }
    }

    /// Reads an app's folder, or its folder of strings.
    private mutating func readFolder(_ path: String, _ entries: [String]) {
        for entry in entries {
            let inner = FileAccess.joined(path, entry)
            if FileAccess.isFolder(inner) {
                if entry == "strings" { readFolder(inner) }
            } else if entry.hasSuffix(".json") {
                readFile(inner)
            }
        }
    }

    private mutating func readFolder(_ path: String) {
        guard let entries = FileAccess.entries(of: path, &failures) else { return }
        readFolder(path, entries)
    }

    private mutating func readFile(_ path: String) {
        guard let file = FileAccess.file(path, &failures) else { return }
        let reading = FileDocuments(SourceFile(file))
        nameless += reading.nameless
        notes += reading.notes
        activeFlow = reading.activeFlow ?? activeFlow
        for document in reading.documents { add(document) }
    }

    private mutating func add(_ document: SourceDocument) {
        if let earlier = documents.first(where: { $0.name == document.name }) {
            failures += document.conflict(with: earlier).map { [$0] } ?? []
        } else {
            documents.append(document)
        }
    }
}
