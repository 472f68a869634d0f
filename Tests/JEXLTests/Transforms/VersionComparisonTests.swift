import BellwetherJSON
import JEXL
import Testing

@Suite struct VersionComparisonTests {
    /// Versions in ascending order; those on one line are equal.
    static let ladder: [[String]] = [
        ["0pre"], ["0.!"], ["", "0", "0.0", ".", "0.", "0.0.0.0.0"], ["0.0.1", "..1"], ["1.!"],
        ["1.!2"], ["1.*x"],
        ["1.0a"], ["1.0b"], ["1.0pre1"], ["1.0pre2"], ["1.-1", "1.0-1"], ["1.0", "1", "1.0.0", "01.00"],
        ["1.1pre", "1.1pre0", "1.0+"],
        ["1.1pre1a"],
        ["1.1pre1"], ["1.1pre10a"], ["1.1pre10"], ["1.1"], ["1.2"], ["1.10"], ["1.2147483647", "1.*"], ["1.*.1"], ["2"],
        ["92beta.1.2pre"],
        ["92beta.1.2", "92beta.1.2.0"], ["92beta1"], ["92beta2"], ["92"], ["93.!"], ["93.0-beta"], ["93.0"],
        ["2147483647"],
    ]

    @Test func theLadderIsOrdered() throws {
        for (low, lower) in Self.ladder.enumerated() {
            for (high, higher) in Self.ladder.enumerated() {
                for one in lower {
                    for other in higher {
                        let order = try VersionComparison.compare(one, other)
                        #expect(order == (low == high ? 0 : low < high ? -1 : 1), "\(one) and \(other)")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        // A dash ends the text, and the rest follows: nothing, then number 0, then "-beta".
        ("1-beta", "1", -1), ("1-beta", "1-alpha", 1), ("1+", "2pre", 0), ("1+junk9", "1+", 0), ("1a+b", "1a", -1),
        ("1a-b", "1a+b", 1),
        ("1a2b", "1a2", -1), ("1a2b", "1a2c", -1), ("a", "b", -1), ("a", "0", -1), ("**", "*", -1), ("* ", "*", -1),
        (" 1", "1", -1),
        ("1..2", "1.0.2", 0), ("1.2.3", "1.2.3.4", -1), ("2147483647.1", "2147483647", 1), ("*", "2147483647", 0),
        ("0a", "a", 0),
        ("14.0", "14.!", 1), ("14", "14.!", 1), ("13.9.9", "14.!", -1),
    ]) func parts(_ one: String, _ other: String, _ order: Int) throws {
        #expect(try VersionComparison.compare(one, other) == order)
        #expect(try VersionComparison.compare(other, one) == -order)
    }

    @Test(arguments: [
        "2147483648", "1.2147483648", "1.1a2147483648", "99999999999999999999999", "2147483647+", "1.é", "é",
        "1.0\u{301}", "１",
        "9.9.9.9.9.9.9.2147483648",
    ]) func whatIsNoVersionIsRefused(_ version: String) {
        #expect(throws: VersionComparison.Failure.self) { try VersionComparison.compare(version, "1") }
        // The fault is also found after the part that decides, and on either side.
        #expect(throws: VersionComparison.Failure.self) { try VersionComparison.compare("1", "2.\(version)") }
        #expect(
            Example.outcome(of: "'1'|versionCompare(v)", in: TestEnvironment(context: ["v": .string(version)]))
                == "ERR transform")
    }

    @Test(arguments: [
        Example("'1'|versionCompare('2')", "-1"), Example("'2'|versionCompare('1')", "1"),
        Example("'1'|versionCompare('1')", "0"),
        Example("'1'|versionCompare('2', 'ignored')", "-1"),
        Example("v|versionCompare('1.!') >= 0", "true", in: #"{"v":"1.0"}"#),
        Example("'1'|versionCompare('1') == 0", "true"), Example("'1'|versionCompare('1') in [0]", "false"),
        Example("'1'|versionCompare('1') ? 1 : 2", "2.0"), Example("['1'|versionCompare('2')]", "[-1]"),
        Example("'1'|versionCompare", fails: .transform), Example("'1'|versionCompare()", fails: .transform),
        Example("1|versionCompare('1')", fails: .transform),
        Example("'1'|versionCompare(1)", fails: .transform), Example("null|versionCompare('1')", fails: .transform),
        Example("v|versionCompare('1')", fails: .undefinedIdentifier),
        Example("'1'|versionCompare(null)", fails: .transform), Example("['1']|versionCompare('1')", fails: .transform),
    ]) func theTransform(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }
}
