public import BellwetherService
public import ObjectStore
internal import Synchronization

/// A store of objects for the files of a sink. The store's own conditional writes decide between two processes.
public final class ObjectTarget: FileTarget {
    /// The metadata of objects, without `x-amz-meta-`.
    private static let (last, digest) = ("last", "digest")

    /// `ObjectStore` is used by one thread at a time.
    private let connection: Mutex<Connection>
    private let report: @Sendable (String) -> Void

    private struct Connection: ~Copyable {
        let make: @Sendable () throws(ObjectStoreFault) -> ObjectStore
        var store: ObjectStore?
    }

    /// - Parameters:
    ///   - report: receives warnings, a sentence each.
    ///   - make: connects to the store at the first write.
    public init(
        report: @escaping @Sendable (String) -> Void,
        _ make: @escaping @Sendable () throws(ObjectStoreFault) -> ObjectStore
    ) {
        self.report = report
        connection = Mutex(Connection(make: make))
    }

    private func use<Value: Sendable>(
        _ body: (ObjectStore) throws(ObjectStoreFault) -> Value
    ) throws(SinkFault) -> Value {
        do throws(ObjectStoreFault) {
            return try connection.withLock { (connection) throws(ObjectStoreFault) in
                if let store = connection.store { return try body(store) }
                let store = try connection.make()
                store.onWarning = { [report] in report($0.sentence) }
                let key = ".bellwether/check-\(UInt64.random(in: .min ... .max))"
                if try !store.honorsPreconditions(tryingAt: key), !store.lacksPreconditions {
                    report(ObjectStoreWarning.noPreconditions.sentence)
                }
                connection.store = store
                return try body(store)
            }
        } catch {
            throw SinkFault(error.sentence, isPassing: error.isPassing)
        }
    }

    public func create(_ name: String, _ content: [UInt8], last: String) throws(SinkFault) -> FileCreation {
        try use { (store) throws(ObjectStoreFault) in
            let outcome = try store.put(name, content, metadata: [(Self.last, last)], if: .absent)
            guard outcome == .refused else { return .created }
            return .exists(last: try store.head(name)?.metadata[Self.last] ?? "")
        }
    }

    public func state(of name: String) throws(SinkFault) -> FileState? {
        try use { (store) throws(ObjectStoreFault) in
            try store.head(name).map { FileState(digest: $0.metadata[Self.digest], version: $0.etag) }
        }
    }

    public func replace(
        _ name: String, _ content: [UInt8], digest: String, from state: FileState?
    ) throws(SinkFault) -> Bool {
        try use { (store) throws(ObjectStoreFault) in
            let outcome = try store.put(
                name, content, metadata: [(Self.digest, digest)],
                if: state.map { .unchanged(etag: $0.version) } ?? .absent)
            return outcome != .refused
        }
    }

    public func names(in folder: String) throws(SinkFault) -> [String] {
        try use { (store) throws(ObjectStoreFault) in try store.list(folder + "/") }
    }
}
