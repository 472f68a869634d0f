internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// The conditions of quotas (docs/reference/messaging.md#quotas) and notifications: their faults, and warnings about
/// conditions that have no effect for their questions (docs/findings.md#questions).
public struct QuotaCheck {
    private let questions: QuestionSet
    private let findings: Findings
    private var search: AnswerSearch
    private let patterns = PatternBudget()
    /// The consequence of a condition that is never true.
    private let consequence: String

    // MARK: Faults

    /// Reports every fault in the conditions of a recipe's messages, in all branches. An offer has its own check.
    public static func checkConditions(ofMessagesIn document: JSONValue, findings: Findings) {
        let patterns = PatternBudget()
        let reader = JSONReader(document, findings: findings)
        let features = RecipeFeatures.all(in: document).filter { RecipeFeatures.isMessaging($0) }
        for value in [reader] + features.compactMap({ $0.optional("value") }) {
            checkConditions(inMessaging: value, patterns, findings: findings)
        }
    }

    /// Checks one messaging value: its messages and styles.
    public static func checkConditions(
        inMessaging value: JSONReader, _ patterns: PatternBudget = PatternBudget(), findings: Findings
    ) {
        for map in ["messages", "styles"] {
            guard let entries = value.optional(map), entries.value.object != nil else { continue }
            for (_, entry) in entries.members() ?? [] {
                for condition in conditions(of: entry.optional("pacing")) { read(condition, patterns, findings) }
            }
        }
    }

    /// Checks one `pacing`.
    public static func checkConditions(of pacing: JSONReader?, findings: Findings) {
        let patterns = PatternBudget()
        for condition in conditions(of: pacing) { read(condition, patterns, findings) }
    }

    /// The locations of the conditions of a `pacing`. The reader of the message reports a value that is not a list.
    private static func conditions(of pacing: JSONReader?) -> [JSONReader] {
        guard let quotas = pacing?.optional("quotas"), quotas.value.array != nil else { return [] }
        return (quotas.elements() ?? []).compactMap { $0.optional("when") }
    }

    @discardableResult
    private static func read(
        _ condition: JSONReader, _ patterns: PatternBudget, _ findings: Findings
    ) -> Condition {
        ConditionDialect.core.read(JSONReader(condition.value, at: condition.pointer, findings: findings), patterns)
    }

    // MARK: Warnings

    /// Warns about conditions that are never true or never false, for any answers to these questions. Conditions that
    /// read attributes or counters are not checked.
    public static func check(_ pacing: JSONReader?, reading questions: QuestionSet, findings: Findings) {
        check(
            conditions(of: pacing), reading: questions, "no response takes a place in the quota", findings: findings)
    }

    /// The same for the condition of a `notify`.
    public static func check(
        notification: JSONReader?, reading questions: QuestionSet, findings: Findings
    ) {
        let condition = notification?.optional("when").map { [$0] } ?? []
        check(condition, reading: questions, "nobody is told of a response", findings: findings)
    }

    private static func check(
        _ conditions: [JSONReader], reading questions: QuestionSet, _ consequence: String, findings: Findings
    ) {
        var check = QuotaCheck(
            questions: questions, findings: findings, search: AnswerSearch(questions), consequence: consequence)
        for location in conditions {
            // The reader of the document reports its faults.
            let own = Findings()
            let condition = read(location, check.patterns, own)
            guard own.faults.isEmpty, own.warnings.isEmpty else { continue }
            // `true` intentionally means every response.
            if location.value.bool != true { check.check(condition, location, isRoot: true) }
        }
    }

    /// Reports the innermost parts that are always or never true. Returns whether there were any.
    @discardableResult
    private mutating func check(_ condition: Condition, _ location: JSONReader, isRoot: Bool) -> Bool {
        var isReported = false
        if case .test(let test) = condition { isReported = QuotaTestCheck(test, location, questions, findings).check() }
        for (part, location) in parts(of: condition, location) {
            isReported = check(part, location, isRoot: false) || isReported
        }
        guard !isReported else { return true }
        let subject = isRoot ? "the condition" : "this part of the condition"
        if !search.mayBe(true, condition) {
            let result = isRoot ? ": \(consequence)" : ""
            findings.warn("never_true", at: location.pointer, "\(subject) is never true\(result)")
        } else if !search.mayBe(false, condition) {
            findings.warn("always_true", at: location.pointer, "\(subject) is always true")
        } else {
            return false
        }
        return true
    }

    private func parts(of condition: Condition, _ location: JSONReader) -> [(Condition, JSONReader)] {
        switch condition {
        case .all(let parts): Array(zip(parts, location.optional("all")?.elements() ?? []))
        case .any(let parts): Array(zip(parts, location.optional("any")?.elements() ?? []))
        case .not(let part): location.optional("not").map { [(part, $0)] } ?? []
        case .constant, .test, .predicate: []
        }
    }
}

/// One test of a condition, compared with the possible answers to its question.
private struct QuotaTestCheck {
    private let test: ConditionTest
    private let location: JSONReader
    private let questions: QuestionSet
    private let findings: Findings

    init(_ test: ConditionTest, _ location: JSONReader, _ questions: QuestionSet, _ findings: Findings) {
        (self.test, self.location, self.questions, self.findings) = (test, location, questions, findings)
    }

    /// Returns whether a finding was reported. Then the truth of the condition needs no finding.
    func check() -> Bool {
        guard test.reference.root == .answers, let id = test.reference.path.first else { return false }
        guard let question = questions[id] else {
            return warn("unknown_question", "ref", "there is no question \"\(id)\": its answer is always missing")
        }
        guard test.reference.path.count == 1, let value = test.value else { return false }
        let domain = question.type.domain
        switch test.operation {
        case .equals: return checkEquality(value, id, domain)
        case .isMember:
            let values = value.array ?? []
            return values.reduce(false) { isReported, value in checkEquality(value, id, domain) || isReported }
        case .contains: return checkMembership(value, id, domain)
        case .greater, .greaterOrEqual, .less, .lessOrEqual: return checkOrder(value, id, domain)
        default: return false
        }
    }

    private func warn(_ code: String, _ key: String, _ message: String) -> Bool {
        findings.warn(code, at: (location.optional(key) ?? location).pointer, message)
        return true
    }

    private func checkEquality(_ value: JSONValue, _ id: Identifier, _ domain: AnswerDomain) -> Bool {
        switch domain {
        case .choice(let options, let others) where others.isEmpty:
            return checkOption(value, of: options, id)
        case .integer where value.numericValue == nil:
            return warn("type_mismatch", "value", "answers to \"\(id)\" are numbers, and \(value.text) is none")
        case .choices where value.array == nil, .texts where value.array == nil:
            return warn(
                "type_mismatch", "value", "answers to \"\(id)\" are arrays: the operation contains finds one choice")
        default: return false
        }
    }

    private func checkMembership(_ value: JSONValue, _ id: Identifier, _ domain: AnswerDomain) -> Bool {
        switch domain {
        case .choices(let options, let others) where others == 0: checkOption(value, of: options, id)
        case .integer: warn("type_mismatch", "op", "answers to \"\(id)\" are numbers: nothing is contained in them")
        default: false
        }
    }

    private func checkOption(_ value: JSONValue, of options: [Identifier], _ id: Identifier) -> Bool {
        let text = Identifier(value.string ?? value.text)
        guard !options.contains(text), value.numericValue == nil else { return false }
        return warn("unknown_option", "value", "\"\(id)\" has no option \"\(text)\"")
    }

    private func checkOrder(_ value: JSONValue, _ id: Identifier, _ domain: AnswerDomain) -> Bool {
        guard value.numericValue != nil else {
            return warn("type_mismatch", "value", "\(value.text) is no number: the test never holds")
        }
        switch domain {
        case .choices, .texts, .labels, .table:
            return warn("type_mismatch", "ref", "no answer to \"\(id)\" is a number: the test never holds")
        default: return false
        }
    }
}
