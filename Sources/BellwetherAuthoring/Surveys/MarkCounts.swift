internal import BellwetherJSON
internal import Surveys

/// The counts of the marks of one question or field.
struct MarkCounts {
    /// Values of one kind, with the number of times that they were given.
    typealias Counts = [(value: String, count: Int64)]
    typealias Options = [(value: Identifier, count: Int64)]

    let answered: Int64
    private(set) var options: Options = []
    private(set) var numbers: Counts = []
    private var months: Counts = []
    private var hours: Counts = []
    private var units: Options = []
    private var rows: [(row: Identifier, options: Options)] = []
    private var amounts: [(label: Identifier, numbers: Counts)] = []

    init(_ counts: [Identifier: Int64]) {
        answered = counts[Identifier(AnswerMark.answered.text)] ?? 0
        for (text, count) in counts.sorted(by: { $0.key < $1.key }) {
            switch AnswerMark(text.text) {
            case .option(let id): options.append((id, count))
            case .number(let number): numbers.append((number, count))
            case .month(let month): months.append((month, count))
            case .hour(let hour): hours.append((hour, count))
            case .unit(let labels): units.append((labels, count))
            case .row(let row, let option):
                if let index = rows.firstIndex(where: { $0.row == row }) {
                    rows[index].options.append((option, count))
                } else {
                    rows.append((row, [(option, count)]))
                }
            case .amount(let label, let number):
                if let index = amounts.firstIndex(where: { $0.label == label }) {
                    amounts[index].numbers.append((number, count))
                } else {
                    amounts.append((label, [(number, count)]))
                }
            case .answered, nil: break
            }
        }
    }

    func count(ofOption id: Identifier) -> Int64 { options.first { $0.value == id }?.count ?? 0 }

    func count(ofNumber number: Int64) -> Int64 { numbers.first { $0.value == "\(number)" }?.count ?? 0 }

    /// The mean or the score of a scale, with the count of each value; empty for other tallies.
    func summary(of tally: QuestionTally) -> JSONObject {
        switch tally {
        case .text, .choices: return [:]
        case .rating(let scale): return ["average": average, "buckets": buckets(1...max(scale, 1))]
        case .nps:
            let (detractors, passives, promoters) = (sum(.detractors), sum(.passives), sum(.promoters))
            let score = answered == 0 ? 0 : 100 * Double(promoters - detractors) / Double(answered)
            return [
                "score": answered == 0 ? .null : .integer(Self.rounded(score)), "promoters": .integer(promoters),
                "passives": .integer(passives), "detractors": .integer(detractors), "buckets": buckets(0...10),
            ]
        }
    }

    private func sum(_ group: PromoterGroup) -> Int64 { group.values.reduce(0) { $0 + count(ofNumber: Int64($1)) } }

    private func buckets(_ range: ClosedRange<Int64>) -> JSONValue {
        .array(range.map { ["value": .integer($0), "count": .integer(count(ofNumber: $0))] })
    }

    /// The mean with two decimal places; null without an answer.
    private var average: JSONValue {
        let values = numbers.compactMap { entry in Double(entry.value).map { ($0, entry.count) } }
        let count = values.reduce(0) { $0 + $1.1 }
        guard count > 0 else { return .null }
        let sum = values.reduce(0) { $0 + $1.0 * Double($1.1) }
        let hundredths = Self.rounded(100 * sum / Double(count))
        return hundredths % 100 == 0 ? .integer(hundredths / 100) : .number(Double(hundredths) / 100)
    }

    /// The 95 % interval of the mean or the score of a scale: null without enough answers, nil for other tallies
    /// (docs/reference/rounds.md#results).
    func interval(of tally: QuestionTally) -> JSONValue? {
        switch tally {
        case .text, .choices: nil
        case .nps: intervalOfScore
        case .rating(let scale): interval(ofMeanUpTo: Double(scale))
        }
    }

    /// Three more answers, in equal parts, keep the interval of few equal answers from being empty.
    private var intervalOfScore: JSONValue {
        guard answered > 0 else { return .null }
        let count = Double(answered) + 3
        let promoters = (Double(sum(.promoters)) + 0.75) / count
        let detractors = (Double(sum(.detractors)) + 0.75) / count
        let mean = promoters - detractors
        let error = Self.normal * ((promoters + detractors - mean * mean) / count).squareRoot()
        func bound(_ value: Double) -> JSONValue { .integer(Self.rounded(min(max(100 * value, -100), 100))) }
        return ["low": bound(mean - error), "high": bound(mean + error)]
    }

    private func interval(ofMeanUpTo scale: Double) -> JSONValue {
        let values = numbers.compactMap { entry in Double(entry.value).map { ($0, Double(entry.count)) } }
        let count = values.reduce(0) { $0 + $1.1 }
        guard count >= 2 else { return .null }
        let mean = values.reduce(0) { $0 + $1.0 * $1.1 } / count
        let variance = values.reduce(0) { $0 + ($1.0 - mean) * ($1.0 - mean) * $1.1 } / (count - 1)
        let error = Self.normal * (variance / count).squareRoot()
        func bound(_ value: Double) -> JSONValue {
            let hundredths = Self.rounded(100 * min(max(value, 1), scale))
            return hundredths % 100 == 0 ? .integer(hundredths / 100) : .number(Double(hundredths) / 100)
        }
        return ["low": bound(mean - error), "high": bound(mean + error)]
    }

    /// The quantile of the normal distribution that an interval of 95 % has on each side.
    private static let normal = 1.96

    /// Rounds halves up.
    private static func rounded(_ number: Double) -> Int64 { Int64((number + 0.5).rounded(.down)) }

    /// The distributions of numbers, dates, times, units and rows. A distribution without values is absent
    /// (docs/reference/surveys.md#distributions).
    ///
    /// - Parameter titles: The titles of rows by their ids.
    func distributions(includesNumbers: Bool, titles: [Identifier: String] = [:]) -> JSONObject {
        var json: JSONObject = [:]
        if includesNumbers, !numbers.isEmpty { json["distribution"] = .object(Self.numbers(numbers)) }
        if !months.isEmpty { json["distribution"] = ["kind": "month", "buckets": Self.buckets(months)] }
        if !hours.isEmpty { json["distribution"] = ["kind": "hour", "buckets": Self.buckets(hours)] }
        if !units.isEmpty {
            json["units"] = .array(units.map { ["labels": .string($0.value), "count": .integer($0.count)] })
        }
        if !amounts.isEmpty {
            json["amounts"] = .array(
                amounts.map { label, numbers in
                    var members: JSONObject = ["label": .string(label)]
                    for member in Self.numbers(numbers) { members[member.key] = member.value }
                    return .object(members)
                })
        }
        if !rows.isEmpty {
            json["rows"] = .array(
                rows.map { row, options in
                    let counts = options.map { option, count -> JSONValue in
                        ["id": .string(option), "count": .integer(count)]
                    }
                    var members: JSONObject = [
                        "id": .string(row), "total_answered": .integer(options.reduce(0) { $0 + $1.count }),
                        "choices": .array(counts),
                    ]
                    members["title"] = titles[row].map { .string($0) }
                    return .object(members)
                })
        }
        return json
    }

    /// The ordered buckets, and the median.
    private static func numbers(_ counts: Counts) -> JSONObject {
        let sorted = counts.compactMap { entry in Double(entry.value).map { (value: $0, count: entry.count) } }
            .sorted { $0.value < $1.value }
        let buckets = sorted.map { value, count -> JSONValue in ["value": json(value), "count": .integer(count)] }
        return [
            "kind": "number", "median": sorted.quantile(0.5).map(json) ?? .null, "buckets": .array(buckets),
        ]
    }

    static func json(_ number: Double) -> JSONValue { Int64(exactly: number).map { .integer($0) } ?? .number(number) }

    private static func buckets(_ counts: Counts) -> JSONValue {
        .array(counts.map { ["value": .string($0.value), "count": .integer($0.count)] })
    }
}
