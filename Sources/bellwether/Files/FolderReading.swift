internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// Reads the folders of the configuration: `{app}/manifest.json` and `{app}/strings/{locale}.json` under `apps`, and
/// `{app}/*.json` under `recipes` (docs/reference/http-api.md#files-that-the-daemon-reads). An unreadable file is
/// reported, and does not count as deleted.
struct FolderReading {
    private(set) var catalog = FileCatalog()

    static func read(apps: String, recipes: String) -> FileCatalog {
        var reading = FolderReading()
        if !apps.isEmpty {
            for app in reading.folders(in: apps, else: ["*/manifest", "*/strings"]) { reading.readApp(app, in: apps) }
        }
        if !recipes.isEmpty {
            for app in reading.folders(in: recipes, else: ["*/recipes"]) { reading.readRecipes(app, in: recipes) }
        }
        return reading.catalog
    }

    private mutating func readApp(_ app: Identifier, in root: String) {
        let folder = "\(root)/\(app)"
        let names = entries(of: folder, else: ["\(app)/manifest", "\(app)/strings"])
        if names.contains("manifest.json") {
            catalog.apps[app, default: .init()].manifest = file(folder + "/manifest.json", "\(app)/manifest")
        }
        guard names.contains("strings") else { return }
        for locale in documents(in: folder + "/strings", else: "\(app)/strings") {
            catalog.apps[app, default: .init()].strings[locale] = file(
                "\(folder)/strings/\(locale).json", "\(app)/strings/\(locale)")
        }
    }

    private mutating func readRecipes(_ app: Identifier, in root: String) {
        let folder = "\(root)/\(app)"
        for slug in documents(in: folder, else: "\(app)/recipes") {
            catalog.apps[app, default: .init()].recipes[slug] = file(
                "\(folder)/\(slug).json", "\(app)/recipes/\(slug)")
        }
    }

    private mutating func file(_ path: String, _ name: String) -> FileCatalog.File? {
        let file = FileAccess.file(path, &catalog.failures)
        if file == nil { catalog.unreadable.insert(name) }
        return file
    }

    private mutating func folders(in root: String, else missing: Set<String>) -> [Identifier] {
        entries(of: root, else: missing).filter { FileAccess.isFolder(root + "/" + $0) }.map { Identifier($0) }
    }

    /// The names of JSON files, without the extension.
    private mutating func documents(in folder: String, else missing: String) -> [Identifier] {
        entries(of: folder, else: [missing]).compactMap(FileAccess.stem).map { Identifier($0) }
    }

    /// The entries of a folder. If it cannot be read, the names in `missing` do not count as deleted. If two entries
    /// are spellings of the same characters, only the first counts, because they would be one name.
    private mutating func entries(of folder: String, else missing: Set<String>) -> [String] {
        guard let entries = FileAccess.entries(of: folder, &catalog.failures) else {
            catalog.unreadable.formUnion(missing)
            return []
        }
        // A set of strings has one of several spellings.
        var kept: Set<String> = []
        return entries.filter { entry in
            guard kept.insert(entry).inserted else {
                catalog.failures.append("\(folder)/\(entry): there is a file of that name, spelled in other bytes")
                return false
            }
            return true
        }
    }
}

extension FileAccess {
    /// A file of documents; nil if it cannot be read.
    static func file(_ path: String, _ failures: inout [String]) -> FileCatalog.File? {
        read(path, &failures).map { FileCatalog.File(path: path, text: $0) }
    }
}
