internal import BellwetherService
internal import Foundation

/// The files and folders of documents, as each command reads them. An unreadable one is a sentence among the failures.
enum FileAccess {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The entries of a folder, in order and without hidden ones; nil where it cannot be read.
    static func entries(of folder: String, _ failures: inout [String]) -> [String]? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            failures.append("\(folder): the folder cannot be read")
            return nil
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    static func read(_ path: String, _ failures: inout [String]) -> FileCatalog.File? {
        guard let data = FileManager.default.contents(atPath: path) else {
            failures.append("\(path): it cannot be read")
            return nil
        }
        return FileCatalog.File(path: path, text: Array(data))
    }

    /// The path of something in a folder.
    static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// The name of a JSON file without its ending; nil for any other file.
    static func stem(_ name: String) -> String? {
        name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : nil
    }
}
