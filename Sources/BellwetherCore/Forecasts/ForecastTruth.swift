internal import JEXL

/// Whether something is so of a client of whom only attributes are known.
enum ForecastTruth: UInt8, Sendable, Hashable {
    case fails
    case unknown
    case holds

    /// Of a trigger or of targeting: an error is as good as false.
    init(_ truth: PartialTruth) {
        switch truth {
        case .holds: self = .holds
        case .fails, .failed, .neverHolds: self = .fails
        case .unknown: self = .unknown
        }
    }

    /// Of an exclusion, which an error makes hold.
    init(exclusion truth: PartialTruth) {
        switch truth {
        case .holds, .failed: self = .holds
        case .fails: self = .fails
        case .neverHolds, .unknown: self = .unknown
        }
    }

    static func && (left: ForecastTruth, right: ForecastTruth) -> ForecastTruth {
        left.rawValue < right.rawValue ? left : right
    }

    static func || (left: ForecastTruth, right: ForecastTruth) -> ForecastTruth {
        left.rawValue > right.rawValue ? left : right
    }

    var negated: ForecastTruth {
        switch self {
        case .fails: .holds
        case .unknown: .unknown
        case .holds: .fails
        }
    }
}
