import Testing

@testable import BellwetherClient

@Suite struct RetryTests {
    @Test func `Pauses double up to five minutes, with jitter`() {
        let longest = (0..<12).map { BellwetherClient.pause(failures: $0, 1, retryAfter: nil, jitter: 1) }
        #expect(longest == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
        #expect(BellwetherClient.pause(failures: 3, 1, retryAfter: nil, jitter: 0.5) == 4)
        #expect(BellwetherClient.pause(failures: 1000, 10, retryAfter: nil, jitter: 0.5) == 150)
        // An app that flushes at once does not ask a daemon that is away without a pause.
        #expect(BellwetherClient.pause(failures: 0, 0, retryAfter: nil, jitter: 0.5) == 0.5)
    }

    @Test func `The daemon's Retry-After is the shortest pause`() {
        #expect(BellwetherClient.pause(failures: 0, 1, retryAfter: 60, jitter: 0.5) == 60)
        #expect(BellwetherClient.pause(failures: 8, 1, retryAfter: 60, jitter: 0.5) == 128)
    }
}
