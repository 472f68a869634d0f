internal import Foundation
internal import Synchronization

/// A directory of a test's own. It goes with the value, or with the process for one that lives as long.
public final class TemporaryDirectory: Sendable {
    public let path: String

    private static let existing = Mutex<Set<String>>([])
    /// Once: those that are left when the process ends are removed then.
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

    /// Writes a file, its folders included, and returns its path.
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
