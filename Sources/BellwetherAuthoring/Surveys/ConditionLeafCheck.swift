internal import BellwetherJSON
internal import Surveys

/// One test of `show_if`, compared with the possible answers to its question.
struct ConditionLeafCheck {
    private let test: ConditionTest
    private let question: Question
    /// The location of the test.
    private let location: JSONReader
    private let findings: Findings

    init(_ test: ConditionTest, of question: Question, _ location: JSONReader, _ findings: Findings) {
        (self.test, self.question, self.location, self.findings) = (test, question, location, findings)
    }

    /// Returns whether a finding was reported. Then the truth of the condition needs no finding.
    func check(on today: CalendarDay) -> Bool {
        if test.value == nil {
            let when = test.isNegated ? "answered" : "unanswered"
            return warn(
                "no_value", "operation",
                "there is no \"value\": the condition holds while \"\(question.id)\" is \(when)")
        }
        if checkRange(on: today) { return true }
        if test.reference.textMember != nil, let reported = checkMember() { return reported }
        switch test.operation {
        case .greater, .greaterOrEqual, .less, .lessOrEqual: return checkOrder()
        case .equals: return checkEquality()
        case .contains: return checkMembership()
        default: return false
        }
    }

    private var domain: AnswerDomain { question.type.domain }

    private func warn(_ code: String, _ key: String, _ message: String) -> Bool {
        findings.warn(code, at: (location.optional(key) ?? location).pointer, message)
        return true
    }

    private func mismatch(_ message: String) -> Bool { warn("type_mismatch", "value", message) }

    /// The possible texts of the answer, or of the member that the test reads; nil for any text.
    private var choices: [Identifier]? {
        switch (domain, test.reference.textMember) {
        case (.table(_, let options), .some): options
        case (.choice(let options, let others), _) where others.isEmpty: options
        default: nil
        }
    }

    /// Checks that the answer's objects have the member. Nil if they have it, and the check must continue.
    private func checkMember() -> Bool? {
        let labels: [Identifier]
        switch domain {
        case .labels(let sets, _): labels = sets.flatMap(\.self)
        case .table(let rows, _): labels = rows
        case .choice(_, let others) where !others.isEmpty: labels = others
        default:
            return warn(
                "unknown_label", "subid", "answers to \"\(question.id)\" have no members: subid is ignored")
        }
        let member = test.reference.textMember ?? ""
        guard !labels.contains(member) else { return nil }
        return warn("unknown_label", "subid", "answers to \"\(question.id)\" have no member \"\(member)\"")
    }

    private func checkOrder() -> Bool {
        guard let value = test.value, value.numericValue != nil else {
            return mismatch("\(test.value?.text ?? "nothing") is no number: the test never holds")
        }
        guard !mayBeNumber else { return false }
        return warn("type_mismatch", "id", "no answer to \"\(question.id)\" is a number: the test never holds")
    }

    private var mayBeNumber: Bool {
        if let choices { return choices.contains { JSONValue.string($0).numericValue != nil } }
        switch domain {
        case .text, .year, .integer: return true
        case .labels, .table: return test.reference.textMember != nil
        case .choice(let options, let others):
            return test.reference.textMember.map { others.contains($0) }
                ?? options.contains { JSONValue.string($0).numericValue != nil }
        case .day, .choices, .texts: return false
        }
    }

    /// Two values are equal only if they have the same type.
    private func checkEquality() -> Bool {
        guard let value = test.value else { return false }
        let isText = value.string != nil
        switch domain {
        case .integer where value.double == nil:
            return mismatch("answers to \"\(question.id)\" are numbers, and \(value.text) is none")
        case .text, .year, .day:
            if !isText { return mismatch("answers to \"\(question.id)\" are texts, and \(value.text) is none") }
        case .choices, .texts:
            if value.array == nil {
                return mismatch("answers to \"\(question.id)\" are arrays: the operation contains finds one choice")
            }
        case .labels, .table:
            guard test.reference.textMember == nil || !isText else { break }
            if value.object == nil {
                return mismatch("answers to \"\(question.id)\" are objects: subid reads one text")
            }
        case .choice where !isText && value.object == nil:
            return mismatch("answers to \"\(question.id)\" are texts, and \(value.text) is none")
        default: break
        }
        guard let text = value.identifier else { return false }
        return checkOption(text)
    }

    private func checkOption(_ text: Identifier) -> Bool {
        if case .choice(_, let others) = domain, test.reference.textMember == nil,
            others.contains(text)
        {
            return warn(
                "unknown_option", "value",
                "whoever chooses \"\(text)\" answers with an object: subid reads what they wrote")
        }
        if case .choice(let options, _) = domain, test.reference.textMember == nil,
            !options.contains(text)
        {
            return unknownOption(text)
        }
        guard let choices, !choices.contains(text) else { return false }
        return unknownOption(text)
    }

    private func unknownOption(_ text: Identifier) -> Bool {
        if case .choices(let options) = question.type.tally,
            let option = options.first(where: { text == $0.label })
        {
            return warn(
                "unknown_option", "value",
                "\"\(text)\" is the label of the option \"\(option.id)\": conditions compare ids")
        }
        return warn("unknown_option", "value", "\"\(question.id)\" has no option \"\(text)\"")
    }

    /// Reports years and days that a picker does not offer.
    private func checkRange(on today: CalendarDay) -> Bool {
        guard let range = question.type.range(on: today), let value = test.value else { return false }
        let offer = "the picker offers \(range.minimum ?? "any day") to \(range.maximum ?? "any day")"
        if case .equals = test.operation {
            guard let text = value.string, isOutside(text, range) else { return false }
            return warn("unknown_option", "value", "\"\(text)\" is no answer to \"\(question.id)\": \(offer)")
        }
        guard let low = range.minimum.flatMap({ Double($0) }), let high = range.maximum.flatMap({ Double($0) }),
            let number = value.numericValue
        else { return false }
        let mayHold =
            switch test.operation {
            case .greater: high > number
            case .greaterOrEqual: high >= number
            case .less: low < number
            case .lessOrEqual: low <= number
            default: true
            }
        guard !mayHold else { return false }
        findings.warn(
            "never_true", at: location.pointer,
            "no answer to \"\(question.id)\" is \(location.value.object?["operation"]?.string ?? "so") \(value.text): \(offer)"
        )
        return true
    }

    private func isOutside(_ text: String, _ range: PickerRange) -> Bool {
        if case .year = domain, let year = Int64(text), text.utf8.count <= 4 {
            return range.minimum.flatMap { Int64($0) }.map { year < $0 } ?? false
                || range.maximum.flatMap { Int64($0) }.map { year > $0 } ?? false
        }
        guard case .day = domain, let day = CalendarDay(text) else { return false }
        return range.minimum.flatMap { CalendarDay($0) }.map { day < $0 } ?? false
            || range.maximum.flatMap { CalendarDay($0) }.map { day > $0 } ?? false
    }

    private func checkMembership() -> Bool {
        switch domain {
        case .choices(let options, let others):
            guard let text = test.value?.identifier else {
                return mismatch("answers to \"\(question.id)\" are arrays of texts")
            }
            guard others == 0, !options.contains(text) else { return false }
            return unknownOption(text)
        case .texts: return test.value?.string == nil && mismatch("answers to \"\(question.id)\" are arrays of texts")
        default:
            return warn(
                "type_mismatch", "operation",
                "answers to \"\(question.id)\" are no arrays: nothing is contained in them")
        }
    }
}
