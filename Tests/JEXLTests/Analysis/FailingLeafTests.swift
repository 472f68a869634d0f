import BellwetherJSON
import JEXL
import Testing

/// The parts that keep an expression from being true, or false.
@Suite struct FailingLeafTests {
    private static let context: JSONObject = [
        "age": 17, "city": "Rome", "beta": false, "tags": ["a"], "nothing": nil, "device": ["size": 3],
    ]

    private func leaves(_ expression: String, wanted: Bool = true) throws -> [String] {
        let environment = TestEnvironment(context: Self.context, results: { _ in 1 })
        return try CompiledExpression(expression).failingLeaves(in: environment, wanted: wanted).map { leaf in
            let values = leaf.values.map { "\($0.name)=\($0.value?.text ?? "?")" }.joined(separator: " ")
            return "\(leaf.expression) {\(values)}" + (leaf.error.map { " \($0.kind)" } ?? "")
        }
    }

    @Test(
        arguments: [
            ("age >= 18", ["age >= 18 {age=17}"]), ("age < 18", []), ("beta", ["beta {beta=false}"]),
            ("age >= 18 && city == 'Rome'", ["age >= 18 {age=17}"]),
            ("city == 'Rome' && (age >= 18 && beta)", ["age >= 18 {age=17}", "beta {beta=false}"]),
            ("age >= 18 || city == 'Oslo'", ["age >= 18 {age=17}", "city == 'Oslo' {city=\"Rome\"}"]),
            ("((age + 1) >= 20) && beta == false", ["(age + 1) >= 20 {age=17}"]),
            ("age + 1 >= 20 && true", ["age + 1 >= 20 {age=17}"]),
            (
                "'visit'|eventSum('Weeks', 1, 0) >= 3",
                ["'visit'|eventSum('Weeks', 1, 0) >= 3 {'visit'|eventSum('Weeks', 1, 0)=1.0}"]
            ),
            (
                "beta || (('visit')|eventSum('Days', 1)) > 1 && true",
                ["beta {beta=false}", "(('visit')|eventSum('Days', 1)) > 1 {('visit')|eventSum('Days', 1)=1.0}"]
            ),
            ("missing == 1 && city == 'Rome'", ["missing == 1 {missing=?} undefinedIdentifier"]),
            ("nothing > 1", ["nothing > 1 {nothing=null} unsupportedOperands"]),
            ("city|versionCompare('5') >= 0", ["city|versionCompare('5') >= 0 {city=\"Rome\"}"]),
            ("'b' in tags", ["'b' in tags {tags=[\"a\"]}"]),
            ("device.size > 5", ["device.size > 5 {device={\"size\":3}}"]),
            ("city", ["city {city=\"Rome\"}"]), ("false", ["false {}"]),
            ("1 == 2 && beta", ["1 == 2 {}", "beta {beta=false}"]),
            ("beta ? true : (age > 18)", ["age > 18 {age=17}"]),
            ("beta ? true : false", ["beta {beta=false}"]), ("(age > 18) == true", ["(age > 18) == true {age=17}"]),
            ("tags[.x == age][0] == 1", ["tags[.x == age][0] == 1 {tags=[\"a\"] age=17}"]),
            ("[age, city] == tags", ["[age, city] == tags {age=17 city=\"Rome\" tags=[\"a\"]}"]),
        ] as [(String, [String])]) func whatWouldHaveToBeTrue(_ expression: String, _ expected: [String]) throws
    {
        #expect(try leaves(expression) == expected)
    }

    @Test(
        arguments: [
            ("age < 18", ["age < 18 {age=17}"]), ("age > 18", []), ("true", ["true {}"]),
            ("age < 18 && city == 'Rome'", ["age < 18 {age=17}", "city == 'Rome' {city=\"Rome\"}"]),
            ("age < 18 || city == 'Oslo'", ["age < 18 {age=17}"]), ("beta || age < 18", ["age < 18 {age=17}"]),
            ("missing == 1", ["missing == 1 {missing=?} undefinedIdentifier"]),
        ] as [(String, [String])]) func whatWouldHaveToBeFalse(_ expression: String, _ expected: [String]) throws
    {
        #expect(try leaves(expression, wanted: false) == expected)
    }

    @Test func hostileExpressionsAreToldAsAWhole() throws {
        let long = Array(repeating: "beta", count: 1000).joined(separator: "||")
        #expect(try leaves(long) == [long + " {beta=false}"])
        let wide = (0..<100).map { "(age > \($0 + 20))" }.joined(separator: " || ")
        #expect(try leaves(wide).count == 32)
    }
}
