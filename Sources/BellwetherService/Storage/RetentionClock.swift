public import BellwetherBase
internal import BellwetherCore

/// The time by which retention deletes. A clock that steps forward would have it delete what is young: so it waits
/// until the new time has held for a day. Should the clock step back before, nothing was lost.
///
/// A machine that slept looks the same, and waits too.
public struct RetentionClock: Sendable {
    /// A clock whose adjustment is faster than this is not trusted.
    private static let toleranceSeconds: Int64 = 3600
    private static let waitingSeconds: Int64 = 86_400

    private var last: (wall: Timestamp, uptime: Int64)?
    private var steppedAt: Int64?

    public init() {}

    /// Nil while the time is not to be trusted. `uptime`: seconds by a clock that never steps.
    public mutating func time(wall: Timestamp, uptime: Int64) -> Timestamp? {
        if let last {
            let gain = wall.seconds - last.wall.seconds - (uptime - last.uptime)
            if gain > Self.toleranceSeconds { steppedAt = uptime }
            if gain < -Self.toleranceSeconds { steppedAt = nil }
        }
        last = (wall, uptime)
        guard let steppedAt else { return wall }
        return uptime - steppedAt < Self.waitingSeconds ? nil : wall
    }
}
