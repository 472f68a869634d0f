internal import HTTPWire

/// A worker's way to the process' rate limits: which are set, and where their buckets are.
final class RateGate {
    private struct Limit {
        let rate: RateSettings.Rate
        let table: RateTable
    }

    private let limits: RateLimits
    private let meter: WorkerMeter
    private var token: Limit?
    private var client: Limit?
    private var address: Limit?

    init(_ limits: RateLimits, _ meter: WorkerMeter) {
        self.limits = limits
        self.meter = meter
    }

    /// From now on. What askers have used up already stays used up.
    func follow(_ settings: RateSettings) {
        let limit = { [limits] (subject: RateSubject) -> Limit? in
            let rate = settings[subject]
            return rate.perSecond > 0 ? Limit(rate: rate, table: limits.table(of: subject)) : nil
        }
        (token, client, address) = (limit(.token), limit(.client), limit(.address))
    }

    func isSet(_ subject: RateSubject) -> Bool { self[subject] != nil }

    /// Takes a request; 0, or the whole seconds after which the asker may ask again.
    func wait(_ subject: RateSubject, _ key: UInt64, at now: Int64) -> Int64 {
        guard let limit = self[subject] else { return 0 }
        let wait = limit.table.take(key, at: now, limit.rate)
        guard wait > 0 else { return 0 }
        meter.count(limited: subject)
        return (wait + 999_999_999) / 1_000_000_000
    }

    func refusal(_ subject: RateSubject, wait seconds: Int64) -> APIError {
        let whose =
            switch subject {
            case .token: "of this token"
            case .client: "of this client"
            case .address: "without a token from this address"
            }
        let rate = self[subject]?.rate.perSecond ?? 0
        return .tooManyRequests("More than \(rate) requests a second \(whose).", retryAfter: seconds)
    }

    private subscript(subject: RateSubject) -> Limit? {
        switch subject {
        case .token: token
        case .client: client
        case .address: address
        }
    }
}
