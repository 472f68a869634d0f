import Foundation

/// Runs `PRAGMA integrity_check` on a copy of a database and its log as the kill left them.
enum DatabaseCheck {
    static func check(_ folder: String, copyingTo copy: String, bench: Workbench) throws {
        let files = FileManager.default
        try? files.removeItem(atPath: copy)
        try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: copy) }
        // SQLite rebuilds the index of the log (-shm) from the log.
        for name in ["bellwether.sqlite", "bellwether.sqlite-wal"] where files.fileExists(atPath: "\(folder)/\(name)") {
            try files.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy)/\(name)")
        }
        let command = ["sqlite3", "\(copy)/bellwether.sqlite", "PRAGMA integrity_check; PRAGMA foreign_key_check;"]
        let text = try Child(command, core: bench.loadCore, log: "\(bench.directory)/sqlite3").finish(within: 120)
        guard text == "ok\n" else { throw Failure("integrity_check: \(text)") }
    }
}
