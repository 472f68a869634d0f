import FuzzChecks
import TestSupport
import Testing

/// A short run of the check that `make fuzz FUZZ=recipe` runs for hours.
@Suite struct RecipeCorpusTests {
    @Test func everySeedAndMutationKeepsThePromises() throws {
        let report = try FuzzCorpus("recipe").run(mutations: 2000, RecipeCheck.check)
        #expect(report.broken == [])
        for outcome in [FuzzOutcome.taken, .refused] {
            #expect(report.outcomes[outcome, default: 0] > 50, "\(report.outcomes)")
        }
    }
}
