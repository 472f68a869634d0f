public import BellwetherCore

/// The effect that a recipe would have on the clients of a sample, if it were live and they had seen nothing yet.
public struct Forecast: Sendable {
    /// How many contexts it was tried on; nil: fewer than the minimum.
    public let contexts: Int?
    /// The gate that keeps clients out of the recipe, all of them or all but few of the sample; nil: none.
    public let gate: ForecastGate?
    /// The share of the clients that targeting lets in; known from the recipe alone.
    public let bucketShare: Double
    public let targeted: ForecastShare?
    public let enrolled: ForecastShare?
    /// For at least one message that is shown.
    public let eligible: ForecastShare?
    public let surfaces: [SurfaceForecast]
    /// Branch by branch, in the order of selection.
    public let messages: [MessageForecast]

    /// The reason why the first message is shown to no client, or to few of the sample, if every message has one.
    public var closed: Verdict? {
        let shown = messages.filter { !$0.isControl }
        return shown.allSatisfy { $0.closed != nil } ? shown.first?.closed : nil
    }
}

/// A gate of the recipe.
public enum ForecastGate: String, Sendable, Hashable {
    case differentAppName = "different_app_name"
    case differentChannel = "different_channel"
    case enrollmentsPaused = "enrollments_paused"
    /// Only those who ask for it are enrolled.
    case firefoxLabs = "firefox_labs"
    case ended
    /// Its start is to come.
    case scheduled
    /// Its buckets are none.
    case bucketing
    /// So few contexts of the sample pass its targeting that their number is withheld, or none does.
    case targeting
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
    /// Nil: withheld.
    public let contexts: Int?
    public let eligible: ForecastShare?
}

public struct MessageForecast: Sendable {
    public let key: String
    public let branch: String
    /// The share of the enrolled clients.
    public let branchShare: Double
    public let surface: String
    /// The share of the respondents that the message's sample contains.
    public let sampleShare: Double
    public let isControl: Bool
    /// Why it can not be served at all.
    public let malformation: Malformation?
    /// The obstacles that close it for all clients, whatever their attributes are.
    public let obstacles: [PacingObstacle]
    /// Why it is shown to no client, or to few of the sample; nil: it may be shown, or it is not known.
    public let closed: Verdict?
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
