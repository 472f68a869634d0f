public import BellwetherBase

/// A day of the calendar in UTC, as `YYYY-MM-DD`.
public struct CalendarDay: Sendable, Hashable, Comparable {
    /// The number of days since 1970-01-01.
    let number: Int64

    private init(number: Int64) { self.number = number }

    public init(_ now: Timestamp) { number = now.milliseconds.floored(by: 86_400_000) }

    /// The days that it is somewhere on earth, from UTC−12 to UTC+14, in their order.
    public static func everywhere(at now: Timestamp) -> [CalendarDay] {
        let (first, last) = (
            CalendarDay(now.adding(seconds: -12 * 3_600)), CalendarDay(now.adding(seconds: 14 * 3_600))
        )
        return (first.number...last.number).map { CalendarDay(number: $0) }
    }

    /// Reads a day; nil for a text that is no real day of the years 0001 to 9999.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    init?(year: Int64, month: Int64, day: Int64) {
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists, (1...9999).contains(year) else { return nil }
        self.init(number: date.daysSinceEpoch)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return number
    }

    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    public var year: Int64 { CivilDate(daysSinceEpoch: number).year }

    /// The first instant of the day.
    public var start: Timestamp { Timestamp(milliseconds: number * 86_400_000) }

    /// The first instant after the day.
    public var end: Timestamp { Timestamp(milliseconds: (number + 1) * 86_400_000) }

    public var text: String {
        let date = CivilDate(daysSinceEpoch: number)
        return "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Adds years first, then months, then days. After adding years and after adding months, a day that does not exist
    /// becomes the last day of its month. Nil outside of the years 0001 to 9999.
    func adding(years: Int64, months: Int64, days: Int64) -> CalendarDay? {
        let bound: Int64 = 1_000_000
        guard max(years.magnitude, months.magnitude, days.magnitude) <= bound.magnitude else { return nil }
        var date = CivilDate(daysSinceEpoch: number)
        date.year += years
        Self.clamp(&date)
        let month = date.year * 12 + (date.month - 1) + months
        date.year = month.floored(by: 12)
        date.month = month - date.year * 12 + 1
        Self.clamp(&date)
        let result = CalendarDay(number: date.daysSinceEpoch + days)
        return (1...9999).contains(result.year) ? result : nil
    }

    private static func clamp(_ date: inout CivilDate) {
        while !date.exists, date.day > 28 { date.day -= 1 }
    }
}
