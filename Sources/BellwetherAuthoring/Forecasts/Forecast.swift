public import BellwetherCore
public import BellwetherJSON

/// The effect of a recipe on the clients of a sample, if it were live and they had not yet seen any message.
public struct Forecast: Sendable {
    /// How many contexts the forecast used; nil if there are fewer than the minimum.
    public let contexts: Int?
    /// The gate that keeps all clients, or almost all of the sample, out of the recipe; nil if there is none.
    public let gate: ForecastGate?
    /// The share of the targeted clients that are in the recipe's buckets. It follows from the recipe alone.
    public let bucketShare: Double
    public let targeted: ForecastShare?
    public let enrolled: ForecastShare?
    /// The share of clients that are eligible for at least one shown message; nil for a recipe without messages.
    public let eligible: ForecastShare?
    public let surfaces: [SurfaceForecast]
    /// The messages, branch by branch, in the order of selection.
    public let messages: [MessageForecast]

    /// The reason why the first message is shown to no client, or to few of the sample. It is nil unless every message
    /// has such a reason.
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
    /// Only clients that ask for enrollment are enrolled.
    case firefoxLabs = "firefox_labs"
    case ended
    /// The recipe's start is in the future.
    case scheduled
    /// The recipe has no buckets.
    case bucketing
    /// No context of the sample passes the recipe's targeting, or so few that their number is withheld.
    case targeting
}

public struct SurfaceForecast: Sendable {
    public let surface: Identifier
    public let eligible: ForecastShare?
    /// The locales with the most contexts. The last element combines the remaining locales and the small ones.
    public let locales: [LocaleForecast]
}

public struct LocaleForecast: Sendable {
    /// The locale; nil for all others.
    public let locale: String?
    /// The number of contexts; nil if it is withheld.
    public let contexts: Int?
    public let eligible: ForecastShare?
}

public struct MessageForecast: Sendable {
    public let key: Identifier
    public let branch: Identifier
    /// The branch's share of the enrolled clients.
    public let branchShare: Double
    public let surface: Identifier
    /// The share of respondents in the message's sample.
    public let sampleShare: Double
    public let isControl: Bool
    /// The reason why the message is never served; nil if there is none.
    public let malformation: Malformation?
    /// The obstacles that close the message for all clients, independent of their attributes.
    public let obstacles: [PacingObstacle]
    /// The reason why the message is shown to no client, or to few of the sample; nil if it may be shown, or if the
    /// reason is unknown.
    public let closed: Verdict?
    public let eligible: ForecastShare?
    /// Live messages of the same surface with a lower rank, if a client could see both.
    public let displaces: [RivalForecast]
    /// Live messages of the same surface with a higher rank, if a client could see both.
    public let outrankedBy: [RivalForecast]
}

public struct RivalForecast: Sendable {
    public let key: Identifier
    public let share: ForecastShare
}
