import FuzzChecks
import TestSupport
import Testing

/// A short run of the check that `make fuzz FUZZ=jexl` runs for hours.
@Suite struct JEXLCorpusTests {
    @Test func everySeedAndMutationKeepsThePromises() throws {
        let report = try FuzzCorpus("jexl").run(mutations: 4000, JEXLCheck.check)
        #expect(report.broken == [])
        for outcome in [FuzzOutcome.taken, .refused] {
            #expect(report.outcomes[outcome, default: 0] > 100, "\(report.outcomes)")
        }
    }
}
