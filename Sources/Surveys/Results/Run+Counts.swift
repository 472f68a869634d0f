internal import BellwetherBase
public import BellwetherJSON

/// The counts that a run adds to the results of its recipe.
extension Run {
    /// The counts; nil if the run adds none. That is so if it is deleted, a preview, or screened out, or if the
    /// daemon's version that saved it last made no marks.
    public var counts: ResultCounts? {
        guard let marks, deletedAt == nil, status != .preview, status != .screenedOut else { return nil }
        var counts = ResultCounts()
        counts.add(CountGroup.totals, "runs")
        for (key, texts) in marks {
            let group = CountGroup.series(key: Identifier(key))
            for text in texts.array ?? [] { if let text = text.identifier { counts.add(group, text) } }
        }
        if let flow { flow.count(into: &counts) }
        if submittedAt != nil { countMoves(into: &counts) }
        // An imported response is left out, because its source may not report when it began.
        if let submittedAt, submittedAt >= createdAt, origin == nil {
            let seconds = (submittedAt.milliseconds - createdAt.milliseconds) / 1000
            counts.add(CountGroup.seconds, "\(ResultBin.seconds(seconds))")
        } else if submittedAt == nil, flow == nil, let stoppedAt {
            counts.add(CountGroup.stopped, stoppedAt)
        }
        return counts
    }

    private func countMoves(into counts: inout ResultCounts) {
        for (key, value) in values {
            guard let former = formerValues?[key]?.integer else { continue }
            counts.add(CountGroup.moves(key: Identifier(key)), ValueMove(from: former, to: value).key)
        }
    }

    /// The values on scales, by the keys of their series.
    private var values: [String: Int64] {
        var values: [String: Int64] = [:]
        for (key, marks) in marks ?? [:] {
            for case .number(let number)? in (marks.array ?? []).map({ $0.string.flatMap(AnswerMark.init) }) {
                if let value = Int64(number), ValueMove.values.contains(value) { values[key] = value }
            }
        }
        return values
    }

    /// Notes the values of the round before.
    ///
    /// - Parameter former: the respondent's newest run before this one. If it is of the same round, it was screened out
    ///   or deleted, and has the values of the round before.
    public mutating func follow(_ former: Run?) {
        guard let round, let former, let other = former.round else { return }
        let isAnswer = other < round && former.submittedAt != nil
        let values: JSONObject? = isAnswer ? JSONObject(former.values.map { ($0, .integer($1)) }) : nil
        formerValues = other == round ? former.formerValues : values?.isEmpty == true ? nil : values
    }
}

/// The answers that one respondent gave on a scale in two rounds, one after the other.
public struct ValueMove: Sendable, Hashable {
    /// The values that are compared: those of all scales.
    static let values: ClosedRange<Int64> = 0...11

    public let from: Int64
    public let to: Int64

    public init(from: Int64, to: Int64) { (self.from, self.to) = (from, to) }

    /// Reads a key of counts; nil for another text.
    public init?(key: Identifier) {
        let parts = key.text.split(separator: ">", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let from = parts[0], let to = parts[1] else { return nil }
        self.init(from: from, to: to)
    }

    var key: Identifier { "\(from)>\(to)" }
}

extension RunDefinition {
    /// The run with the marks of its answers, and the question at which its respondent continues. An answer to a
    /// question that this revision does not have keeps the marks of the revision that asked it.
    public func marking(_ run: Run, stoppedAt: Identifier?) -> Run {
        var marked = run
        let former = run.countedAnswers
        marked.marks = JSONObject(
            run.answers.compactMap { key, answer in
                let id = Identifier(key)
                guard let question = definition.questions[id] else {
                    return former[id].map { ($0.series.key.text, $0.marks) }
                        ?? (AnswerSeries(id: id).key.text, [.string(AnswerMark.answered.text)])
                }
                let marks = question.marks(of: answer)
                return marks.isEmpty ? nil : (question.series.key.text, .array(marks.map { .string($0.text) }))
            })
        marked.stoppedAt = stoppedAt
        return marked
    }
}

extension Question {
    /// The marks of an answer; empty if the answer does not count.
    func marks(of answer: JSONValue) -> [AnswerMark] {
        guard !type.isCleared(by: answer), type.isComplete(answer) else { return [] }
        return [.answered] + type.marks(of: answer)
    }
}

extension FlowDefinition {
    /// The run with the marks of its answers. An answer without marks is counted as given.
    public func marking(_ run: Run) -> Run {
        var marked = run
        var marks: JSONObject = [:]
        for step in steps {
            guard let answers = run.answers[step.id]?.object else { continue }
            for field in step.fields {
                guard let answer = answers[field.id], answer != .null, !answer.isEmptyAnswer else { continue }
                let own = field.isSensitive ? [] : field.type.marks(of: answer)
                marks[field.series(in: step.id).key] = .array(([.answered] + own).map { .string($0.text) })
            }
        }
        marked.marks = marks
        return marked
    }
}

extension FlowRun {
    fileprivate func count(into counts: inout ResultCounts) {
        counts.add(CountGroup.totals, Identifier(status.rawValue))
        if let reason = outcome?.reason { counts.add(CountGroup.totals, "=\(reason.rawValue)") }
        for (step, own) in self.counts { count(own, CountGroup.step(step), into: &counts) }
        for (from, to) in Set(zip(path, path.dropFirst()).map { Passage(from: $0, to: $1) }).map({ ($0.from, $0.to) }) {
            counts.add(CountGroup.next(of: from), to)
        }
        guard let last = path.last else { return }
        switch status {
        case .active: counts.add(CountGroup.step(last), "stopped")
        case .dismissed: counts.add(CountGroup.step(last), "dismissed")
        case .completed: break
        }
    }

    private func count(_ own: FlowStepCounts, _ group: Identifier, into counts: inout ResultCounts) {
        counts.add(group, "runs")
        let visits: [(Identifier, Int)] = [
            ("viewed", own.viewed), ("completed", own.completed), ("skipped", own.skipped), ("back", own.back),
        ]
        for (key, count) in visits where count > 0 {
            counts.add(Int64(count), group, key)
            counts.add(group, "\(key)_runs")
        }
        counts.add(own.milliseconds, group, "ms")
    }

    private struct Passage: Hashable {
        let from: Identifier
        let to: Identifier
    }
}
