internal import BellwetherService
internal import FoundationEssentials

/// Reads files and folders of documents for commands. An unreadable file or folder adds a sentence to the failures.
enum FileAccess {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// The sorted entries of a folder, without hidden ones; nil if the folder cannot be read.
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

    /// The path of an entry in a folder.
    static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// The name of a JSON file without its extension; nil for any other file.
    static func stem(_ name: String) -> String? {
        name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : nil
    }
}
