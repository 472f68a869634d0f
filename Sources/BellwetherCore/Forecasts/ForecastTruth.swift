internal import JEXL

/// Whether something is so of a client of whom only attributes are known.
enum ForecastTruth: UInt8, Sendable, Hashable {
    case fails
    case unknown
    case holds

    /// An error is as good as false; not for exclusions, which it makes hold.
    init(_ truth: PartialTruth, ofError: ForecastTruth = .fails) {
        switch truth {
        case .holds: self = .holds
        case .fails: self = .fails
        case .failed: self = ofError
        case .unknown: self = .unknown
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
