internal import BellwetherJSON
internal import Surveys

/// Checks the validations of one question, or of an option with a free text (docs/findings.md#questions).
struct ValidationCheck {
    private let question: Question
    private let findings: Findings

    init(_ question: Question, _ findings: Findings) { (self.question, self.findings) = (question, findings) }

    /// A rule that compares with a value.
    private struct Rule {
        let location: JSONReader
        let operation: String
        let value: JSONValue
        let label: Identifier?

        /// Nil if the rule compares with another answer, or cannot be read.
        init?(_ location: JSONReader) {
            guard let object = location.value.object, let operation = object["operation"]?.string,
                Rule.operations[operation] != nil, let value = object["value"], value != .null,
                location.optional("answer_to_question_id") == nil
            else { return nil }
            (self.location, self.operation, self.value) = (location, operation, value)
            label = object["for_label"]?.identifier
        }

        static let operations: [String: (ConditionTest.Operation, isNegated: Bool)] = [
            "equals": (.equals, false), "not equals": (.equals, true), "greater than": (.greater, false),
            "greater than or equal to": (.greaterOrEqual, false), "less than": (.less, false),
            "less than or equal to": (.lessOrEqual, false),
        ]

        var phrase: String { "\(operation) \(value.string ?? value.text)" }
        var isOrder: Bool { operation.hasPrefix("greater") || operation.hasPrefix("less") }

        func holds(for text: String) -> Bool {
            guard let (operation, isNegated) = Rule.operations[operation] else { return true }
            let test = ConditionTest(
                ConditionReference(.answers, ["text"]), operation, .value(value), comparison: .automatic,
                isNegated: isNegated)
            var budget = EvaluationBudget(steps: 100_000)
            return Condition.test(test).holds(for: ConditionFacts(answers: ["text": .string(text)]), &budget)
        }
    }

    /// The maximum number of rules that are compared.
    private static let maximumRules = 16

    /// - Parameter holder: The question or the option.
    func check(_ holder: JSONReader) {
        guard let list = holder.optional("validations"), list.value.array != nil else { return }
        let all = list.elements() ?? []
        let isReported = all.reduce(false) { isReported, rule in checkOne(rule) || isReported }
        guard !isReported, all.count <= Self.maximumRules else { return }
        let rules = all.compactMap { Rule($0) }
        var labels: [Identifier?] = [nil]
        if case .labels = question.type.domain {
            for label in rules.compactMap(\.label) where !labels.contains(label) { labels.append(label) }
        }
        let isText = question.typeName == "single_text_field" || question.typeName == "single_text_area"
        for label in labels {
            let own = rules.filter { $0.label == nil || $0.label == label }
            if checkTogether(own, list) { return }
            if isText, checkLength(own, holder) { return }
        }
    }

    /// Returns whether it has reported a finding.
    private func checkOne(_ rule: JSONReader) -> Bool {
        let orders = Rule.operations.keys.filter { $0 != "equals" && $0 != "not equals" }
        var isReported = false
        if let value = rule.optional("value"), rule.optional("answer_to_question_id") == nil,
            orders.contains(rule.value.object?["operation"]?.string ?? ""), value.value.numericValue == nil
        {
            findings.warn(
                "type_mismatch", at: value.pointer, "\(value.value.text) is no number: every answer fails the rule")
            isReported = true
        }
        guard let label = rule.optional("for_label"), let name = label.value.identifier,
            case .labels(let sets, _) = question.type.domain,
            !sets.joined().contains(name)
        else { return isReported }
        findings.warn(
            "unknown_label", at: label.pointer, "the question has no label \"\(name)\": the rule never applies")
        return true
    }

    private func checkTogether(_ rules: [Rule], _ list: JSONReader) -> Bool {
        guard rules.count > 1, !mayHold(rules) else { return false }
        for (index, rule) in rules.enumerated() {
            guard let other = rules.prefix(index).first(where: { !mayHold([$0, rule]) }) else { continue }
            findings.warn(
                "never_valid", at: rule.location.pointer,
                "no answer is both \(other.phrase) and \(rule.phrase): nobody can go on")
            return true
        }
        findings.warn("never_valid", at: list.pointer, "no answer keeps all of these rules: nobody can go on")
        return true
    }

    private func checkLength(_ rules: [Rule], _ question: JSONReader) -> Bool {
        guard let location = question.optional("max_chars"), !rules.isEmpty,
            let maximum = location.value.integer ?? location.value.string.flatMap({ Int64($0) }), maximum > 0,
            !mayHold(rules, atMost: Int(clamping: maximum))
        else { return false }
        let phrases = rules.map(\.phrase).joined(separator: " and ")
        findings.warn(
            "never_valid", at: location.pointer, "no answer within max_chars \(maximum) is \(phrases)")
        return true
    }

    /// Whether some text satisfies the rules. The candidates are the texts in the rules, and numbers around the numbers
    /// in the rules.
    private func mayHold(_ rules: [Rule], atMost maximum: Int = .max) -> Bool {
        let named = rules.compactMap(\.value.string)
        let numbers = Set(rules.compactMap(\.value.numericValue)).sorted()
        let middles = zip(numbers, numbers.dropFirst()).map { ($0 + $1) / 2 }
        var candidates = ["x", "xy"] + named
        for number in numbers + middles + [0] {
            for value in [number] + (-2...2).map({ number.rounded(.down) + Double($0) }) {
                candidates.append(Int64(exactly: value).map { String($0) } ?? "\(value)")
            }
        }
        return candidates.contains { text in
            text.count <= maximum && rules.allSatisfy { $0.holds(for: text) }
        }
    }
}
