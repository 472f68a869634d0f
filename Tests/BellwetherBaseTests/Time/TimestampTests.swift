import BellwetherBase
import Testing

struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:00.001Z", 1),
        ("1969-12-31T23:59:59.999Z", -1),
        ("1969-12-31T23:59:59Z", -1000),
        ("2024-02-29T12:34:56Z", 1_709_210_096_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("2026-11-21T07:00:00Z", 1_795_244_400_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func isWrittenAndRead(text: String, milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test(arguments: [
        ("2026-11-21t07:00:00z", "2026-11-21T07:00:00Z"),
        ("2026-11-21T07:00:00+00:00", "2026-11-21T07:00:00Z"),
        ("2026-11-21T07:00:00-00:00", "2026-11-21T07:00:00Z"),
        ("2026-11-21T07:00:00+05:30", "2026-11-21T01:30:00Z"),
        ("2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00Z"),
        ("2026-11-21T07:00:00.5Z", "2026-11-21T07:00:00.500Z"),
        ("2026-11-21T07:00:00.12Z", "2026-11-21T07:00:00.120Z"),
        ("2026-11-21T07:00:00.1239999999999999999999Z", "2026-11-21T07:00:00.123Z"),
        ("2026-11-21T07:00:00.000000Z", "2026-11-21T07:00:00Z"),
        ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"),
        ("2016-12-31T23:59:60.25Z", "2017-01-01T00:00:00.250Z"),
        ("2012-06-30T23:59:60Z", "2012-07-01T00:00:00Z"),
    ])
    func isReadInEverySpelling(text: String, canonical: String) {
        #expect(Timestamp(rfc3339: text)?.rfc3339 == canonical)
    }

    @Test(arguments: [
        "", "Z", "2026", "2026-11-21", "2026-11-21T07:00:00", "2026-11-21 07:00:00Z", "2026-11-21T07:00Z",
        "2026-11-21T07:00:00ZZ", "2026-11-21T07:00:00Z ", " 2026-11-21T07:00:00Z", "2026-11-21T07:00:00.Z",
        "2026-11-21T07:00:00,5Z", "2026-11-21T07:00:00+5:30", "2026-11-21T07:00:00+0530", "2026-11-21T07:00:00+24:00",
        "2026-11-21T07:00:00+00:60", "2026-11-21T24:00:00Z", "2026-11-21T07:60:00Z", "2026-11-21T07:00:61Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
        "2026-04-31T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "0000-01-01T00:00:00Z",
        "12026-01-01T00:00:00Z", "-026-01-01T00:00:00Z", "+2026-01-01T00:00:00Z", "2026-11-2١T07:00:00Z",
        "2026-11-21T07:00:60Z", "2026-11-21T23:59:60Z", "2026-12-31T23:59:60+01:00",
        "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z", "2026-11-21T07:00:00Z\u{0}",
    ])
    func isNilForAnythingElse(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func everyDayOfEightCenturiesComesBack() {
        var days: Int64 = -200_000
        while days < 100_000 {
            let noon = Timestamp(seconds: days * Timestamp.secondsPerDay + 43_200)
            guard Timestamp(rfc3339: noon.rfc3339) == noon else {
                Issue.record("day \(days) became \(noon.rfc3339)")
                return
            }
            days += 1
        }
    }

    @Test func secondsAreRoundedTowardsThePast() {
        #expect(Timestamp(milliseconds: -1).seconds == -1)
        #expect(Timestamp(milliseconds: -1000).seconds == -1)
        #expect(Timestamp(milliseconds: 999).seconds == 0)
    }

    @Test func theEndsOfTheRangeDoNotTrap() {
        for end in [Timestamp(milliseconds: .min), .distantFuture, Timestamp(seconds: .min), Timestamp(seconds: .max)] {
            #expect(Timestamp(rfc3339: end.rfc3339) == nil)
        }
        #expect(Timestamp(milliseconds: .max - 5).adding(seconds: 1) == .distantFuture)
        #expect(Timestamp(milliseconds: .min + 5).adding(seconds: -1) == Timestamp(milliseconds: .min))
        #expect(Timestamp(seconds: 5).adding(seconds: .max) == .distantFuture)
        #expect(Timestamp(seconds: 5).adding(seconds: 604_800).seconds == 604_805)
    }

    @Test(
        arguments: [
            (253_402_300_800, "+10000-01-01T00:00:00Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (-62_167_219_201, "-0001-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func yearsThatRFC3339CannotWriteHaveASign(seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).rfc3339 == text)
    }
}
