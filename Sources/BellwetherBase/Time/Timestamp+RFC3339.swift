public import BellwetherJSON

extension Timestamp {
    /// The instant in UTC: `2026-11-21T07:00:00Z`. It has three digits of fraction if it is not a whole second.
    ///
    /// RFC 3339 cannot represent years outside of 0000…9999. Such a year has a sign (ISO 8601's expanded form).
    public var rfc3339: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        write(rfc3339To: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `rfc3339`, for code that builds bytes.
    public func write(rfc3339To output: inout [UInt8]) {
        let day = seconds.floored(by: Self.secondsPerDay)
        let date = CivilDate(daysSinceEpoch: day)
        let second = seconds - day * Self.secondsPerDay
        if date.year < 0 || date.year > 9999 { output.append(UInt8(ascii: date.year < 0 ? "-" : "+")) }
        Self.append(date.year, digits: 4, to: &output)
        Self.append("-", date.month, to: &output)
        Self.append("-", date.day, to: &output)
        Self.append("T", second / 3600, to: &output)
        Self.append(":", second / 60 % 60, to: &output)
        Self.append(":", second % 60, to: &output)
        // Not `milliseconds - 1000 * seconds`, because that product overflows at the beginning of the range.
        let fraction = (milliseconds % 1000 + 1000) % 1000
        if fraction != 0 {
            output.append(UInt8(ascii: "."))
            Self.append(fraction, digits: 3, to: &output)
        }
        output.append(UInt8(ascii: "Z"))
    }

    /// Appends a separator and two digits.
    private static func append(_ separator: Unicode.Scalar, _ field: Int64, to output: inout [UInt8]) {
        output.append(UInt8(ascii: separator))
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: field / 10))
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: field % 10))
    }

    /// Appends decimal digits without a sign, at least `digits` of them.
    private static func append(_ number: Int64, digits: Int, to output: inout [UInt8]) {
        let start = output.count
        var rest = number.magnitude
        while rest > 0 || output.count - start < digits {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        output[start...].reverse()
    }

    /// Parses RFC 3339's `date-time` strictly. Returns nil for any other text, for days that do not exist, and for
    /// instants outside of the years 0001…9999 in UTC. Digits beyond the milliseconds are dropped.
    ///
    /// The second 60 is accepted where a leap second is possible, at the end of a month in UTC. It means the second
    /// after it.
    public init?(rfc3339 text: String) {
        var scanner = Scanner(rest: text.utf8[...])
        guard let date = scanner.date(), scanner.accept("T") || scanner.accept("t"),
            let time = scanner.time(), let fraction = scanner.fraction(), let offset = scanner.offset(),
            scanner.rest.isEmpty
        else { return nil }
        let isLeapSecond = time.second == 60
        let secondOfDay = time.hour * 3600 + time.minute * 60 + (isLeapSecond ? 59 : time.second)
        var seconds = date.daysSinceEpoch * Self.secondsPerDay + secondOfDay - offset * 60
        if isLeapSecond {
            seconds += 1
            let day = seconds.floored(by: Self.secondsPerDay)
            guard seconds == day * Self.secondsPerDay, CivilDate(daysSinceEpoch: day).day == 1 else { return nil }
        }
        guard Self.firstSecond..<Self.endSecond ~= seconds else { return nil }
        milliseconds = seconds * 1000 + fraction
    }

    /// The instants 0001-01-01T00:00:00Z and 10000-01-01T00:00:00Z.
    private static let firstSecond: Int64 = -62_135_596_800
    private static let endSecond: Int64 = 253_402_300_800
}

extension Timestamp {
    /// Reads the parts of a `date-time` from the front. A read returns nil if the text has another form.
    private struct Scanner {
        var rest: Substring.UTF8View

        mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: scalar) else { return false }
            rest.removeFirst()
            return true
        }

        /// Reads exactly `digits` ASCII digits.
        mutating func number(digits: Int) -> Int64? {
            var number: Int64 = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        private mutating func digit() -> Int64? {
            guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            rest.removeFirst()
            return Int64(byte - UInt8(ascii: "0"))
        }

        mutating func date() -> CivilDate? {
            guard let year = number(digits: 4), year > 0, accept("-"),
                let month = number(digits: 2), accept("-"), let day = number(digits: 2)
            else { return nil }
            let date = CivilDate(year: year, month: month, day: day)
            return date.exists ? date : nil
        }

        mutating func time() -> (hour: Int64, minute: Int64, second: Int64)? {
            guard let (hour, minute) = hourAndMinute(), accept(":"), let second = number(digits: 2), second <= 60
            else { return nil }
            return (hour, minute, second)
        }

        private mutating func hourAndMinute() -> (Int64, Int64)? {
            guard let hour = number(digits: 2), hour <= 23, accept(":"), let minute = number(digits: 2), minute <= 59
            else { return nil }
            return (hour, minute)
        }

        /// Reads the fraction in milliseconds: 0 if there is none, nil for a point without digits.
        mutating func fraction() -> Int64? {
            guard accept(".") else { return 0 }
            guard var milliseconds = digit() else { return nil }
            milliseconds = (milliseconds * 10 + (digit() ?? 0)) * 10 + (digit() ?? 0)
            while digit() != nil {}
            return milliseconds
        }

        /// Reads the offset, in minutes east of UTC.
        mutating func offset() -> Int64? {
            if accept("Z") || accept("z") { return 0 }
            let isEast = accept("+")
            guard isEast || accept("-"), let (hour, minute) = hourAndMinute() else { return nil }
            return (isEast ? 1 : -1) * (hour * 60 + minute)
        }
    }
}

extension JSONReader {
    /// Reads an RFC 3339 time. Any other text is reported as a finding `time`.
    public func time() -> Timestamp? {
        guard let text = string() else { return nil }
        let time = Timestamp(rfc3339: text)
        if time == nil { finding("time", "\"\(text)\" is no RFC 3339 time such as 2026-11-21T07:00:00Z") }
        return time
    }
}
