import FuzzChecks
import TestSupport
import Testing

/// A short run of the check that `make fuzz FUZZ=survey` runs for hours.
@Suite struct SurveyCorpusTests {
    @Test func everySeedAndMutationKeepsThePromises() throws {
        let report = try FuzzCorpus("survey").run(mutations: 2000, AnswersCheck.check)
        #expect(report.broken == [])
        for outcome in [FuzzOutcome.taken, .refused] {
            #expect(report.outcomes[outcome, default: 0] > 50, "\(report.outcomes)")
        }
    }
}
