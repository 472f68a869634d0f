internal import Synchronization

/// Serialises the writers to a store in one process: each reads rows, computes its write from them, and writes.
///
/// Without it, two threads that share a row, such as the end of the audit, could conflict again and again. On a slow
/// disk one of them would lose each of its attempts. With it, a conflict means that another process has written.
///
/// No completion is called during a turn, because it may write next, on the same thread.
public final class WriteTurn: Sendable {
    private let lock = Mutex(())

    public init() {}

    func take<Value: Sendable, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try lock.withLock { (_) throws(Failure) in try body() }
    }
}
