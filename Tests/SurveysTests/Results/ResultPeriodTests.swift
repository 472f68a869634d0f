import Surveys
import Testing

/// The periods by which results are grouped (docs/reference/rounds.md#results).
@Suite struct ResultPeriodTests {
    @Test(arguments: [
        ("2026-11-26", "2026-W48", "2026-11", "2026-Q4"), ("2027-01-01", "2026-W53", "2027-01", "2027-Q1"),
        ("2027-01-03", "2026-W53", "2027-01", "2027-Q1"), ("2027-01-04", "2027-W01", "2027-01", "2027-Q1"),
        ("2024-12-30", "2025-W01", "2024-12", "2024-Q4"), ("1970-01-01", "1970-W01", "1970-01", "1970-Q1"),
        ("1969-12-28", "1969-W52", "1969-12", "1969-Q4"), ("2026-03-31", "2026-W14", "2026-03", "2026-Q1"),
    ])
    func `A day belongs to one period of each kind`(_ day: String, _ week: String, _ month: String, _ quarter: String) {
        #expect(ResultPeriod.day.value(of: day) == day && ResultPeriod.week.value(of: day) == week)
        #expect(ResultPeriod.month.value(of: day) == month && ResultPeriod.quarter.value(of: day) == quarter)
    }
}
