internal import BellwetherService
internal import Foundation

/// Sorts the paths of `check` into apps: by where they stand, as `serve` would.
struct PathReading {
    private var catalog = FileCatalog()

    static func read(_ paths: [String], apps: String?) -> FileCatalog {
        var reading = PathReading()
        for path in paths { reading.read(path) }
        if let apps { reading.addManifests(from: apps) }
        return reading.catalog
    }

    private mutating func read(_ path: String) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            catalog.failures.append("\(path): there is no such file")
            return
        }
        guard isFolder.boolValue else { return readFile(path) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names.sorted() where !name.hasPrefix(".") {
            let inner = path.hasSuffix("/") ? path + name : path + "/" + name
            var isInnerFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: inner, isDirectory: &isInnerFolder)
            if isInnerFolder.boolValue || name.hasSuffix(".json") { read(inner) }
        }
    }

    private mutating func readFile(_ path: String) {
        guard let data = FileManager.default.contents(atPath: path) else {
            catalog.failures.append("\(path): it cannot be read")
            return
        }
        let file = FileCatalog.File(path: path, text: Array(data))
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        let folder = url.deletingLastPathComponent()
        if folder.lastPathComponent == "strings" {
            add(file, to: folder.deletingLastPathComponent().lastPathComponent, as: \.strings[name])
        } else if name == "manifest" {
            add(file, to: folder.lastPathComponent, as: \.manifest)
        } else {
            add(file, to: folder.lastPathComponent, as: \.recipes[name])
        }
    }

    /// Two files that would be the same document: one of them would go unchecked.
    private mutating func add(
        _ file: FileCatalog.File, to app: String, as place: WritableKeyPath<FileCatalog.App, FileCatalog.File?>
    ) {
        if let earlier = catalog.apps[app]?[keyPath: place], earlier.path != file.path {
            catalog.failures.append("\(file.path): it stands for the same document as \(earlier.path)")
        } else {
            catalog.apps[app, default: .init()][keyPath: place] = file
        }
    }

    /// Manifests and strings that recipes need and that are not among the paths.
    private mutating func addManifests(from apps: String) {
        let known = FolderReading.read(apps: apps, recipes: "").apps
        for (app, content) in catalog.apps where content.manifest == nil {
            catalog.apps[app]?.manifest = known[app]?.manifest
            if content.strings.isEmpty { catalog.apps[app]?.strings = known[app]?.strings ?? [:] }
        }
    }
}
