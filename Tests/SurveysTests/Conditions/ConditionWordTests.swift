import BellwetherJSON
import Surveys
import Testing

/// The findings for a condition that cannot be read: the words of the dialect, and misspelled keys.
@Suite struct ConditionWordTests {
    /// A condition of a dialect without its operator, and the key of the operator.
    private static let conditions: [(ConditionDialect, JSONObject, String)] = [
        (.core, ["ref": "answer.q", "value": "x"], "op"), (.showIf, ["id": "q", "value": "x"], "operation"),
        (.dependsOn, ["field_id": "q", "value": "x"], "operator"),
        (.visibility, ["variable": "responses.a.b", "answer_key": "q", "binding": "user.x", "value": "x"], "type"),
        (.rules, ["conditions": [["answer_key": "q", "value": "x"]]], "type"),
        (.audience, ["conditions": [["trait": "plan", "value": "x"]]], "operator"),
    ]

    private static func findings(_ dialect: ConditionDialect, _ condition: JSONObject, _ key: String, _ word: String)
        -> [Finding]
    {
        var condition = condition
        if var test = condition["conditions"]?.array?.first?.object {
            test[key] = .string(word)
            test["value"] = operand(of: word)
            condition["conditions"] = [.object(test)]
        } else {
            condition[key] = .string(word)
            condition["value"] = operand(of: word)
        }
        let findings = Findings()
        _ = dialect.read(JSONReader(.object(condition), findings: findings))
        return findings.faults + findings.warnings
    }

    /// A value that the operator of this name compares with.
    private static func operand(of word: String) -> JSONValue {
        if word.hasPrefix("version_") { return "1.10.2" }
        return switch word {
        case "gt", "gte", "lt", "lte": 1
        case "between": [1, 2]
        case "in", "not_in", "member_any", "member_all": ["x"]
        default: "x"
        }
    }

    @Test(arguments: conditions)
    func `Of an unknown word all known ones are listed`(
        _ dialect: ConditionDialect, _ condition: JSONObject, _ key: String
    ) throws {
        let told = Self.findings(dialect, condition, key, "resembles")
        #expect(told.map(\.code) == ["choice"])
        #expect(told.first?.pointer.tokens.last == key)
        let words = try #require(told.first).message.matches(of: /"([a-z_ ]+)"/).map { String($0.1) }
        #expect(words.count > 6 && words.last == "resembles")
        for word in words.dropLast() {
            #expect(Self.findings(dialect, condition, key, word) == [], "\(word)")
        }
    }

    @Test(
        arguments: [
            (["op": "eq", "ref": "answer.b", "value": 1, "on_mising": false], "/on_mising", "on_missing"),
            (["all": [["not": ["op": "exists", "ref": "attr.a", "vale": 1]]]], "/all/0/not/vale", "value"),
            (["anny": []], "/anny", "any"),
        ] as [(JSONObject, String, String)])
    func `An unknown key of the dialect core is a mistake`(
        _ condition: JSONObject, _ place: String, _ meant: String
    ) throws {
        let findings = Findings()
        _ = ConditionDialect.core.read(JSONReader(.object(condition), findings: findings))
        findings.settle()
        #expect(findings.faults.map(\.pointer.description) == [place])
        #expect(findings.faults.map(\.suggestion) == [meant])
        #expect(findings.warnings.isEmpty)
    }

    @Test(
        arguments: [
            ("ye[s", "at character 3 of the pattern: no ] closes this ["),
            ("(a", "at character 1 of the pattern: no ) closes this ("),
            ("a{2", "at character 2 of the pattern: no } closes this {"),
            ("a)", "at character 2 of the pattern: nothing opens this )"),
        ])
    func `A pattern's fault says what is wrong, and where`(_ pattern: String, _ message: String) {
        let findings = Findings()
        let condition: JSONValue = ["op": "matches", "ref": "answer.b", "value": .string(pattern)]
        _ = ConditionDialect.core.read(JSONReader(condition, findings: findings))
        #expect(findings.faults.map(\.message) == [message])
        #expect(findings.faults.map(\.pointer.description) == ["/value"])
    }
}
