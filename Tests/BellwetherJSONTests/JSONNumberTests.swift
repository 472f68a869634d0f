import BellwetherJSON
import TestSupport
import Testing

@Suite struct JSONNumberTests {
    static let integers: [(String, Int64)] = [
        ("0", 0), ("7", 7), ("-7", -7), ("9007199254740991", 9_007_199_254_740_991),
        ("9007199254740992", 9_007_199_254_740_992), ("9007199254740993", 9_007_199_254_740_993),
        ("9223372036854775807", .max), ("-9223372036854775808", .min),
        ("1000000000000000000", 1_000_000_000_000_000_000),
    ]

    @Test(arguments: integers) func integersStayIntegers(_ text: String, _ integer: Int64) throws {
        let value = try JSONValue(parsing: text)
        #expect(value == .integer(integer))
        #expect(value.text == text)
    }

    @Test(arguments: [UInt64(1) << 63, .max - 1, .max]) func largerOnesStayIntegersToo(_ integer: UInt64) throws {
        let value = try JSONValue(parsing: String(integer))
        #expect(value == .unsigned(integer))
        #expect(value.text == String(integer))
        #expect(value.double == Double(integer) && value.integer == nil)
    }

    static let floats: [(String, Double)] = [
        ("-0", -0.0), ("-0.0", -0.0), ("-0e5", -0.0), ("0.0", 0), ("0e999", 0), ("1.0", 1), ("1e0", 1), ("1E2", 100),
        ("1e+2", 100), ("1e-2", 0.01), ("2.50", 2.5),
        ("-9223372036854775809", -0x1p63), ("18446744073709551616", 0x1p64),
        ("99999999999999999999", 1e20), ("1.7976931348623157e308", .greatestFiniteMagnitude),
        ("5e-324", .leastNonzeroMagnitude), ("4.9e-324", .leastNonzeroMagnitude), ("2.4e-324", 0), ("1e-400", 0),
        ("-1e-400", -0.0), ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
        ("9007199254740993.0", 0x1p53), ("0.1", 0.1), ("123456789012345678901234567890", 1.2345678901234568e29),
        ("0.000000000000000000000000000001", 1e-30), ("1e22", 1e22), ("1e23", 1e23), ("8.5e-23", 8.5e-23),
        ("17976931348623157e292", .greatestFiniteMagnitude), ("1000000000000000000000e-21", 1),
        ("0.00000000000000000000000000000000000000001e41", 1), ("0.1e1", 1),
        ("12345678901234567890e-5", 123456789012345.6789),
    ]

    @Test(arguments: floats) func everythingElseIsAFloat(_ text: String, _ float: Double) throws {
        guard case .number(let number) = try JSONValue(parsing: text) else {
            Issue.record("\(text) is no float")
            return
        }
        #expect(number == float)
        #expect(number.sign == float.sign)
    }

    static let writtenFloats: [(Double, String)] = [
        (2.0, "2.0"), (0, "0.0"), (-0.0, "-0.0"), (-1.5, "-1.5"), (0.1, "0.1"), (100, "100.0"), (12.34, "12.34"),
        (1e15, "1000000000000000.0"), (1e16, "1e16"), (1.5e16, "1.5e16"), (9_007_199_254_740_991, "9007199254740991.0"),
        (9_007_199_254_740_992, "9007199254740992.0"), (9_999_999_999_999_998, "9999999999999998.0"),
        (12_345_678_901_234_568, "1.2345678901234568e16"), (1e-5, "0.00001"), (1.5e-5, "0.000015"), (1e-6, "1e-6"),
        (1.5e-7, "1.5e-7"), (0.0001234, "0.0001234"), (0.00001234, "0.00001234"), (0.000001234, "1.234e-6"),
        (1e21, "1e21"), (1e100, "1e100"), (1.25e-100, "1.25e-100"), (.leastNonzeroMagnitude, "5e-324"),
        (.greatestFiniteMagnitude, "1.7976931348623157e308"), (0.1 + 0.2, "0.30000000000000004"),
        (1_234_567.891, "1234567.891"), (123_456_789_012_345.6, "123456789012345.6"),
        (-.leastNormalMagnitude, "-2.2250738585072014e-308"), (1.0 / 3, "0.3333333333333333"),
        (.nan, "null"), (.infinity, "null"),
    ]

    @Test(arguments: writtenFloats) func floatsAreWrittenAsSerdeJSONDoes(_ float: Double, _ text: String) {
        #expect(JSONValue.number(float).text == text)
    }

    static let writtenIntegers: [(Int64, String)] = [
        (0, "0"), (-1, "-1"), (10, "10"), (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ]

    @Test(arguments: writtenIntegers) func integersAreWrittenWithoutAFraction(_ integer: Int64, _ text: String) {
        var output = Array("x".utf8)
        JSONText.append(integer, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "x" + text)
    }

    @Test func everyFloatReadsBackTheSame() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let float = RandomJSON.float(using: &generator)
            guard case .number(let back) = try JSONValue(parsing: JSONValue.number(float).encoded) else {
                Issue.record("\(float) came back as something else")
                return
            }
            #expect(back.bitPattern == float.bitPattern)
        }
    }

    @Test func decimalsOfEveryLengthRoundAsTheLibraryDoes() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let digits = (0..<Int.random(in: 1...25, using: &generator)).map { _ in
                String(Int.random(in: 0...9, using: &generator))
            }.joined()
            let exponent = Int.random(in: -40...40, using: &generator)
            let text = "0.\(digits)e\(exponent)"
            #expect(try JSONValue(parsing: text).double == Double(text), "\(text)")
        }
    }
}
