internal import BellwetherBase
public import BellwetherJSON
public import Surveys

/// The results of a questionnaire or survey (docs/reference/surveys.md#results).
public struct SurveyResults: RunResults {
    private let definition: RunDefinition
    private let text: @Sendable (String) -> String
    private var sums = CellSums()
    private var shown = ShownTexts()
    private var shownByBranch: [Identifier: ShownTexts] = [:]
    /// Whether the results are of a round or a time.
    private var isOfSeries = false

    /// - Parameter text: Resolves a title or a label of the definition.
    public init(_ definition: RunDefinition, text: @escaping @Sendable (String) -> String = { $0 }) {
        (self.definition, self.text) = (definition, text)
    }

    private var questions: [Question] { definition.definition.questions.all }

    public mutating func add(_ counts: ResultCounts, of cell: ResultCell) { sums.add(counts, of: cell) }

    public mutating func showSeries() { isOfSeries = true }

    /// Whether a question may show more texts, and there are more.
    public var needsRuns: Bool {
        questions.contains { question in
            guard question.mayShowTexts else { return false }
            let marks = MarkCounts(sums.all.counts[CountGroup.series(question.series)])
            let texts = question.openOptions.map { options in
                options.reduce(0) { $0 + marks.count(ofOption: $1) }
            }
            return shown.count(of: question) < min(ShownTexts.bound, Int(texts ?? marks.answered))
        }
    }

    public mutating func show(_ run: Run) {
        let isEarlier = run.revision != definition.revision
        shown.add(run, to: questions, ofEarlierRevision: isEarlier)
        guard let experiment = run.experiment, let branch = run.branch else { return }
        shownByBranch["\(experiment)\u{1F}\(branch)", default: ShownTexts()]
            .add(run, to: questions, ofEarlierRevision: isEarlier)
    }

    public var json: JSONObject {
        var json = counts(sums.all, shown)
        for member in sums.json { json[member.key] = member.value }
        json["other_revisions"] = .array(otherSeries + questions.compactMap(otherOptions))
        json["drop_off"] = .array(
            questions.map { question in
                [
                    "id": .string(question.id),
                    "answered": .integer(
                        sums.all.counts[CountGroup.series(question.series), Identifier(AnswerMark.answered.text)]),
                    "stopped": .integer(sums.all.counts[CountGroup.stopped, question.id]),
                ]
            })
        let branches = sums.branches
        if !branches.isEmpty {
            json["branches"] = .array(
                branches.map { entry in
                    var json: JSONObject = ["experiment": .string(entry.experiment), "branch": .string(entry.branch)]
                    let shown = shownByBranch["\(entry.experiment)\u{1F}\(entry.branch)"] ?? ShownTexts()
                    for member in counts(entry.sum, shown) { json[member.key] = member.value }
                    return .object(json)
                })
        }
        return json
    }

    private func counts(_ sum: CellSums.RunSum, _ shown: ShownTexts) -> JSONObject {
        [
            "total_responses": .integer(sum.runs), "submitted_count": .integer(sum.submitted),
            "questions": .array(
                questions.map { question in
                    let counts = MarkCounts(sum.counts[CountGroup.series(question.series)])
                    let texts = shown.texts(of: question).map { inWords($0, of: question) }
                    var json = question.json(counts, texts, text)
                    if isOfSeries {
                        json["interval"] = counts.interval(of: question.type.tally)
                        json["moved"] = question.moved(sum.counts)
                    }
                    return .object(json)
                }),
        ]
    }

    /// Adds a readable text to an answer of several parts.
    private func inWords(_ shown: JSONValue, of question: Question) -> JSONValue {
        guard var members = shown.object, let answer = members["answer"], answer.string == nil else { return shown }
        members["text"] = .string(definition.definition.words(for: answer, to: question, text))
        return .object(members)
    }

    /// Answers to questions that the live revision does not have, or that it asks on another scale.
    private var otherSeries: [JSONValue] {
        sums.all.counts.others(than: questions.map(\.series)).map { series, counts in
            let question = definition.definition.questions[series.id]
            return .object(series.json(counts, isDetailed: question?.isSensitive == false))
        }
    }

    /// Options that the live revision does not have.
    private func otherOptions(_ question: Question) -> JSONValue? {
        guard case .choices(let choices) = question.type.tally, !question.isSensitive else { return nil }
        let others = MarkCounts(sums.all.counts[CountGroup.series(question.series)]).options.filter { option in
            !choices.contains { $0.id == option.value }
        }
        guard !others.isEmpty else { return nil }
        return [
            "id": .string(question.id),
            "choices": .array(others.prefix(100).map { ["id": .string($0.value), "count": .integer($0.count)] }),
        ]
    }
}

/// The newest texts of respondents, by question.
private struct ShownTexts: Sendable {
    static let bound = 10

    private var texts: [Identifier: [JSONValue]] = [:]

    func texts(of question: Question) -> [JSONValue] { texts[question.id] ?? [] }

    func count(of question: Question) -> Int { texts[question.id]?.count ?? 0 }

    mutating func add(_ run: Run, to questions: [Question], ofEarlierRevision isEarlier: Bool) {
        for question in questions where question.mayShowTexts {
            guard let answer = run.answers[question.id], run.answers(question.series),
                !question.type.isCleared(by: answer),
                question.type.isComplete(answer)
            else { continue }
            guard case .choices = question.type.tally else {
                keep(answer, of: run, question)
                continue
            }
            let former = isEarlier ? run.options(of: question.id) : []
            for chosen in question.type.chosen(in: answer, former: former) {
                if let text = chosen.text { keep(.string(text), of: run, question, ["option": .string(chosen.id)]) }
            }
        }
    }

    private mutating func keep(_ answer: JSONValue, of run: Run, _ question: Question, _ more: JSONObject = [:]) {
        guard count(of: question) < Self.bound else { return }
        var kept: JSONObject = [
            "response_id": .string(run.id), "answer": answer, "created_at": .string(run.createdAt.rfc3339),
        ]
        if run.origin != nil { kept["imported"] = true }
        for member in more { kept[member.key] = member.value }
        texts[question.id, default: []].append(.object(kept))
    }
}

extension Run {
    /// The texts of a question's options when the run was submitted; empty for a draft.
    fileprivate func options(of id: Identifier) -> [Identifier] {
        let questions = (snapshot?["questions"]?.array ?? []).flatMap { question in
            [question] + (question.object?["sub_questions"]?.array ?? [])
        }
        let question = questions.first { $0.object?["id"]?.identifier == id }
        return (question?.object?["options"]?.array ?? []).compactMap(\.identifier)
    }
}

extension Question {
    /// The options whose text respondents write; nil if the answer itself is a text.
    fileprivate var openOptions: [Identifier]? {
        guard case .choices = type.tally else { return nil }
        return (document["options"]?.array ?? []).compactMap { $0.object }
            .filter { $0["id"] == nil }.compactMap { $0["title"]?.identifier }
    }

    /// Whether results show the texts of respondents.
    fileprivate var mayShowTexts: Bool {
        guard !isSensitive else { return false }
        return switch type.tally {
        case .text: true
        case .choices: openOptions?.isEmpty == false
        case .rating, .nps: false
        }
    }

    /// The number of respondents for each pair of values that they gave in the round before and in this one. A net
    /// promoter score has its three groups as values. Nil if no respondent answered before.
    fileprivate func moved(_ counts: ResultCounts) -> JSONValue? {
        let steps = steps
        func step(_ value: Int64) -> Int? { steps.firstIndex { $0.values.contains(Int(value)) } }
        var moves: [[Int]: Int64] = [:]
        for (key, count) in counts[CountGroup.moves(series)] {
            guard let move = ValueMove(key: key), let from = step(move.from), let to = step(move.to) else { continue }
            moves[[from, to], default: 0] += count
        }
        guard !moves.isEmpty else { return nil }
        return .array(
            moves.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { places, count in
                ["from": steps[places[0]].name, "to": steps[places[1]].name, "count": .integer(count)]
            })
    }

    /// The values between which respondents move, in their order. Empty if the question has no scale.
    private var steps: [(name: JSONValue, values: ClosedRange<Int>)] {
        switch type.tally {
        case .text, .choices: []
        case .rating(let scale): (1...max(1, Int(scale))).map { (.integer(Int64($0)), $0...$0) }
        case .nps: PromoterGroup.allCases.map { (.string($0.rawValue), $0.values) }
        }
    }

    fileprivate func json(_ counts: MarkCounts, _ texts: [JSONValue], _ text: (String) -> String) -> JSONObject {
        var json: JSONObject = [
            "id": .string(id), "type": .string(typeName), "title": .string(text(title)),
            "total_answered": .integer(counts.answered),
        ]
        if case .choices(let choices) = type.tally {
            json["choices"] = .array(
                choices.map { choice in
                    [
                        "id": .string(choice.id), "label": .string(text(choice.label)),
                        "count": .integer(counts.count(ofOption: choice.id)),
                    ]
                })
        }
        if type.tally == .text || !texts.isEmpty { json["recent_answers"] = .array(texts) }
        for member in counts.summary(of: type.tally) { json[member.key] = member.value }
        let distributions = counts.distributions(
            includesNumbers: type.tally == .text, titles: rowTitles.mapValues(text))
        for member in distributions { json[member.key] = member.value }
        return json
    }
}
