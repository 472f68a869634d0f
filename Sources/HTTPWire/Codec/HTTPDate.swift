/// Dates in the format of HTTP (RFC 9110 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `seconds` are counted since 1970-01-01T00:00:00Z. The format cannot represent years beyond 9999.
    public static func text(seconds: Int64) -> String {
        let day = Int((Double(seconds) / 86_400).rounded(.down))
        let second = Int(seconds) - day * 86_400
        let (year, month, dayOfMonth) = civil(day)
        let weekday = ((day % 7) + 7) % 7
        return "\(days[weekday]), \(two(dayOfMonth)) \(months[month - 1]) \(four(year))"
            + " \(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    private static func four(_ number: Int) -> String { two(number / 100) + two(number % 100) }

    /// Year, month and day of a day counted from 1970-01-01, in the proleptic Gregorian calendar. The calculation uses
    /// years that begin in March, so that the leap day is the last day of its year.
    private static func civil(_ day: Int) -> (Int, Int, Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
