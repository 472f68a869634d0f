internal import BellwetherBase
public import BellwetherJSON

/// The answers that results count together: answers to one question, of one type, with one scale. A change of the type
/// or of the scale begins a new series (docs/decisions/0130-a-changed-scale-begins-a-new-series.md).
public struct AnswerSeries: Sendable {
    /// The id of the question. Of a flow's field it is the pointer `/step/field`.
    public let id: Identifier
    /// The name of the question's type. It is empty if the type is unknown.
    public let type: String
    /// The part of the definition that changes the meaning of a value, such as the number of stars. It is empty for
    /// most types.
    public let scale: String

    private static let separator: Character = "\u{1F}"

    public init(id: Identifier, type: String = "", scale: String? = nil) {
        (self.id, self.type, self.scale) = (id, type, scale ?? "")
    }

    /// Reads the key of marks, or of a group of counts. A key that an earlier version wrote is only an id.
    public init(key: Identifier) {
        guard let end = key.text.firstIndex(of: Self.separator) else {
            self.init(id: key)
            return
        }
        let parts = key.text[..<end].split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            id: Identifier(String(key.text[key.text.index(after: end)...])), type: parts.first.map { String($0) } ?? "",
            scale: parts.count == 2 ? String(parts[1]) : nil)
    }

    /// The type and the scale, for messages to authors.
    public var name: String { scale.isEmpty ? type : "\(type) (\(scale))" }

    public var key: Identifier { "\(scale.isEmpty ? type : "\(type) \(scale)")\(Self.separator)\(id)" }

    /// Whether a text is a key of this version.
    static func isKey(_ text: String) -> Bool { text.contains(separator) }
}

extension AnswerSeries: Hashable {
    public static func == (left: AnswerSeries, right: AnswerSeries) -> Bool { left.key == right.key }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A question that a definition asks, and the location of its type.
public struct SeriesLocation: Sendable {
    public let series: AnswerSeries
    public let pointer: JSONPointer
}

extension Question {
    public var series: AnswerSeries { AnswerSeries(id: id, type: typeName, scale: type.scale) }
}

extension SurveyDefinition {
    /// The questions, and the questions below them.
    public var asked: [SeriesLocation] {
        let root = kind == .questionnaire ? JSONPointer.root.appending("schema") : .root
        return questions.questions.enumerated().flatMap { index, question in
            let pointer = root.appending("questions").appending(String(index))
            let below = question.subQuestions.enumerated().map { index, question in
                SeriesLocation(
                    series: question.series, pointer: pointer.appending("sub_questions").appending(String(index)))
            }
            return [SeriesLocation(series: question.series, pointer: pointer)] + below
        }
    }
}

extension FlowField {
    /// - Parameter step: the id of the field's step.
    public func series(in step: Identifier) -> AnswerSeries {
        AnswerSeries(
            id: Identifier(JSONPointer.root.appending(step).appending(id).description), type: typeName,
            scale: type.scale)
    }
}

extension FlowDefinition {
    public var asked: [SeriesLocation] {
        steps.flatMap { step in
            step.fields.map { SeriesLocation(series: $0.series(in: step.id), pointer: $0.pointer) }
        }
    }
}

extension Run {
    /// Whether its marks name series, or it has none to name. Marks that an earlier version made do not.
    public var isCountedBySeries: Bool { marks?.allSatisfy { AnswerSeries.isKey($0.key) } ?? false }

    /// The series and the marks of its answers, by the ids of the questions.
    var countedAnswers: [Identifier: (series: AnswerSeries, marks: JSONValue)] {
        var counted: [Identifier: (series: AnswerSeries, marks: JSONValue)] = [:]
        for (key, marks) in marks ?? [:] {
            let series = AnswerSeries(key: Identifier(key))
            counted[series.id] = (series, marks)
        }
        return counted
    }

    /// Whether its answer to this question belongs to the series, as far as it is known.
    public func answers(_ asked: AnswerSeries) -> Bool {
        if marks?[asked.key] != nil { return true }
        guard let series = countedAnswers[asked.id]?.series else { return true }
        return series.type.isEmpty || series == asked
    }

    /// The run with marks that name series. The type of marks that an earlier version made stays unknown.
    public var keepingMarks: Run {
        var kept = self
        kept.marks = JSONObject(
            (marks ?? [:]).map { key, marks in (AnswerSeries(key: Identifier(key)).key.text, marks) })
        return kept
    }
}
