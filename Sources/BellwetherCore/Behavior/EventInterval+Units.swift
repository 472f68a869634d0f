package import JEXL

/// The six resolutions at which events are counted (docs/reference/events.md#counters-and-intervals).
extension EventInterval {
    /// The number of minutes in one bucket. A month always has 28 days and a year 365.
    var unit: Int64 {
        switch self {
        case .minutes: 1
        case .hours: 60
        case .days: 1440
        case .weeks: 7 * 1440
        case .months: 28 * 1440
        case .years: 365 * 1440
        }
    }

    /// The maximum number of buckets, the current one included.
    package var capacity: Int64 {
        switch self {
        case .minutes: 60
        case .hours: 72
        case .days: 56
        case .weeks: 52
        case .months: 12
        case .years: 4
        }
    }

    /// The index of this interval in lists of all six intervals.
    var ordinal: Int {
        switch self {
        case .minutes: 0
        case .hours: 1
        case .days: 2
        case .weeks: 3
        case .months: 4
        case .years: 5
        }
    }
}
