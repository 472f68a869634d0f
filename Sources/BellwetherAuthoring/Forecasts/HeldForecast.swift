public import BellwetherBase
public import BellwetherJSON

/// A share of the clients that a forecast expects, before it is rounded for readers.
public struct ExpectedShare: Sendable, Hashable {
    /// Attributes do not decide everything: `low` counts unknown as false, `high` as true.
    public let low: Double
    public let high: Double
    /// The ends of the 99 % interval.
    public let least: Double
    public let most: Double

    public init(low: Double, high: Double, least: Double, most: Double) {
        (self.low, self.high, self.least, self.most) = (low, high, least, most)
    }

    /// The middle between the two ends.
    public var middle: Double { (low + high) / 2 }
}

/// The forecast of a recipe from the time at which it went live, held against what came
/// (docs/reference/http-api.md#what-came).
///
/// Both are about the same clients: those of the sample that have polled since. So the comparison depends neither on
/// the traffic nor on the number of nodes, and a restart only makes it wait for clients.
public struct HeldForecast: Sendable, Hashable {
    public enum Measure: String, Sendable, Hashable, CaseIterable {
        /// The client is or was in a branch of the recipe.
        case enrolled
        /// The client has seen one of the recipe's messages.
        case shown

        /// The seconds after which the count is compared. An app shows a message later than it polls.
        var delay: Int64 { self == .shown ? Timestamp.secondsPerDay : 0 }
    }

    /// One expected share, and what came.
    public struct Line: Sendable, Hashable {
        public let share: ExpectedShare
        /// How many of the counted clients came.
        public fileprivate(set) var came = 0
        /// Whether this was off plan at any count. It stays.
        public fileprivate(set) var wasOff = false
    }

    /// The days for which a forecast is held against what comes.
    public static let days: Int64 = 7
    /// The expected clients from which the comparison begins.
    public static let minimum = 100.0

    public let revision: Int
    /// The time at which the recipe went live.
    public let since: Timestamp
    /// The clients of the sample that had polled since then, when they were counted last.
    public private(set) var clients = 0
    /// The number of clients that each of them stands for.
    public private(set) var weight = 1.0
    /// Nil if no clients were counted yet.
    public private(set) var countedAt: Timestamp?
    private var lines: [Measure: Line]

    public init(_ forecast: Forecast, revision: Int, since: Timestamp, enrolls: Bool) {
        (self.revision, self.since) = (revision, since)
        lines = [:]
        if enrolls, let share = forecast.enrolled?.expectation { lines[.enrolled] = Line(share: share) }
        if let share = forecast.eligible?.expectation { lines[.shown] = Line(share: share) }
    }

    public subscript(measure: Measure) -> Line? { lines[measure] }

    /// Whether nothing could be forecast.
    public var isEmpty: Bool { lines.isEmpty }

    /// Whether clients that poll at this time are still counted.
    public func isOpen(at now: Timestamp) -> Bool { now <= since.adding(seconds: Self.days * Timestamp.secondsPerDay) }

    /// Takes over the counts of the sample. Returns the measures that are off plan for the first time.
    public mutating func count(
        _ came: [Measure: Int], of clients: Int, weight: Double, at now: Timestamp
    ) -> [Measure] {
        (self.clients, self.weight, countedAt) = (clients, weight, now)
        return Measure.allCases.filter { measure in
            guard var line = lines[measure] else { return false }
            line.came = came[measure] ?? 0
            let isCompared = since.adding(seconds: measure.delay) <= now
            let isFirst = isCompared && !line.wasOff && line.isOff(among: clients)
            line.wasOff = line.wasOff || isFirst
            lines[measure] = line
            return isFirst
        }
    }
}

extension HeldForecast.Line {
    /// The 99 % interval of the number of clients that come, among a number of clients.
    public func interval(among clients: Int) -> ClosedRange<Double> {
        func spread(_ share: Double) -> Double {
            ShareEstimate.z99 * (Double(clients) * share * max(0, 1 - share)).squareRoot()
        }
        let n = Double(clients)
        let low = max(0, (share.least * n - spread(share.least)).rounded(.down))
        return low...max(low, min(n, (share.most * n + spread(share.most)).rounded(.up)))
    }

    /// Whether the count lies outside the interval, once enough clients were expected.
    public func isOff(among clients: Int) -> Bool {
        share.middle * Double(clients) >= HeldForecast.minimum && !interval(among: clients).contains(Double(came))
    }
}

/// The stored form.
extension HeldForecast {
    public var json: JSONObject {
        var json: JSONObject = [
            "revision": .integer(Int64(revision)), "since": .integer(since.milliseconds),
            "clients": .integer(Int64(clients)), "weight": .number(weight),
        ]
        if let countedAt { json["counted_at"] = .integer(countedAt.milliseconds) }
        for (measure, line) in lines {
            json[measure.rawValue] = [
                "low": .number(line.share.low), "high": .number(line.share.high), "least": .number(line.share.least),
                "most": .number(line.share.most), "came": .integer(Int64(line.came)), "off": .bool(line.wasOff),
            ]
        }
        return json
    }

    /// Nil for a value of another form.
    public init?(_ json: JSONObject) {
        guard let revision = json["revision"]?.integer, let since = json["since"]?.integer,
            let clients = json["clients"]?.integer, let weight = json["weight"]?.double
        else { return nil }
        (self.revision, self.since) = (Int(revision), Timestamp(milliseconds: since))
        (self.clients, self.weight) = (Int(clients), weight)
        countedAt = json["counted_at"]?.integer.map { Timestamp(milliseconds: $0) }
        lines = [:]
        for measure in Measure.allCases {
            guard let line = json[measure.rawValue] else { continue }
            guard let low = line["low"].double, let high = line["high"].double, let least = line["least"].double,
                let most = line["most"].double, let came = line["came"].integer
            else { return nil }
            lines[measure] = Line(
                share: ExpectedShare(low: low, high: high, least: least, most: most), came: Int(came),
                wasOff: line["off"].bool ?? false)
        }
    }
}

/// The form for readers (docs/reference/http-api.md#what-came).
extension HeldForecast {
    /// The expected clients and those that came, as estimates for all clients; nil if there is no forecast.
    ///
    /// - Parameter minimum: the smallest count that is shown. Smaller ones are null, and so is what they would tell.
    public func comparison(_ measure: Measure, minimum: Int) -> JSONObject? {
        guard let line = lines[measure] else { return nil }
        func count(_ clients: Double) -> JSONValue { .integer(Int64((clients * weight).rounded())) }
        var expected = JSONValue.null
        if clients >= max(1, minimum) {
            let interval = line.interval(among: clients)
            let n = Double(clients)
            expected = [
                "low": count(line.share.low * n), "high": count(line.share.high * n),
                "interval": .array([count(interval.lowerBound), count(interval.upperBound)]),
            ]
        }
        let isFew = expected == .null || (1..<max(1, minimum)).contains(line.came)
        return ["expected": expected, "came": isFew ? .null : count(Double(line.came)), "off_plan": .bool(line.wasOff)]
    }

    /// All measures, with the clients among which they were counted.
    public func comparisons(minimum: Int) -> JSONObject {
        var json: JSONObject = [
            "revision": .integer(Int64(revision)), "since": .string(since.rfc3339),
            "counted_at": countedAt.map { .string($0.rfc3339) } ?? .null,
            "clients": clients >= max(1, minimum) ? .integer(Int64((Double(clients) * weight).rounded())) : .null,
        ]
        for measure in Measure.allCases {
            json[measure.rawValue] = comparison(measure, minimum: minimum).map { .object($0) } ?? .null
        }
        return json
    }
}

/// The ratio of clients that came to expected clients, in an app's last ten recipes.
public struct ForecastCorrection: Sendable, Hashable {
    private static let maximumRecipes = 10

    private let forecasts: [HeldForecast]

    public init(_ forecasts: some Sequence<HeldForecast>) {
        self.forecasts = Array(
            forecasts.filter { $0.countedAt != nil }.sorted { $0.since > $1.since }.prefix(Self.maximumRecipes))
    }

    /// The factor; nil with fewer than 100 expected clients.
    public func factor(_ measure: HeldForecast.Measure) -> Double? {
        var (came, expected) = (0.0, 0.0)
        for forecast in forecasts {
            guard let line = forecast[measure] else { continue }
            came += Double(line.came)
            expected += line.share.middle * Double(forecast.clients)
        }
        return expected >= HeldForecast.minimum ? came / expected : nil
    }

    public var json: JSONValue {
        var json: JSONObject = ["recipes": .integer(Int64(forecasts.count))]
        for measure in HeldForecast.Measure.allCases {
            json[measure.rawValue] = factor(measure).map { .number(($0 * 1000).rounded() / 1000) } ?? .null
        }
        return .object(json)
    }
}
