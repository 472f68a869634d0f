/// What a recipe would do to the clients of a sample, if it were live and they had seen nothing yet.
public struct Forecast: Sendable {
    /// How many contexts it was tried on.
    public let contexts: Int
    /// What keeps everybody out; nil: nothing.
    public let gate: ForecastGate?
    /// Of the clients that targeting lets in; known from the recipe alone.
    public let bucketShare: Double
    public let targeted: ForecastShare?
    public let enrolled: ForecastShare?
    /// For at least one message that is shown.
    public let eligible: ForecastShare?
    public let surfaces: [SurfaceForecast]
    /// Branch by branch, in the order of selection.
    public let messages: [MessageForecast]
}

/// A gate that is the same for all clients.
public enum ForecastGate: String, Sendable, Hashable {
    case differentAppName = "different_app_name"
    case differentChannel = "different_channel"
    case enrollmentsPaused = "enrollments_paused"
    /// Only those who ask for it are enrolled.
    case firefoxLabs = "firefox_labs"
    case ended
}

/// A share of the clients, from a sample of contexts: what attributes do not tell may be true of none of them or of
/// all.
public struct ForecastShare: Sendable, Hashable {
    /// Where it is true of none.
    public let low: ShareEstimate
    /// Where it is true of all.
    public let high: ShareEstimate
    /// Of the clients so far, who is left by what is known without a sample: buckets, the branch.
    public let factor: Double

    /// Nil for an empty sample.
    init?(_ tally: ForecastTally, of contexts: Int, factor: Double) {
        guard let low = ShareEstimate(tally.low, of: contexts), let high = ShareEstimate(tally.high, of: contexts)
        else { return nil }
        self.low = low
        self.high = high
        self.factor = factor
    }

    public var range: (low: Double, high: Double) { (low.share * factor, high.share * factor) }

    /// 95 %: from the lower end for the low share to the upper end for the high one.
    public var interval: (low: Double, high: Double) { (low.low * factor, high.high * factor) }
}

/// Contexts counted, with a weight: for certain, and at most.
struct ForecastTally: Sendable, Hashable {
    var low = 0.0
    var high = 0.0

    mutating func add(_ truth: ForecastTruth, weight: Double) {
        if truth == .holds { low += weight }
        if truth != .fails { high += weight }
    }
}

public struct SurfaceForecast: Sendable {
    public let surface: String
    public let eligible: ForecastShare?
    /// Those with the most contexts; what is left, and small ones, stand together behind them.
    public let locales: [LocaleForecast]
}

public struct LocaleForecast: Sendable {
    /// Nil: all others.
    public let locale: String?
    public let contexts: Int
    public let eligible: ForecastShare?
}

public struct MessageForecast: Sendable {
    public let key: String
    public let branch: String
    /// Of the enrolled clients.
    public let branchShare: Double
    public let surface: String
    public let isControl: Bool
    /// Why it can not be served at all.
    public let malformation: Malformation?
    public let eligible: ForecastShare?
    /// Live messages of the same surface that rank behind it, where a client could see both.
    public let displaces: [RivalForecast]
    /// Those that rank before it.
    public let outrankedBy: [RivalForecast]
}

public struct RivalForecast: Sendable {
    public let key: String
    public let share: ForecastShare
}
