import FuzzChecks
import TestSupport
import Testing

/// A short run of the check that `make fuzz FUZZ=http` runs for hours.
@Suite struct HTTPCorpusTests {
    @Test func everySeedAndMutationKeepsThePromises() throws {
        let report = try FuzzCorpus("http").run(mutations: 6000, HTTPCheck.check)
        #expect(report.broken == [])
        for outcome in [FuzzOutcome.taken, .refused] {
            #expect(report.outcomes[outcome, default: 0] > 150, "\(report.outcomes)")
        }
    }
}
