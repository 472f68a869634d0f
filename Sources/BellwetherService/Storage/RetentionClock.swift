public import BellwetherBase
internal import BellwetherCore

/// The time by which retention deletes. After a step forward of the clock, retention would delete recent data. So it
/// waits until the new time has held for a day. If the clock steps back before, nothing is lost.
///
/// The sleep of a machine has the same effect, and retention waits then, too.
public struct RetentionClock: Sendable {
    /// A clock whose adjustment is faster than this is not trusted.
    private static let toleranceSeconds: Int64 = 3600
    private static let waitingSeconds: Int64 = 86_400

    private var last: (wall: Timestamp, uptime: Int64)?
    private var steppedAt: Int64?

    public init() {}

    /// The time for retention; nil while it is not to be trusted. `uptime` is in seconds, by a clock that never steps.
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
