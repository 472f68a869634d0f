internal import BellwetherBase

/// A period of time by which results are grouped. A run belongs to the period of the day in UTC on which it began
/// (docs/reference/rounds.md#results).
public enum ResultPeriod: String, Sendable, Hashable, CaseIterable {
    case day, week, month, quarter

    /// The period of a day: `2026-11-26`, `2026-W48` (ISO 8601), `2026-11` or `2026-Q4`. Their texts sort by time.
    ///
    /// - Parameter day: a day such as `2026-11-26`; another text is its own period.
    public func value(of day: String) -> String {
        guard let number = CalendarDay(day)?.number else { return day }
        switch self {
        case .day: return day
        case .week: return Self.week(of: number)
        case .month: return String(day.prefix(7))
        case .quarter: return "\(day.prefix(4))-Q\((CivilDate(daysSinceEpoch: number).month + 2) / 3)"
        }
    }

    /// The first week of a year has its first Thursday.
    private static func week(of day: Int64) -> String {
        // 1970-01-01 was a Thursday.
        let thursday = (day + 3).floored(by: 7) * 7
        let year = CivilDate(daysSinceEpoch: thursday).year
        let first = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
        let number = (thursday - first) / 7 + 1
        let text = "000\(year)"
        return "\(text.suffix(4))-W\(number < 10 ? "0" : "")\(number)"
    }
}
