public import BellwetherCore

/// That a client's enrollments were found up to date: by which recipes and for which context, as a digest, and until
/// when that holds if the client does nothing.
///
/// Kept in memory beside the client's state, and forgotten when the state changes: what it saves is an evaluation of
/// all recipes at each poll.
public struct Settlement: Sendable, Hashable {
    public let digest: UInt64
    /// Exclusive.
    public let until: Timestamp

    /// Seconds. No settlement holds for longer: one that would was made by a clock that has stepped back since.
    private static let longest: Int64 = 86_400

    static let none = Settlement(digest: 0, until: Timestamp(milliseconds: .min))

    public init(digest: UInt64, until: Timestamp, at now: Timestamp) {
        self.digest = digest
        self.until = min(until, now.adding(seconds: Self.longest))
    }

    private init(digest: UInt64, until: Timestamp) {
        self.digest = digest
        self.until = until
    }

    public func holds(for digest: UInt64, at now: Timestamp) -> Bool {
        self.digest == digest && now < until && until <= now.adding(seconds: Self.longest)
    }
}
