internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Answers to one question: one for each combination of results that some tests can have. Nil means no answer.
///
/// For these tests, every possible answer behaves as one of the cases. This follows from the tests' values: the cases
/// include the numbers between them, other texts, and the choices of the question.
struct AnswerCases {
    let cases: [JSONValue?]

    /// The maximum number of values, and of tests.
    private static let maximum = 1024

    /// Nil if a test distinguishes more than these cases, or if the cases exceed the effort.
    init?(_ domain: AnswerDomain, _ tests: [ConditionTest], _ effort: inout AnswerEffort) {
        guard tests.count <= Self.maximum, tests.allSatisfy(\.isDecidable),
            let values = CandidateAnswers(tests).values(of: domain), values.count <= Self.maximum
        else { return nil }
        effort.leaves -= values.count * tests.count
        guard !effort.isOver else { return nil }
        var seen: Set<[Bool]> = []
        cases = ([nil] + values.map { $0 }).filter { answer in
            seen.insert(tests.map { $0.holds(of: answer, &effort.budget) }).inserted
        }
        guard !effort.isOver else { return nil }
    }
}

/// The candidate values of answers.
private struct CandidateAnswers {
    /// The texts and numbers in the tests, including the elements of arrays.
    private let literals: [JSONValue]
    private let arrays: [JSONValue]
    /// The labels, rows and titles that tests read.
    private let members: Set<Identifier>

    /// The maximum number of choices whose subsets are tried.
    private static let maximumChoices = 8
    private static let maximumLabels = 512

    init(_ tests: [ConditionTest]) {
        let operands = tests.compactMap(\.value)
        literals = operands.flatMap { $0.array ?? [$0] }
        arrays = operands.filter { $0.array != nil }
        members = Set(tests.compactMap(\.reference.textMember))
    }

    func values(of domain: AnswerDomain) -> [JSONValue]? {
        switch domain {
        case .text: return texts.map { .string($0) }
        case .year: return years.map { .string($0) }
        case .day: return days.map { .string($0) }
        case .integer(let range): return range.map { .integer($0) }
        case .choice(let options, let others):
            let written = others.flatMap { title in
                texts.map { JSONValue.object([title.text: .string($0)]) }
            }
            return options.map { .string($0) } + written
        case .choices(let options, let others): return subsets(of: options, others: others)
        case .texts: return subsets(of: [], others: .max)
        case .labels(let sets, let isPartial): return objects(of: sets, isPartial)
        case .table(let rows, let options):
            return objects(
                rows.filter(members.contains).map { row in (row, options.map { .string($0) } + [nil]) }, [:])
        }
    }
}

extension CandidateAnswers {
    private var namedTexts: [String] { literals.compactMap(\.string) }

    /// A text that no test names and that is not a number.
    private var freshText: String {
        var text = "x"
        while namedTexts.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { text += "x" }
        return text
    }

    /// The numbers in the tests, one number between each two, one below and one above.
    private var numbers: [Double] {
        let named = Set(literals.compactMap(\.numericValue)).sorted()
        guard let first = named.first, let last = named.last else { return [] }
        let between = zip(named, named.dropFirst()).map { ($0 + $1) / 2 }
        return named + between + [first - 1, last + 1]
    }

    private var texts: [String] { [freshText] + namedTexts + numbers.map(\.numberText) }

    private var years: [String] {
        let near = numbers.flatMap { [$0.rounded(.down), $0.rounded(.up)] }
        let valid = near.compactMap { Int64(exactly: $0) }.filter { (1...9999).contains($0) }
        let named = namedTexts.filter { (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIDigit) }
        return named + (valid + [2000, 1]).map { String($0) }
    }

    private var days: [String] {
        let named = namedTexts.filter { CalendarDay($0) != nil }
        let fresh = (1...28).map { "1970-01-\($0 < 10 ? "0" : "")\($0)" }
            .first { day in !named.contains { $0.utf8.elementsEqual(day.utf8) } }
        return named + (fresh.map { [$0] } ?? [])
    }

    /// The subsets of the choices in the tests, with and without another choice.
    private func subsets(of options: [Identifier], others: Int) -> [JSONValue]? {
        var named: [Identifier] = []
        for text in namedTexts.map({ Identifier($0) }) where !named.contains(text) { named.append(text) }
        named = named.filter { text in others > 0 || options.contains(text) }
        guard named.count <= Self.maximumChoices else { return nil }
        let unnamed = options.first { option in !named.contains(option) }
        let another = unnamed ?? (others > 0 ? Identifier(freshText) : nil)
        var subsets: [JSONValue] = []
        for bits in 0..<(1 << named.count) {
            let chosen = named.indices.filter { bits & (1 << $0) != 0 }.map { named[$0] }
            let written = chosen.count { text in !options.contains(text) }
            guard written <= others else { continue }
            subsets.append(.array(chosen.map { .string($0) }))
            guard let another, unnamed != nil || written < others else { continue }
            subsets.append(.array((chosen + [another]).map { .string($0) }))
        }
        let whole = arrays.filter { array in
            (array.array ?? []).allSatisfy { item in
                item.identifier.map { text in others > 0 || options.contains(text) } ?? false
            }
        }
        return subsets + whole
    }

    private func objects(of sets: [[Identifier]], _ isPartial: Bool) -> [JSONValue]? {
        var objects: [JSONValue] = []
        for labels in sets {
            let read = labels.filter(members.contains)
            var rest = JSONObject()
            if !isPartial {
                for label in labels { rest[label] = .string(freshText) }
            }
            let values = texts.map { JSONValue?.some(.string($0)) } + (isPartial ? [nil] : [])
            guard let made = self.objects(read.map { ($0, values) }, rest) else { return nil }
            objects += made
        }
        return objects.count <= Self.maximumLabels ? objects : nil
    }

    /// Every combination of the members' values. A nil value keeps the member of `rest`.
    private func objects(_ members: [(key: Identifier, values: [JSONValue?])], _ rest: JSONObject) -> [JSONValue]? {
        var objects = [rest]
        for member in members {
            guard objects.count * member.values.count <= Self.maximumLabels else { return nil }
            objects = objects.flatMap { object in
                member.values.map { value in
                    var object = object
                    if let value { object[member.key] = value }
                    return object
                }
            }
        }
        return objects.map { .object($0) }
    }
}

extension ConditionTest {
    /// The value with which the test compares; nil if there is none.
    var value: JSONValue? { if case .value(let value) = operand { value } else { nil } }

    /// Whether the cases of an answer distinguish all values that the test can read.
    fileprivate var isDecidable: Bool {
        guard reference.root == .answers, reference.path.count == 1 else { return false }
        if case .reference = operand { return false }
        switch operation {
        case .equals, .greater, .greaterOrEqual, .less, .lessOrEqual, .between, .isMember, .exists: return true
        case .contains(let containment): return containment == .members
        default: return false
        }
    }

    fileprivate func holds(of answer: JSONValue?, _ budget: inout EvaluationBudget) -> Bool {
        var answers = JSONObject()
        if let id = reference.path.first { answers[id] = answer }
        return Condition.test(self).holds(for: ConditionFacts(answers: answers), &budget)
    }
}

extension Double {
    /// The number in the form of an answer.
    fileprivate var numberText: String { Int64(exactly: self).map { String($0) } ?? "\(self)" }
}
