import BellwetherService
import Parquet
import Synchronization

/// Files in memory. Before and after each operation it calls `interrupt`, which may throw, as a process that is killed
/// or a server that does not answer, or let another process write.
final class MemoryTarget: FileTarget {
    enum Moment { case before, after }

    struct File: Sendable, Hashable {
        let content: [UInt8]
        let version: Int
    }

    /// A fault that tests put in: files are replaced, as `rename` does, and not only created.
    private let replacesFiles: Bool
    private let state = Mutex((files: [String: File](), count: 0))
    private let interruption = Mutex<(@Sendable (Moment) throws(SinkFault) -> Void)?>(nil)

    init(replacesFiles: Bool = false) { self.replacesFiles = replacesFiles }

    var files: [String: File] { state.withLock { $0.files } }

    /// Sets what happens around the following operations.
    func interrupt(_ body: (@Sendable (Moment) throws(SinkFault) -> Void)?) { interruption.withLock { $0 = body } }

    private func around<Value: Sendable>(_ body: () -> Value) throws(SinkFault) -> Value {
        let interrupt = interruption.withLock { $0 }
        try interrupt?(.before)
        let value = body()
        try interrupt?(.after)
        return value
    }

    func create(_ name: String, _ content: [UInt8], last: String) throws(SinkFault) -> FileCreation {
        try around {
            state.withLock { state in
                if let file = state.files[name], !replacesFiles {
                    return .exists(last: Self.value("bellwether.last", of: file) ?? "")
                }
                state.count += 1
                state.files[name] = File(content: content, version: state.count)
                return .created
            }
        }
    }

    func state(of name: String) throws(SinkFault) -> FileState? {
        try around {
            files[name].map { FileState(digest: Self.value("bellwether.digest", of: $0), version: "\($0.version)") }
        }
    }

    func replace(
        _ name: String, _ content: [UInt8], digest: String, from former: FileState?
    ) throws(SinkFault) -> Bool {
        try around {
            state.withLock { state in
                guard state.files[name].map({ "\($0.version)" }) == former?.version else { return false }
                state.count += 1
                state.files[name] = File(content: content, version: state.count)
                return true
            }
        }
    }

    func names(in folder: String) throws(SinkFault) -> [String] {
        try around { files.keys.filter { $0.hasPrefix(folder + "/") } }
    }

    /// A value of the footer of a file.
    static func value(_ key: String, of file: File) -> String? {
        let content = file.content
        guard let length = ParquetMetadata.footerLength(Array(content.suffix(ParquetMetadata.tailBytes))) else {
            return nil
        }
        return ParquetMetadata.value(
            of: key, in: Array(content.dropLast(ParquetMetadata.tailBytes).suffix(length)))
    }
}
