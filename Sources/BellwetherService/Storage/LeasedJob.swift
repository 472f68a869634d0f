public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A job that one process does at a time, under a lease. The lease is released at the end, so that a process that
/// starts again need not wait.
public struct LeasedJob: Sendable {
    private let name: Identifier
    private let holder: Identifier
    private let seconds: Int64

    /// - Parameters:
    ///   - holder: a random id that the process has drawn.
    ///   - seconds: longer than any run of the job. A process that dies during a run keeps others from the job for this
    ///     time.
    public init(_ name: Identifier, of holder: Identifier = WebhookID.make(), seconds: Int64) {
        (self.name, self.holder, self.seconds) = (name, holder, seconds)
    }

    /// - Parameters:
    ///   - now: the store's time.
    ///   - job: calls `done` at its end.
    ///   - completion: receives false if another process does the job, or died during it.
    public func run(
        in store: Persistence, now: Timestamp,
        _ job: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void,
        _ completion: @escaping @Sendable (_ wasDone: Bool) -> Void = { _ in }
    ) {
        store.submit(lease(for: seconds, now)) { result in
            guard case .success(true) = result else { return completion(false) }
            job { store.submit(lease(for: 0, now)) { _ in completion(true) } }
        }
    }

    private func lease(for seconds: Int64, _ now: Timestamp) -> Transaction<Bool> {
        Lease.taking(name, holder: holder, seconds: seconds, now: now)
    }
}
