import BellwetherJSON
import Foundation

@testable import BellwetherService

/// `config/apps` and `recipes` of the repository, read as by `serve --apps --recipes`.
enum SampleFolders {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static var files: FileCatalog {
        var files = FileCatalog()
        for folder in entries("config/apps") {
            var app = FileCatalog.App()
            app.manifest = file(folder.appending(path: "manifest.json"))
            for strings in entries("config/apps/\(folder.lastPathComponent)/strings") {
                app.strings[Identifier(strings.deletingPathExtension().lastPathComponent)] = file(strings)
            }
            for recipe in entries("recipes/\(folder.lastPathComponent)") where recipe.pathExtension == "json" {
                app.recipes[Identifier(recipe.deletingPathExtension().lastPathComponent)] = file(recipe)
            }
            files.apps[Identifier(folder.lastPathComponent)] = app
        }
        return files
    }

    private static func entries(_ path: String) -> [URL] {
        let found = try? FileManager.default.contentsOfDirectory(
            at: root.appending(path: path), includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.path < $1.path }
    }

    private static func file(_ url: URL) -> FileCatalog.File? {
        (try? Data(contentsOf: url)).map { FileCatalog.File(path: url.lastPathComponent, text: [UInt8]($0)) }
    }
}
