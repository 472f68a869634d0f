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

    /// The same share, of which fewer may come.
    fileprivate var atMost: ExpectedShare { ExpectedShare(low: low, high: high, least: 0, most: most) }
}

/// The forecast of a recipe from the time at which it went live, held against what came
/// (docs/reference/http-api.md#what-came).
///
/// Clients that poll often come first. So the clients that polled within some days of going live are compared with the
/// forecast for the clients that polled within as many days before, at the end of whole days.
public struct HeldForecast: Sendable, Hashable {
    public enum Measure: String, Sendable, Hashable, CaseIterable {
        /// The client is or was in a branch of the recipe.
        case enrolled
        /// The client has seen one of the recipe's messages. A forecast tells who may see it, so fewer may come: other
        /// messages are shown first, and not every client opens the surface.
        case shown
    }

    /// The expected share of one measure, and the number of clients that came.
    public struct Line: Sendable, Hashable {
        /// The forecast for all clients of a week; a withheld end is nil.
        let low: Double?
        let high: Double?
        /// The forecasts for the clients of one day, of two days, and so on; nil where there were too few clients.
        let windows: [ExpectedShare?]
        /// How many of the counted clients came.
        public fileprivate(set) var came = 0
        /// Whether this was off plan at any count. It stays.
        public fileprivate(set) var wasOff = false
    }

    /// The clients of the sample at the end of a day, and how many of them came.
    public struct Count: Sendable, Hashable {
        /// The number of the day.
        let day: Int
        /// The days within which the clients have polled: fewer than `day` if the sample is younger.
        let window: Int
        let clients: Int
        /// The number of clients that each of them stands for.
        let weight: Double
        let came: [Measure: Int]

        public init(day: Int, window: Int, clients: Int, weight: Double, came: [Measure: Int]) {
            (self.day, self.window, self.clients, self.weight, self.came) = (day, window, clients, weight, came)
        }
    }

    /// A comparison is made within this time after a whole day.
    public static let secondsOfCount: Int64 = 3600
    /// The days for which a forecast is held against what comes.
    public static let days = 7
    /// The expected clients from which a count can be off plan.
    static let minimum = 100.0

    public let revision: Int
    /// The time at which the recipe went live.
    public let since: Timestamp
    /// The number of the last counted day; 0 if none was counted yet.
    public private(set) var day = 0
    /// The days within which the counted clients have polled: fewer than `day` if the sample is younger.
    private var window = 0
    /// The number of counted clients.
    public private(set) var clients = 0
    /// The number of clients that each of them stands for.
    public private(set) var weight = 1.0
    private var lines: [Measure: Line]

    /// - Parameters:
    ///   - all: the forecast for all clients of the sample.
    ///   - windows: the forecasts for those that polled within one day, within two, and so on.
    public init(_ all: Forecast, _ windows: [Forecast], revision: Int, since: Timestamp, enrolls: Bool) {
        (self.revision, self.since) = (revision, since)
        lines = [:]
        func line(
            _ share: ForecastShare?, _ read: (Forecast) -> ForecastShare?, _ change: (ExpectedShare) -> ExpectedShare
        ) -> Line? {
            share.map { share in
                let windows = windows.map { read($0).map { change($0.expectation) } }
                return Line(low: share.low, high: share.high, windows: windows)
            }
        }
        if enrolls { lines[.enrolled] = line(all.enrolled, \.enrolled) { $0 } }
        // A gate that is closed to everybody now, such as quiet hours, may open later.
        if all.messages.allSatisfy({ $0.isControl || $0.obstacles.isEmpty }) {
            lines[.shown] = line(all.eligible, \.eligible) { $0.atMost }
        }
    }

    public subscript(measure: Measure) -> Line? { lines[measure] }

    /// The number of days with a forecast of their own.
    public var windowCount: Int { lines.values.map(\.windows.count).max() ?? 0 }

    /// Whether it is stored in place of another one of the same recipe: it is of a later revision or time, or for more
    /// days while none was counted.
    public func replaces(_ other: HeldForecast) -> Bool {
        guard (revision, since) == (other.revision, other.since) else {
            return (revision, since) > (other.revision, other.since)
        }
        return other.day == 0 && other.windowCount < windowCount
    }

    /// Whether nothing could be forecast.
    public var isEmpty: Bool { lines.isEmpty }

    /// The whole days since the recipe went live, if the last one has just ended; nil otherwise.
    public func endedDay(at now: Timestamp) -> Int? { Self.endedDay(at: now, since: since) }

    public static func endedDay(at now: Timestamp, since: Timestamp) -> Int? {
        let seconds = now.seconds - since.seconds
        let day = seconds / Timestamp.secondsPerDay
        let isNear = seconds % Timestamp.secondsPerDay < secondsOfCount
        return isNear && (1...Int64(days)).contains(day) ? Int(day) : nil
    }

    /// Takes over the count of a day, unless the day was counted with more clients. Returns the measures that are off
    /// plan for the first time; nil if the count is not taken over.
    public mutating func take(_ count: Count) -> [Measure]? {
        let isMore = Double(count.clients) * count.weight > Double(clients) * weight
        guard count.day > day || count.day == day && isMore else { return nil }
        (day, window, clients, weight) = (count.day, count.window, count.clients, count.weight)
        return Measure.allCases.filter { measure in
            guard var line = lines[measure] else { return false }
            line.came = count.came[measure] ?? 0
            let isFirst = !line.wasOff && isOff(line)
            line.wasOff = line.wasOff || isFirst
            lines[measure] = line
            return isFirst
        }
    }

    private func isOff(_ line: Line) -> Bool {
        guard let share = share(of: line), share.middle * Double(clients) >= Self.minimum else { return false }
        return !share.interval(among: clients).contains(Double(line.came))
    }

    /// The share that is expected of the counted clients; nil before the first count, or without a forecast for it.
    fileprivate func share(of line: Line) -> ExpectedShare? {
        line.windows.indices.contains(window - 1) ? line.windows[window - 1] : nil
    }
}

extension ExpectedShare {
    /// The 99 % interval of the number of clients that come, among a number of clients.
    func interval(among clients: Int) -> ClosedRange<Double> {
        func spread(_ share: Double) -> Double {
            ShareEstimate.z99 * (Double(clients) * share * max(0, 1 - share)).squareRoot()
        }
        let n = Double(clients)
        let low = max(0, (least * n - spread(least)).rounded(.down))
        return low...max(low, min(n, (most * n + spread(most)).rounded(.up)))
    }
}

/// The stored form.
extension HeldForecast {
    /// The largest number of clients that a sampled one stands for.
    private static let maximumWeight = 0x1p40

    public var json: JSONObject {
        var json: JSONObject = [
            "revision": .integer(Int64(revision)), "since": .integer(since.milliseconds), "day": .integer(Int64(day)),
            "window": .integer(Int64(window)), "clients": .integer(Int64(clients)), "weight": .number(weight),
        ]
        for (measure, line) in lines {
            json[measure.rawValue] = [
                "low": .share(line.low), "high": .share(line.high),
                "windows": .array(line.windows.map { $0?.json ?? .null }),
                "came": .integer(Int64(line.came)), "off": .bool(line.wasOff),
            ]
        }
        return json
    }

    /// Nil for a value of another form.
    public init?(_ json: JSONObject) {
        let days = 0...Int64(Self.days)
        guard let revision = json["revision"]?.integer, let since = json["since"]?.integer,
            let day = json["day"]?.integer, days.contains(day), let window = json["window"]?.integer,
            days.contains(window), let clients = json["clients"]?.integer, (0...Int64(Int32.max)).contains(clients),
            let weight = json["weight"]?.double, (1...Self.maximumWeight).contains(weight)
        else { return nil }
        (self.revision, self.since) = (Int(revision), Timestamp(milliseconds: since))
        (self.day, self.window, self.clients, self.weight) = (Int(day), Int(window), Int(clients), weight)
        lines = [:]
        for measure in Measure.allCases {
            guard let line = json[measure.rawValue] else { continue }
            let items = line["windows"].array ?? []
            let windows = items.map { ExpectedShare($0) }
            guard items.count <= Self.days, zip(items, windows).allSatisfy({ $0 == .null || $1 != nil }),
                let came = line["came"].integer, (0...clients).contains(came), let off = line["off"].bool
            else { return nil }
            lines[measure] = Line(
                low: line["low"].double, high: line["high"].double, windows: windows, came: Int(came), wasOff: off)
        }
    }
}

extension ExpectedShare {
    fileprivate var json: JSONValue { .array([low, high, least, most].map { .number($0) }) }

    /// Nil for a value of another form.
    fileprivate init?(_ json: JSONValue) {
        let numbers = (json.array ?? []).compactMap(\.double)
        guard numbers.count == 4, numbers.allSatisfy((0...1).contains) else { return nil }
        self.init(low: numbers[0], high: numbers[1], least: numbers[2], most: numbers[3])
    }
}

extension JSONValue {
    fileprivate static func share(_ share: Double?) -> JSONValue { share.map { .number($0) } ?? .null }
}

/// The form for readers (docs/reference/http-api.md#what-came).
extension HeldForecast {
    /// The expected clients and those that came, as estimates for all clients; nil if there is no forecast.
    ///
    /// - Parameter minimum: the number of clients below which a count is withheld, and above which all but as many.
    public func comparison(_ measure: Measure, minimum: Int) -> JSONObject? {
        guard let line = lines[measure] else { return nil }
        func count(_ clients: Double) -> JSONValue { .integer(Int64((clients * weight).rounded())) }
        var json: JSONObject = [
            "low": .share(line.low), "high": .share(line.high), "expected": .null, "came": .null,
            "off_plan": .bool(line.wasOff),
        ]
        guard clients >= max(1, minimum), let share = share(of: line) else { return json }
        let (n, interval) = (Double(clients), share.interval(among: clients))
        json["expected"] = [
            "low": count(share.low * n), "high": count(share.high * n),
            "interval": .array([count(interval.lowerBound), count(interval.upperBound)]),
        ]
        if isShown(line, minimum: minimum) { json["came"] = count(Double(line.came)) }
        return json
    }

    /// Whether neither few nor all but few of the counted clients came.
    fileprivate func isShown(_ line: Line, minimum: Int) -> Bool {
        ForecastShare.shownCounts(of: clients, minimum: minimum)?.contains(line.came) ?? false
    }

    /// All measures, with the clients among which they were counted.
    public func comparisons(minimum: Int) -> JSONObject {
        let isShown = day > 0 && clients >= max(1, minimum)
        var json: JSONObject = [
            "revision": .integer(Int64(revision)), "since": .string(since.rfc3339), "day": .integer(Int64(day)),
            "clients": isShown ? .integer(Int64((Double(clients) * weight).rounded())) : .null,
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

    /// The newest forecasts first.
    private let forecasts: [HeldForecast]
    private let minimum: Int

    /// - Parameter minimum: withheld counts do not count here either.
    public init(_ forecasts: some Sequence<HeldForecast>, minimum: Int) {
        self.forecasts = forecasts.sorted { $0.since > $1.since }
        self.minimum = minimum
    }

    /// The ratio in whole percents, and the number of recipes; nil with fewer than 100 expected clients.
    public func factor(_ measure: HeldForecast.Measure) -> (factor: Double, recipes: Int)? {
        var (came, expected, recipes) = (0.0, 0.0, 0)
        for forecast in forecasts where recipes < Self.maximumRecipes {
            guard let line = forecast[measure], let share = forecast.share(of: line),
                forecast.isShown(line, minimum: minimum)
            else { continue }
            came += Double(line.came)
            expected += share.middle * Double(forecast.clients)
            recipes += 1
        }
        return expected >= HeldForecast.minimum ? ((100 * came / expected).rounded() / 100, recipes) : nil
    }

    public var json: JSONValue {
        var json: JSONObject = [:]
        for measure in HeldForecast.Measure.allCases {
            json[measure.rawValue] =
                factor(measure).map { ["factor": .number($0.factor), "recipes": .integer(Int64($0.recipes))] } ?? .null
        }
        return .object(json)
    }
}
