import BellwetherAuthoring
import JEXL
import Testing

/// The expressions that are never or always true, and those that must not be called so.
@Suite struct ExpressionAnalysisTests {
    private func analysis() -> ExpressionAnalysis { ExpressionAnalysis { TypeMistakeTests.types[$0] } }

    private func mayHold(_ expressions: [String], none: [String] = []) throws -> Bool {
        try analysis().mayHold(
            all: expressions.map { try CompiledExpression($0) }, none: none.map { try CompiledExpression($0) })
    }

    @Test(arguments: [
        "false", "1 == 2", "false && beta", "beta && false", "beta && 1 > 2", "age > 18 && age < 10",
        "age == 1 && age == 2", "age >= 5 && age < 5", "age > 5 && age == 5 && age > 5.1",
        "city == 'x' && city == 'y'", "city == 'x' && city != 'x'",
        "city in ['a', 'b'] && city == 'c'", "'en' in city && city == 'de'",
        "'en-US' in city && ('en' in city) == false",
        "beta && beta == false", "age == null && age > 1", "age > 18 && beta && (age < 10 || age < 5)",
        "(age < 10 || age < 5) && city == 'x' && age > 18", "city > 'm' && city < 'b'",
        "'e'|eventSum('Days', 7) < 0", "'e'|eventSum('Days', 7) > 3 && 'e'|eventSum('Days', 7) <= 3",
        "city|versionCompare('100.!') >= 0 && city|versionCompare('99.*') < 0",
        "city|versionCompare('1') > 1", "device.model == 'a' && device.model == 'b'", "(age > 1) ? false : (1 == 2)",
        "unknown == 1 && unknown == 'x'", "'a' in tags && tags == ['b']", "age + 1 > 5 && age + 1 < 4",
        "(beta == true) == 1", "age == 1 && age in [1.5]",
        "(age > 18 && age < 10) || (city == 'a' && city == 'b')",
    ]) func isNeverTrue(_ expression: String) throws {
        #expect(try !mayHold([expression]))
    }

    @Test(arguments: [
        "true", "beta", "1 == 1", "age > 18 && age < 20", "age >= 5 && age <= 5", "age > 5 && age == 5",
        "age > 18 || age < 10", "city != 'x' && city != 'y'", "'en' in city && 'de' in city",
        "'en' in city && ('en-US' in city) == false", "age == null && city == null", "unknown == 1 && other == 1",
        "city > 'a' && city < 'b'", "city > 'a' && city < 'aa'", "'a' in tags && 'b' in tags",
        "city|versionCompare('99.!') >= 0 && city|versionCompare('99.*') <= 0", "age == city && age == 1",
        "(age || city) == 'x'", "(beta && city) == 'x'", "city in 'abc' && city == 'b'",
        "((age > 1) ? city : 'b') == 'c'", "tags[.x > 1] == [] && tags[.x > 1] != null", "age < 1 < true || true",
        "device.model == 'a' && device.size == 'b'", "age + 1 > 5 && age + 2 < 4", "age in [1, 2] && age == 1",
        "false && true || beta", "'e'|eventSum('Days', 7) > 3 && 'e'|eventSum('Days', 8) <= 3",
        "[city, 'x']|bucketSample(0, 1, 2) && [city, 'x']|bucketSample(1, 1, 2)",
    ]) func mayBeTrue(_ expression: String) throws {
        #expect(try mayHold([expression]))
    }

    @Test(arguments: [
        "1 == 1", "true || beta", "beta || true", "age >= 1 || age < 1", "age < 5 || age > 4", "age != 1 || age != 2",
        "city != 'a' || city != 'b'", "'e'|eventSum('Days', 7) >= 0", "'' in city", "beta == true || beta != true",
        "city|versionCompare('1') >= 0 || city|versionCompare('1') < 0", "city|versionCompare('1') < 2",
        "((age > 1) ? true : (1 == 1))", "unknown == null || true",
    ]) func isAlwaysTrue(_ expression: String) throws {
        #expect(try analysis().isAlwaysTrue(CompiledExpression(expression)))
    }

    @Test(arguments: [
        "beta", "city != null", "age > 1 || age < 1", "age >= 1 || age < 1 || beta", "age >= 1 && age < 1", "false",
        "beta || 1 == 2", "city == 'a' || city != null", "age + 1", "1 < 'a'", "age == age", "unknown",
        "(beta || city) == true", "age >= 0", "(beta == true) || (beta == false)",
    ]) func isNotAlwaysTrue(_ expression: String) throws {
        #expect(try !analysis().isAlwaysTrue(CompiledExpression(expression)))
    }

    @Test func listsAreTakenTogether() throws {
        #expect(try !mayHold(["age > 18", "beta", "age < 10"]))
        #expect(try mayHold(["age > 18", "beta", "age < 20"]))
        #expect(try !mayHold(["beta"], none: ["beta"]))
        #expect(try !mayHold(["age > 18"], none: ["age > 10"]))
        #expect(try mayHold(["age > 10"], none: ["age > 18"]))
        #expect(try !mayHold([], none: ["true"]))
        #expect(try !mayHold(["age > 18"], none: ["city == 'x' || age > 10"]))
        #expect(try mayHold(["age > 18"], none: ["city == 'x' && age > 10"]))
        // An exclusion without a value does not count as false.
        #expect(try !mayHold(["age == null"], none: ["age > 10"]))
        #expect(try mayHold([]))
    }

    @Test func whatIsTooMuchIsLeftOpen() throws {
        let many = (0..<12).map { "'\($0)x' in city" }.joined(separator: " && ")
        #expect(try mayHold([many + " && city == 'y'"]))
        let long = Array(repeating: "(age > 18 && age < 10)", count: 300).joined(separator: " || ")
        #expect(try mayHold([long]))
        #expect(try !analysis().isAlwaysTrue(CompiledExpression(long)))
        let tired = ExpressionAnalysis(effort: 0) { TypeMistakeTests.types[$0] }
        #expect(try tired.mayHold(all: [CompiledExpression("false")]))
    }
}
