/// A day of the proleptic Gregorian calendar, which RFC 3339 uses.
///
/// The conversion uses years that begin in March, so that the leap day is the last day of its year. It also uses the
/// 400-year cycle of 146,097 days.
package struct CivilDate: Hashable {
    package var year: Int64
    /// 1…12.
    package var month: Int64
    /// 1…31.
    package var day: Int64

    private static let daysPerCycle: Int64 = 146_097
    /// The number of days from 1 March of year 0 to 1 January 1970.
    private static let epoch: Int64 = 719_468

    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is `days` days after 1970-01-01.
    package init(daysSinceEpoch days: Int64) {
        let cycle = (days + Self.epoch).floored(by: Self.daysPerCycle)
        let dayOfCycle = days + Self.epoch - cycle * Self.daysPerCycle
        let leapDays = dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - Self.dayCount(ofYears: yearOfCycle)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }

    package var daysSinceEpoch: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let marchMonth = month <= 2 ? month + 9 : month - 3
        let cycle = marchYear.floored(by: 400)
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return cycle * Self.daysPerCycle + Self.dayCount(ofYears: marchYear - cycle * 400) + dayOfYear - Self.epoch
    }

    /// Whether the calendar has this day.
    package var exists: Bool {
        (1...12).contains(month) && day >= 1 && day <= Self.dayCount(ofMonth: month, year: year)
    }

    private static func dayCount(ofYears years: Int64) -> Int64 { years * 365 + years / 4 - years / 100 }

    private static func dayCount(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
