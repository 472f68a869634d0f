import FuzzChecks
import TestSupport
import Testing

/// A short run of the check that `make fuzz FUZZ=flow` runs for hours.
@Suite struct FlowCorpusTests {
    @Test func everySeedAndMutationKeepsThePromises() throws {
        let report = try FuzzCorpus("flow").run(mutations: 2000, FlowCheck.check)
        #expect(report.broken == [])
        for outcome in [FuzzOutcome.taken, .refused] {
            #expect(report.outcomes[outcome, default: 0] > 50, "\(report.outcomes)")
        }
    }
}
