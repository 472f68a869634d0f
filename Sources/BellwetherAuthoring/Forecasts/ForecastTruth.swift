/// Whether something is so of a client of whom only attributes are known.
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
