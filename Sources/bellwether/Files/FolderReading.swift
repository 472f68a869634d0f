internal import BellwetherService
internal import Foundation

/// Reads the folders of the configuration: `{app}/manifest.json`, `{app}/strings/{locale}.json` under `apps`,
/// `{app}/*.json` under `recipes` (api.md 5). What cannot be read is named and does not count as gone.
struct FolderReading {
    private(set) var catalog = FileCatalog()

    static func read(apps: String, recipes: String) -> FileCatalog {
        var reading = FolderReading()
        if !apps.isEmpty {
            for app in reading.folders(in: apps) { reading.readApp(app, in: apps) }
        }
        if !recipes.isEmpty {
            for app in reading.folders(in: recipes) { reading.readRecipes(app, in: recipes) }
        }
        return reading.catalog
    }

    private mutating func readApp(_ app: String, in root: String) {
        let folder = root + "/" + app
        let manifest = folder + "/manifest.json"
        if FileManager.default.fileExists(atPath: manifest) {
            catalog.apps[app, default: .init()].manifest = file(manifest, "\(app)/manifest")
        }
        let strings = folder + "/strings"
        guard FileManager.default.fileExists(atPath: strings) else { return }
        for locale in documents(in: strings) {
            catalog.apps[app, default: .init()].strings[locale] = file(
                "\(strings)/\(locale).json", "\(app)/strings/\(locale)")
        }
    }

    private mutating func readRecipes(_ app: String, in root: String) {
        let folder = root + "/" + app
        for slug in documents(in: folder) {
            catalog.apps[app, default: .init()].recipes[slug] = file(
                "\(folder)/\(slug).json", "\(app)/recipes/\(slug)")
        }
    }

    private mutating func file(_ path: String, _ name: String) -> FileCatalog.File? {
        guard let data = FileManager.default.contents(atPath: path) else {
            catalog.failures.append("\(path): it cannot be read")
            catalog.unreadable.insert(name)
            return nil
        }
        return FileCatalog.File(path: path, text: Array(data))
    }

    private mutating func folders(in root: String) -> [String] {
        entries(of: root).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: root + "/" + name, isDirectory: &isFolder)
                && isFolder.boolValue
        }
    }

    /// Names of JSON files, without the ending.
    private mutating func documents(in folder: String) -> [String] {
        entries(of: folder).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }
    }

    private mutating func entries(of folder: String) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            catalog.failures.append("\(folder): the folder cannot be read")
            return []
        }
    }
}
