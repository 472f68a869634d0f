public import BellwetherBase
internal import BellwetherCore

/// A job that one process does at a time: under a lease, which is given back at the end, so that a process that starts
/// again need not wait.
public struct LeasedJob: Sendable {
    private let name: String
    private let holder: String
    private let seconds: Int64

    /// - Parameters:
    ///   - holder: drawn by the process.
    ///   - seconds: no run of the job takes so long. A process that dies within one keeps others from it until then.
    public init(_ name: String, of holder: String = WebhookID.make(), seconds: Int64) {
        (self.name, self.holder, self.seconds) = (name, holder, seconds)
    }

    /// - Parameters:
    ///   - now: the store's time.
    ///   - job: calls `done` at its end.
    ///   - completion: false: another process is about it, or died within it.
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
