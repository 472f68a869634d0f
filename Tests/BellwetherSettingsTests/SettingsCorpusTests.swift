import FuzzChecks
import TestSupport
import Testing

/// A short run of the check that `make fuzz FUZZ=settings` runs for hours.
@Suite struct SettingsCorpusTests {
    @Test func everySeedAndMutationKeepsThePromises() throws {
        let report = try FuzzCorpus("settings").run(mutations: 6000, SettingsCheck.check)
        #expect(report.broken == [])
        for outcome in [FuzzOutcome.taken, .refused] {
            #expect(report.outcomes[outcome, default: 0] > 150, "\(report.outcomes)")
        }
    }
}
