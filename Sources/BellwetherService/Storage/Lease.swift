public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The owner of a job that one process does at a time, and the time until which no other process may do it. It is one
/// row of the store.
public struct Lease: Sendable, Hashable {
    /// A random id that the process has drawn.
    public let holder: Identifier
    public let until: Timestamp

    public init(holder: Identifier, until: Timestamp) { (self.holder, self.until) = (holder, until) }

    public var json: JSONObject { ["holder": .string(holder), "until": .integer(until.milliseconds)] }

    public init?(_ json: JSONObject) {
        guard let holder = json["holder"]?.identifier, let until = json["until"]?.integer else { return nil }
        self.init(holder: holder, until: Timestamp(milliseconds: until))
    }

    /// Takes the lease of a job, or renews it. The result is whether the holder has it.
    public static func taking(
        _ name: Identifier, holder: Identifier, seconds: Int64, now: Timestamp
    ) -> Transaction<Bool> {
        Transaction(names: [.lease(name)], now: now) { rows in
            if case .lease(let lease)? = rows[.lease(name)], lease.until > now, lease.holder != holder {
                return .done(TransactionOutcome(result: false))
            }
            var outcome = TransactionOutcome(result: true)
            outcome.rows = [(.lease(name), .lease(Lease(holder: holder, until: now.adding(seconds: seconds))))]
            return .done(outcome)
        }
    }
}
