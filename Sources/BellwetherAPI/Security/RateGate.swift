internal import HTTPWire

/// A worker's access to the process' rate limits: the current limits and their tables.
final class RateGate {
    private struct Limit {
        let rate: RateSettings.Rate
        let table: RateTable
    }

    private let limits: RateLimits
    private let meter: WorkerMeter
    /// The limits by subject.
    private var current: [Limit?]

    init(_ limits: RateLimits, _ meter: WorkerMeter) {
        self.limits = limits
        self.meter = meter
        current = RateSubject.allCases.map { _ in nil }
    }

    /// Applies new settings. The requests that clients have already used still count.
    func follow(_ settings: RateSettings) {
        current = RateSubject.allCases.map { subject in
            let rate = settings[subject]
            return rate.count > 0 ? Limit(rate: rate, table: limits.table(of: subject)) : nil
        }
    }

    func isSet(_ subject: RateSubject) -> Bool { current[subject.rawValue] != nil }

    /// Takes a request. Returns 0, or the whole seconds until the next request is allowed.
    func wait(_ subject: RateSubject, _ key: UInt64, at now: Int64) -> Int64 {
        guard let limit = current[subject.rawValue] else { return 0 }
        let wait = limit.table.take(key, at: now, limit.rate)
        guard wait > 0 else { return 0 }
        meter.count(limited: subject)
        return (wait + 999_999_999) / 1_000_000_000
    }

    /// A request that was taken, and that can be given back if it has no effect. Nil if the subject has no limit.
    func taken(_ subject: RateSubject, _ key: UInt64) -> TakenRequest? {
        current[subject.rawValue].map { TakenRequest(table: $0.table, key: key, rate: $0.rate) }
    }

    func refusal(_ subject: RateSubject, wait seconds: Int64) -> APIError {
        let rate = current[subject.rawValue]?.rate ?? RateSettings.Rate()
        let period = [1: "a second", 60: "a minute"][rate.seconds] ?? "an hour"
        let detail = "More than \(rate.count) \(subject.what) \(period) \(subject.whose)."
        return .tooManyRequests(detail, retryAfter: seconds)
    }
}

/// One request that was taken from a bucket.
struct TakenRequest: Sendable {
    fileprivate let table: RateTable
    fileprivate let key: UInt64
    fileprivate let rate: RateSettings.Rate

    func giveBack() { table.giveBack(key, rate) }
}
