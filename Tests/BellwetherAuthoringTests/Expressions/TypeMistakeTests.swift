import BellwetherAuthoring
import BellwetherJSON
import JEXL
import Testing

/// The findings that the declared types of attributes give for an expression.
@Suite struct TypeMistakeTests {
    static let types: [String: ValueTypes] = [
        "age": .number, "city": .string, "beta": .boolean, "tags": .array, "device": .object,
    ]

    private func kinds(_ expression: String) throws -> [TypeMistake.Kind] {
        try CompiledExpression(expression).typeMistakes { Self.types[$0] }.map(\.kind)
    }

    @Test(arguments: [
        "age == 'x'", "age != 'x'", "city == 1", "beta == 'true'", "tags == 'a'", "city < 1", "age > 'x'",
        "beta >= true", "age > 1 == 'x'", "beta + 1 > 0", "age + 'x' == 'ax'", "city - 1 > 0", "beta * 2 == 2",
        "age in 'abc'", "'x' in age", "1 in city", "age in age", "1 in device", "beta in city", "'a' in beta",
        "age|versionCompare('1') > 0", "city|versionCompare(1) > 0", "city|bucketSample('a', 1, 2)",
        "age|eventSum('Days', 1) > 0", "age.x == 1", "city[0] == 'a'", "tags[beta] == 1", "city[.a == 1] == tags",
        "'1' == 1 || beta", "beta && (age == 'x')", "[age == 'x'] == tags", "beta ? (age == 'x') : beta",
        "unknown + 1 > 'x'",
    ]) func whatCannotWorkIsAMismatch(_ expression: String) throws {
        #expect(try kinds(expression) == [.mismatch])
    }

    @Test(arguments: [
        "age == 1", "age != null", "null == age", "city == null", "age < 18", "city < 'b'", "age + 1 > 2", "beta",
        "city + 'x' == 'ax'", "'a' in tags", "age in tags", "'k' in device", "'x' in city", "city in ['a', 'b']",
        "age in [1.5, 2.5]", "2 in [1, 2]", "city|versionCompare('1.0') >= 0", "[city, 1]|bucketSample(0, 1, 2)",
        "'e'|eventSum('Days', 1) in [1, 2]", "city|eventSum('Days', 1) > 1", "device.model == 1", "tags[0] == 'x'",
        "tags[age] > 1", "device[city] == 1", "tags[.x == 1] == []", "unknown == 1", "unknown + 1 > 2",
        "unknown|versionCompare(city) > 0", "1 in unknown", "age == unknown", "city|shout == 'A'", "age == age",
        "((age > 1) ? 'a' : 1) == 1", "age / 0 == null", "age == city",
    ]) func whatMayWorkIsNone(_ expression: String) throws {
        #expect(try kinds(expression) == [])
    }

    @Test(arguments: ["2 in tags", "beta && 2 in tags", "age in [1, 2]", "age in [1.5, 2]"])
    func integersAreNotFoundAmongFloats(_ expression: String) throws {
        #expect(try kinds(expression) == [.integerInList])
    }

    @Test(arguments: [
        "age > 1 && 'e'|eventSum('days', 1) > 1", "beta && 'e'|eventSum('Days') > 1", "beta && city|versionCompare > 0",
        "city|bucketSample(0, 1, 0)", "city|bucketSample(0, 1)", "city|eventLastSeen('Weekdays') > 1",
    ]) func literalArgumentsThatATransformRefuses(_ expression: String) throws {
        #expect(try kinds(expression) == [.failingCall])
    }

    @Test(arguments: ["age + 1", "city", "'e'|eventSum('Days', 1)", "age && city", "tags", "beta ? age : city"])
    func whatIsNeverTrueOrFalse(_ expression: String) throws {
        #expect(try kinds(expression) == [.notBoolean])
    }

    /// Types with those of the SDK.
    private func own(_ expression: String) throws -> [TypeMistake.Kind] {
        let more: [String: ValueTypes] = [
            "app_version": .string, "os_version": .string, "language": .string, "region": .string, "locale": .string,
            "current_date": .number, "days_since_install": .number,
        ]
        return try CompiledExpression(expression).typeMistakes { more[$0] ?? Self.types[$0] }.map(\.kind)
    }

    @Test(arguments: [
        "app_version > '9.0'", "'9.0' <= app_version", "os_version < '14'", "city >= '1.2.3'", "unknown > '9.0.1'",
        "beta && (app_version >= 'v2.1')", "device.os_version > '10.4'", "os_version >= '14.!'",
    ]) func `Versions that are compared as texts are found`(_ expression: String) throws {
        #expect(try own(expression) == [.versionOrder])
    }

    @Test(arguments: [
        "app_version == '9.0'", "app_version != '9.0'", "app_version in ['9.0']", "city > 'a.b'", "city < '2026-01-01'",
        "app_version|versionCompare('9.0') > 0", "city > '9'", "city > '3.Juli'", "city > '1.5 kg'",
        "language == 'en'", "region == 'US'", "region in ['DE', '419']", "locale == 'en-US'", "'US' in locale",
        "current_date > 1700000000", "days_since_install < 7", "'e'|eventLastSeen('Hours') <= 24",
        "'e'|eventLastSeen('Years', 0) > 4", "current_date - 86400 > age", "city in 'a b c'", "city in tags",
    ]) func `What means what it says has none`(_ expression: String) throws {
        #expect(try own(expression) == [])
    }

    @Test(arguments: [
        "current_date > 1700000000000", "20240101 < current_date", "days_since_install > 86400",
        "'e'|eventLastSeen('Days') > 86400", "86400000 < 'e'|eventLastSeen('Hours')",
    ]) func `A number in another unit is found`(_ expression: String) throws {
        #expect(try own(expression) == [.unit])
    }

    @Test(arguments: [
        "language == 'EN'", "language == 'en-US'", "region == 'us'", "'de_DE' == locale", "language in ['en', 'De']",
    ]) func `A form that the attribute never has is found`(_ expression: String) throws {
        #expect(try own(expression) == [.noSuchValue])
    }

    @Test(arguments: ["city in 'Rome, Paris'", "region in 'US,CA'", "locale in 'US'"])
    func `A list that is written as a text is found`(_ expression: String) throws {
        #expect(try own(expression) == [.textAsList])
    }

    @Test func theSentenceQuotesThePartAndTheOffsetIsTheOperators() throws {
        let mistakes = try CompiledExpression("beta && ((age + 1) == 'x')").typeMistakes { Self.types[$0] }
        let mistake = try #require(mistakes.first)
        #expect(mistakes.count == 1)
        #expect(
            mistake.message == "in \"(age + 1) == 'x'\": a number and a string are never equal, so this is never true")
        #expect(mistake.offset == 19)
    }
}
