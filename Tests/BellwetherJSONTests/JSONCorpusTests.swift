import FuzzChecks
import TestSupport
import Testing

/// A short run of the check that `make fuzz FUZZ=json` runs for hours.
@Suite struct JSONCorpusTests {
    @Test func everySeedAndMutationKeepsThePromises() throws {
        let report = try FuzzCorpus("json").run(mutations: 6000, JSONCheck.check)
        #expect(report.broken == [])
        for outcome in [FuzzOutcome.taken, .refused] {
            #expect(report.outcomes[outcome, default: 0] > 150, "\(report.outcomes)")
        }
    }

    @Test func aBrokenPromiseIsTold() throws {
        let report = try FuzzCorpus("json").run(mutations: 10) { bytes throws(Violation) in
            guard bytes.isEmpty else { throw Violation("not empty") }
            return FuzzOutcome.taken
        }
        #expect(report.broken.count > 10)
        #expect(report.broken.allSatisfy { $0.hasPrefix("not empty: \"") })
    }
}
