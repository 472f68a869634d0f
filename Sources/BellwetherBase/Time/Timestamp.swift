/// An instant: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Any 64-bit value is a valid instant. Arithmetic stops at the ends of the range and does not trap, because instants
/// come from clients' clocks.
public struct Timestamp: Sendable, Hashable, Comparable {
    public var milliseconds: Int64

    public static let secondsPerDay: Int64 = 86_400

    /// The end of the range. A value that holds until then holds for ever.
    public static let distantFuture = Timestamp(milliseconds: .max)

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public init(seconds: Int64) { milliseconds = seconds.multipliedSaturating(by: 1000) }

    /// Whole seconds since 1970, rounded towards the past.
    public var seconds: Int64 { milliseconds.floored(by: 1000) }

    public func adding(seconds: Int64) -> Timestamp { adding(milliseconds: seconds.multipliedSaturating(by: 1000)) }

    public func adding(milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds.addingSaturating(milliseconds))
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
