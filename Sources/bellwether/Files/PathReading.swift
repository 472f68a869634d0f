internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import FoundationEssentials

/// Assigns the paths of `check` to apps by their position in folders, as `serve` does.
struct PathReading {
    private(set) var catalog = FileCatalog()
    /// The documents by app, without the documents of `--apps`.
    private(set) var documents: [Identifier: [DocumentName: SourceDocument]] = [:]
    /// Findings about entries of envelopes whose recipe has no usable name.
    private(set) var nameless: [LocatedFinding] = []
    /// Findings about parts of the files that have no counterpart in Bellwether.
    private(set) var notes: [LocatedFinding] = []

    init(_ paths: [String], apps: String?) {
        for path in paths { read(path) }
        if let apps { addManifests(from: apps) }
    }

    private mutating func read(_ path: String) {
        guard FileAccess.exists(path) else {
            catalog.failures.append("\(path): there is no such file")
            return
        }
        guard FileAccess.isFolder(path) else { return readFile(path) }
        for name in FileAccess.entries(of: path, &catalog.failures) ?? [] {
            let inner = FileAccess.joined(path, name)
            if name.hasSuffix(".json") || FileAccess.isFolder(inner) { read(inner) }
        }
    }

    private mutating func readFile(_ path: String) {
        guard let file = FileAccess.file(path, &catalog.failures) else { return }
        let reading = FileDocuments(SourceFile(file))
        nameless += reading.nameless
        notes += reading.notes
        for document in reading.documents { add(document) }
    }

    private mutating func add(_ document: SourceDocument) {
        var folder = URL(fileURLWithPath: document.source.path).deletingLastPathComponent()
        if case .strings = document.name { folder = folder.deletingLastPathComponent() }
        let app = Identifier(folder.lastPathComponent)
        if let earlier = documents[app]?[document.name] {
            catalog.failures += document.conflict(with: earlier).map { [$0] } ?? []
        } else {
            documents[app, default: [:]][document.name] = document
            catalog.apps[app, default: .init()].take(document)
        }
    }

    /// Adds manifests and strings that recipes need, but that are not in the paths.
    private mutating func addManifests(from apps: String) {
        let known = FolderReading.read(apps: apps, recipes: "")
        catalog.failures += known.failures.filter { !catalog.failures.contains($0) }
        for (app, content) in catalog.apps where content.manifest == nil {
            catalog.apps[app]?.manifest = known.apps[app]?.manifest
            if content.strings.isEmpty { catalog.apps[app]?.strings = known.apps[app]?.strings ?? [:] }
        }
    }
}
