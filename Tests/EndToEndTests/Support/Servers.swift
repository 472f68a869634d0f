import BellwetherJSON
import Foundation
import TestSupport

/// The daemon for all tests that need no separate one: without tokens, with four workers, and an app for each test.
enum Servers {
    private static let sharedDaemon = Result { try Daemon(["--dev", "--workers", "4"]) }

    static func shared() throws -> Daemon { try sharedDaemon.get() }
}

/// The files of the repository.
enum Repository {
    static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .path

    static let apps = path + "/config/apps"
    static let recipes = path + "/recipes"

    /// A file of the published vectors; null when it cannot be read.
    static func vectors(_ name: String) -> JSONValue {
        (try? JSONValue.file("\(path)/vectors/\(name).json")) ?? .null
    }
}
