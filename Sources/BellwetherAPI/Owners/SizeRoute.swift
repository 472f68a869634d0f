internal import BellwetherAuthoring
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// `POST …/recipes/size`: the number of clients that an experiment needs (docs/reference/goals.md#size). What is not
/// given is taken from what the app's clients did until now.
enum SizeRoute {
    static let all = [Endpoint(.post, "/v1/apps/{app}/recipes/size", .needs(.read), inBackground: post)]

    /// The members that say what is counted, in place of a mean.
    private static let keys: Set<Identifier> = ["event", "within_days", "cap", "share"]
    private static let longestDays: Int64 = 28
    private static let smallestShare = 0.000001

    @Sendable private static func post(_ call: BackgroundCall) throws(APIError) -> Step {
        let app = try call.app()
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        reader.refuseUnknown(keys: ["size"])
        let size = reader.required("size")
        let rates = size.flatMap { Self.rates(as: $0, in: app, call) }
        let sizing = size.map { $0.completed(with: rates ?? [:], without: keys, findings) }.flatMap { GoalSizing($0) }
        guard let sizing, findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        var json = sizing.json.object ?? [:]
        if let rates { json["rates"] = .object(rates) }
        return .respond(.json(200, .object(json)))
    }

    /// The app's rates of the event that is named; nil if none is, or after a fault.
    private static func rates(as reader: JSONReader, in app: AppSnapshot, _ call: BackgroundCall) -> JSONObject? {
        let names = keys.sorted().filter { reader.optional($0.text) != nil }
        guard let first = names.first else { return nil }
        guard let event = reader.optional("event") else {
            reader.optional(first.text)?.finding("reference", "goes with event")
            return nil
        }
        let isSum = reader.optional("counts")?.value.string == Goal.Measure.sum.rawValue
        let days = reader.optional("within_days").map { $0.integer(in: 1...longestDays) } ?? 14
        let cap = reader.optional("cap").map { $0.integer(in: 1...1_000_000) } ?? 1000
        let share = reader.optional("share").map(Self.share) ?? 1
        guard let name = event.identifier(), let days, let cap, let share else { return nil }
        let sample = call.services.forecasts.samples.sample(of: app.name, at: call.arrived)
        let minimum = call.settings.minimumCell
        let rates = sample.rates(
            of: name, in: app.catalog.derivedEvents, days: Int(days), cap: isSum ? Int(cap) : 1, minimum: minimum)
        guard let rates, isSum ? rates.sd > 0 : rates.mean < 1 else {
            if reader.optional("mean") == nil {
                event.finding(
                    "sample",
                    "too few of the clients that polled have sent this event, or too few have not: give a mean")
            }
            return nil
        }
        var json: JSONObject = [
            "mean": .number(rates.mean), "correlation": .number(max(0, min(0.99, rates.correlation))),
        ]
        if isSum { json["sd"] = .number(rates.sd) }
        if let week = sample.count(days: 7, minimum: minimum), week > 0 {
            json["exposed_per_day"] = .number(GoalRates.rounded(Double(week) / 7 * share))
        }
        return json
    }

    private static func share(_ reader: JSONReader) -> Double? {
        guard let share = reader.number() else { return nil }
        guard share >= smallestShare, share <= 1 else {
            reader.finding("range", "expected a number from 0.000001 to 1")
            return nil
        }
        return share
    }
}

extension JSONReader {
    /// The object with the members that it lacks, and without some of its own.
    fileprivate func completed(
        with members: JSONObject, without keys: Set<Identifier>, _ findings: Findings
    ) -> JSONReader {
        guard var object = value.object else { return self }
        for (name, value) in members where optional(name) == nil { object[name] = value }
        for key in keys { object[key.text] = nil }
        return JSONReader(.object(object), at: pointer, findings: findings)
    }
}
