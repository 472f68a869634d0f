internal import BellwetherBase
internal import BellwetherCore

/// The rules for the time of the next attempt, and for giving up a webhook (docs/reference/webhooks.md#retries).
struct OutboxRetry {
    static let firstSeconds: Double = 20
    static let factor: Double = 3
    static let longestSeconds: Double = 4 * 3600
    /// The time after its creation during which a webhook is attempted.
    static let lifetimeSeconds: Int64 = 86_400

    /// A random number from 0 up to, not including, 1. It shortens the delay.
    let jitter: Double
    let now: Timestamp

    /// Returns the outcome of a row after an attempt.
    func outcome(
        of row: OutboxRow, _ result: Result<WebhookResponse, WebhookFailure>
    ) -> OutboxResult.Outcome {
        switch result {
        case .success(let response):
            switch response.status {
            case 200...299: return .delivered
            case 410: return .dead(at: now, failure: "status 410")
            default: return retry(row, "status \(response.status)", response.retryAfterSeconds)
            }
        // This daemon interrupted the attempt, so the next one may be made at once.
        case .failure(.closed): return .retry(at: now, failure: WebhookFailure.closed.sentence)
        case .failure(let failure): return retry(row, failure.sentence, nil)
        }
    }

    private func retry(_ row: OutboxRow, _ failure: String, _ retryAfter: Int64?) -> OutboxResult.Outcome {
        let exponent = min(max(row.attempts - 1, 0), 20)
        var seconds = Self.firstSeconds
        for _ in 0..<exponent where seconds < Self.longestSeconds { seconds *= Self.factor }
        let delay = min(seconds, Self.longestSeconds) * (1 - jitter / 2)
        let milliseconds = max(Int64(delay * 1000), min(retryAfter ?? 0, Self.lifetimeSeconds) * 1000)
        let next = now.adding(milliseconds: milliseconds)
        let end = row.createdAt.adding(seconds: Self.lifetimeSeconds)
        return next > end ? .dead(at: now, failure: failure) : .retry(at: next, failure: failure)
    }
}
