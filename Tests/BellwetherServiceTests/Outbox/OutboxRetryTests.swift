import BellwetherBase
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The times at which a webhook is retried, and the end of the retries.
@Suite struct OutboxRetryTests {
    static let start = Timestamp(seconds: 1_790_000_000)

    private func row(attempts: Int) -> OutboxRow {
        var row = OutboxRow(id: "one", app: "app", url: "https://a.example", body: [], createdAt: Self.start)
        row.attempts = attempts
        return row
    }

    private func outcome(
        _ result: Result<WebhookResponse, WebhookFailure>, attempts: Int = 1, after seconds: Int64 = 0,
        jitter: Double = 0
    ) -> OutboxResult.Outcome {
        let retry = OutboxRetry(jitter: jitter, now: Self.start.adding(seconds: seconds))
        return retry.outcome(of: row(attempts: attempts), result)
    }

    private func status(_ status: Int) -> Result<WebhookResponse, WebhookFailure> {
        .success(WebhookResponse(status: status, body: Array("secret".utf8)))
    }

    @Test(arguments: [200, 201, 202, 204, 299])
    func a2xxIsTheEnd(_ code: Int) { #expect(outcome(status(code)) == .delivered) }

    @Test func a410IsTheEndToo() {
        #expect(outcome(status(410)) == .dead(at: Self.start, failure: "status 410"))
    }

    @Test(arguments: [199, 300, 301, 308, 400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 502, 503, 504, 599])
    func anyOtherStatusIsTriedAgain(_ code: Int) {
        #expect(outcome(status(code)) == .retry(at: Self.start.adding(seconds: 20), failure: "status \(code)"))
    }

    @Test func theFirstRetryComesWithinHalfAMinute() {
        for jitter in [0, 0.5, 0.999] {
            guard case .retry(let time, let failure) = outcome(.failure(.timeout), jitter: jitter) else {
                return #expect(Bool(false), "no retry")
            }
            let delay = time.milliseconds - Self.start.milliseconds
            #expect((10_000...20_000).contains(delay) && failure == WebhookFailure.timeout.sentence)
        }
    }

    @Test func delaysGrowUntilTheDayIsOver() {
        var (delays, now) = ([Int64](), Int64(0))
        for attempt in 1...100 {
            guard case .retry(let time, _) = outcome(.failure(.timeout), attempts: attempt, after: now) else { break }
            delays.append(time.seconds - Self.start.seconds - now)
            now = time.seconds - Self.start.seconds
        }
        #expect(delays == [20, 60, 180, 540, 1620, 4860, 14_400, 14_400, 14_400, 14_400, 14_400])
        #expect(
            outcome(.failure(.timeout), attempts: 12, after: now)
                == .dead(at: Self.start.adding(seconds: now), failure: "no answer in time"))
    }

    @Test func aLongerRetryAfterIsKept() {
        let answer = { (seconds: Int64) in WebhookResponse(status: 503, retryAfterSeconds: seconds) }
        let later = { (seconds: Int64) in
            OutboxResult.Outcome.retry(at: Self.start.adding(seconds: seconds), failure: "status 503")
        }
        #expect(outcome(.success(answer(5))) == later(20))
        #expect(outcome(.success(answer(3600))) == later(3600))
        #expect(outcome(.success(answer(86_401))) == later(86_400))
        let dead = OutboxResult.Outcome.dead(at: Self.start.adding(seconds: 1), failure: "status 503")
        #expect(outcome(.success(answer(.max)), after: 1) == dead)
    }

    @Test func whatTheDaemonBrokeOffIsTriedAtOnce() {
        #expect(outcome(.failure(.closed)) == .retry(at: Self.start, failure: "the daemon stopped"))
    }
}
