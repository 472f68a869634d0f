internal import Synchronization

/// Serialises the writers to a store in one process: each reads rows, makes its write of them, and writes.
///
/// Without it two threads that share a row, such as the end of the audit, could conflict again and again: on a slow
/// disk one of them loses each of its attempts. With it a conflict means that another process has written.
///
/// During a turn no completion is called: it may write next, on the same thread.
public final class WriteTurn: Sendable {
    private let lock = Mutex(())

    public init() {}

    func take<Value: Sendable, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try lock.withLock { (_) throws(Failure) in try body() }
    }
}
