internal import BellwetherService
internal import HTTPWire

/// A worker's access to the process' rate limits: the current limits and their tables.
final class RateGate {
    private struct Limit: Sendable {
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
        current[subject.rawValue].map { Self.wait(subject, key, at: now, $0, meter) } ?? 0
    }

    private static func wait(
        _ subject: RateSubject, _ key: UInt64, at now: Int64, _ limit: Limit, _ meter: WorkerMeter
    ) -> Int64 {
        let wait = limit.table.take(key, at: now, limit.rate)
        guard wait > 0 else { return 0 }
        meter.count(limited: subject)
        return (wait + 999_999_999) / 1_000_000_000
    }

    /// The limit of a key for other threads. Nil if the subject has no limit.
    func allowance(_ subject: RateSubject, _ key: UInt64, _ clock: Clock) -> Allowance? {
        guard let limit = current[subject.rawValue] else { return nil }
        let meter = meter
        return Allowance {
            Self.wait(subject, key, at: clock.nanoseconds(), limit, meter)
        } giveBack: {
            limit.table.giveBack(key, limit.rate)
        }
    }

    func refusal(_ subject: RateSubject, wait seconds: Int64) -> APIError {
        let rate = current[subject.rawValue]?.rate ?? RateSettings.Rate()
        let period = [1: "a second", 60: "a minute"][rate.seconds] ?? "an hour"
        let detail = "More than \(rate.count) \(subject.what) \(period) \(subject.whose)."
        return .tooManyRequests(detail, retryAfter: seconds)
    }
}
