import FuzzChecks
import TestSupport
import Testing

/// A short run of the check that `make fuzz FUZZ=ping` runs for hours.
@Suite struct PingCorpusTests {
    @Test func everySeedAndMutationKeepsThePromises() throws {
        let report = try FuzzCorpus("ping").run(mutations: 4000, PingCheck.check)
        #expect(report.broken == [])
        for outcome in [FuzzOutcome.taken, .refused] {
            #expect(report.outcomes[outcome, default: 0] > 100, "\(report.outcomes)")
        }
    }
}
