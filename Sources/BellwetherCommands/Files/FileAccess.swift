internal import ArgumentParser
internal import BellwetherJSON
internal import FoundationEssentials

/// Reads files and folders of documents for commands. An unreadable file or folder adds a sentence to the failures.
package enum FileAccess {
    package static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    package static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// The entries of a folder in byte order, without hidden ones; nil if the folder cannot be read.
    package static func entries(of folder: String, _ failures: inout [String]) -> [String]? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            failures.append("\(folder): the folder cannot be read")
            return nil
        }
        return names.filter { !$0.hasPrefix(".") }.sorted { $0.precedes($1) }
    }

    package static func read(_ path: String, _ failures: inout [String]) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path) else {
            failures.append("\(path): it cannot be read")
            return nil
        }
        return Array(data)
    }

    /// Reads a text from a file, or from standard input for `-`. An unreadable file ends the command.
    package static func text(of path: String) throws -> [UInt8] {
        if path == "-" { return StandardInput.all() }
        var failures: [String] = []
        if let text = read(path, &failures) { return text }
        for failure in failures { StandardError.write(failure.plain) }
        throw ExitCode(1)
    }

    /// The path of an entry in a folder.
    package static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// The name of a JSON file without its extension; nil for any other file.
    package static func stem(_ name: String) -> String? {
        name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : nil
    }
}
