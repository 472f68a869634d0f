public import BellwetherBase
public import BellwetherJSON
public import Surveys

/// What came back of a questionnaire or survey: counts over its runs (docs/reference/surveys.md#results).
///
/// Previews and runs that were screened out do not count. Runs are added newest first.
public struct SurveyResults: Sendable {
    /// Of all runs, or of those of one branch.
    private struct Counts: Sendable {
        var total = 0
        var submitted = 0
        var tallies: [QuestionCounts]

        init(_ questions: [Question]) { tallies = questions.map { QuestionCounts($0) } }

        mutating func add(_ run: Run, ofEarlierRevision isEarlier: Bool) {
            total += 1
            if run.submittedAt != nil { submitted += 1 }
            for index in tallies.indices {
                guard let answer = run.answers[tallies[index].question.id] else { continue }
                let former = isEarlier ? run.options(of: tallies[index].question.id) : []
                tallies[index].add(answer, of: run, former: former)
            }
        }

        func json(_ text: (String) -> String) -> JSONObject {
            [
                "total_responses": .integer(Int64(total)), "submitted_count": .integer(Int64(submitted)),
                "questions": .array(tallies.map { .object($0.json(text)) }),
            ]
        }
    }

    private let definition: RunDefinition
    private var counts: Counts
    /// How many of the runs were given elsewhere.
    private var imported = 0
    private var branches: [(experiment: String, branch: String, counts: Counts)] = []
    /// Answers to questions that the live revision does not have, by the question's id.
    private var retired: [(id: String, count: Int)] = []
    /// Drafts by the question at which they stand.
    private var stopped: [String: Int] = [:]
    private let now: Timestamp
    private let text: @Sendable (String) -> String

    /// - Parameter text: what a title or a label of the definition says.
    public init(_ definition: RunDefinition, now: Timestamp, text: @escaping @Sendable (String) -> String = { $0 }) {
        self.definition = definition
        self.now = now
        self.text = text
        counts = Counts(definition.definition.questions.all)
    }

    public mutating func add(_ run: Run) {
        guard run.status != .preview, run.status != .screenedOut else { return }
        if run.origin != nil { imported += 1 }
        let isEarlier = run.revision != definition.revision
        counts.add(run, ofEarlierRevision: isEarlier)
        addToBranch(run, ofEarlierRevision: isEarlier)
        for member in run.answers where definition.definition.questions[member.key] == nil {
            if let index = retired.firstIndex(where: { $0.id == member.key }) {
                retired[index].count += 1
            } else {
                retired.append((member.key, 1))
            }
        }
        guard run.submittedAt == nil else { return }
        var budget = EvaluationBudget.amongWrites
        if let id = definition.resumeAt(run, QuestionFacts(now: now), &budget) { stopped[id, default: 0] += 1 }
    }

    private mutating func addToBranch(_ run: Run, ofEarlierRevision isEarlier: Bool) {
        guard let experiment = run.experiment, let branch = run.branch else { return }
        let index =
            branches.firstIndex { $0.experiment == experiment && $0.branch == branch }
            ?? {
                branches.append((experiment, branch, Counts(definition.definition.questions.all)))
                return branches.count - 1
            }()
        branches[index].counts.add(run, ofEarlierRevision: isEarlier)
    }

    public var json: JSONObject {
        var json = counts.json(text)
        if imported > 0 { json["imported"] = .integer(Int64(imported)) }
        json["other_revisions"] = .array(
            retired.map { ["id": .string($0.id), "total_answered": .integer(Int64($0.count))] }
                + counts.tallies.compactMap(\.otherRevisions))
        json["drop_off"] = .array(
            counts.tallies.map { tally in
                [
                    "id": .string(tally.question.id), "answered": .integer(Int64(tally.answered)),
                    "stopped": .integer(Int64(stopped[tally.question.id] ?? 0)),
                ]
            })
        if !branches.isEmpty {
            json["branches"] = .array(
                branches.map { entry in
                    var json: JSONObject = ["experiment": .string(entry.experiment), "branch": .string(entry.branch)]
                    for member in entry.counts.json(text) { json[member.key] = member.value }
                    return .object(json)
                })
        }
        return json
    }
}

extension Run {
    /// The texts of a question's options when the run was submitted; of a draft none are known.
    fileprivate func options(of id: String) -> [String] {
        let questions = (snapshot?["questions"]?.array ?? []).flatMap { question in
            [question] + (question.object?["sub_questions"]?.array ?? [])
        }
        let question = questions.first { $0.object?["id"]?.string?.hasSameBytes(as: id) == true }
        return (question?.object?["options"]?.array ?? []).compactMap(\.string)
    }
}

/// The answers to one question.
private struct QuestionCounts: Sendable {
    private static let recentBound = 10

    let question: Question
    private(set) var answered = 0
    /// Texts that respondents have written, the newest first.
    private var recent: [JSONValue] = []
    /// Counts by option, or by number.
    private var options: [(id: String, count: Int)] = []
    private var otherOptions: [(id: String, count: Int)] = []
    private var numbers: [Int64: Int] = [:]

    init(_ question: Question) {
        self.question = question
        if case .choices(let choices) = question.type.tally { options = choices.map { ($0.id, 0) } }
    }

    /// - Parameter former: the texts of options of the revision that the run answered, if it was another one.
    mutating func add(_ answer: JSONValue, of run: Run, former: [String]) {
        guard !question.type.isCleared(by: answer), question.type.isComplete(answer) else { return }
        answered += 1
        switch question.type.tally {
        case .text: keep(answer, of: run)
        case .choices:
            for chosen in question.type.chosen(in: answer, former: former) {
                count(chosen.id)
                if let text = chosen.text { keep(.string(text), of: run, ["option": .string(chosen.id)]) }
            }
        case .rating, .nps:
            if let number = answer.double.flatMap({ Int64(exactly: $0) }) { numbers[number, default: 0] += 1 }
        }
    }

    private mutating func keep(_ answer: JSONValue, of run: Run, _ more: JSONObject = [:]) {
        guard recent.count < Self.recentBound, !question.isSensitive else { return }
        var kept: JSONObject = [
            "response_id": .string(run.id), "answer": answer, "created_at": .string(run.createdAt.rfc3339),
        ]
        if run.origin != nil { kept["imported"] = true }
        for member in more { kept[member.key] = member.value }
        recent.append(.object(kept))
    }

    private mutating func count(_ id: String) {
        if let index = options.firstIndex(where: { $0.id.hasSameBytes(as: id) }) {
            options[index].count += 1
        } else if let index = otherOptions.firstIndex(where: { $0.id.hasSameBytes(as: id) }) {
            otherOptions[index].count += 1
        } else if otherOptions.count < 100 {
            otherOptions.append((id, 1))
        }
    }

    /// Options that the live revision does not have.
    var otherRevisions: JSONValue? {
        guard !otherOptions.isEmpty, !question.isSensitive else { return nil }
        return [
            "id": .string(question.id),
            "choices": .array(otherOptions.map { ["id": .string($0.id), "count": .integer(Int64($0.count))] }),
        ]
    }

    func json(_ text: (String) -> String) -> JSONObject {
        var json: JSONObject = [
            "id": .string(question.id), "type": .string(question.typeName), "title": .string(text(question.title)),
            "total_answered": .integer(Int64(answered)),
        ]
        switch question.type.tally {
        case .text: json["recent_answers"] = .array(recent)
        case .choices(let choices):
            json["choices"] = .array(
                zip(choices, options).map { choice, counted in
                    [
                        "id": .string(choice.id), "label": .string(text(choice.label)),
                        "count": .integer(Int64(counted.count)),
                    ]
                })
            if !recent.isEmpty { json["recent_answers"] = .array(recent) }
        case .rating(let scale):
            json["average"] = average
            json["buckets"] = buckets(1...max(scale, 1))
        case .nps:
            let (detractors, passives, promoters) = (sum(0...6), sum(7...8), sum(9...10))
            json["score"] =
                answered == 0 ? .null : .integer(Self.rounded(100 * Double(promoters - detractors) / Double(answered)))
            json["promoters"] = .integer(Int64(promoters))
            json["passives"] = .integer(Int64(passives))
            json["detractors"] = .integer(Int64(detractors))
            json["buckets"] = buckets(0...10)
        }
        return json
    }

    private func sum(_ range: ClosedRange<Int64>) -> Int { range.reduce(0) { $0 + (numbers[$1] ?? 0) } }

    private func buckets(_ range: ClosedRange<Int64>) -> JSONValue {
        .array(range.map { ["value": .integer($0), "count": .integer(Int64(numbers[$0] ?? 0))] })
    }

    /// The mean to two decimals; null without an answer.
    private var average: JSONValue {
        let count = numbers.values.reduce(0, +)
        guard count > 0 else { return .null }
        let sum = numbers.reduce(0) { $0 + Double($1.key) * Double($1.value) }
        let hundredths = Self.rounded(100 * sum / Double(count))
        return hundredths % 100 == 0 ? .integer(hundredths / 100) : .number(Double(hundredths) / 100)
    }

    /// Halves round up.
    private static func rounded(_ number: Double) -> Int64 { Int64((number + 0.5).rounded(.down)) }
}
