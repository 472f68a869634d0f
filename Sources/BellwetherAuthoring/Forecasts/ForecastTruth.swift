/// Whether a condition holds for a client of which only attributes are known.
enum ForecastTruth: UInt8, Sendable, Hashable {
    case doesNotHold
    case unknown
    case holds

    static func && (left: ForecastTruth, right: ForecastTruth) -> ForecastTruth {
        left.rawValue < right.rawValue ? left : right
    }

    static func || (left: ForecastTruth, right: ForecastTruth) -> ForecastTruth {
        left.rawValue > right.rawValue ? left : right
    }
}
