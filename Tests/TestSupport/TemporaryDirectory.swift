internal import Foundation
internal import Synchronization

/// A temporary directory for one test. It is deleted when the value is released or the process exits.
public final class TemporaryDirectory: Sendable {
    public let path: String

    private static let existing = Mutex<Set<String>>([])
    /// Runs once: the directories that still exist when the process exits are deleted then.
    private static let cleanup: Void = {
        atexit {
            for path in TemporaryDirectory.existing.withLock({ $0 }) {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }()

    public init() throws {
        _ = Self.cleanup
        path = FileManager.default.temporaryDirectory.path + "/bellwether-test-" + UUID().uuidString.lowercased()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        Self.existing.withLock { _ = $0.insert(path) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        Self.existing.withLock { _ = $0.remove(path) }
    }

    /// Writes a file, creates its folders, and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: file).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}
