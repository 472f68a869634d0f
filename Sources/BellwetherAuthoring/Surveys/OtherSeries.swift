internal import BellwetherBase
internal import BellwetherJSON
internal import Surveys

/// The answers of series that the revision in force does not ask for
/// (docs/decisions/0130-a-changed-scale-begins-a-new-series.md).
extension ResultCounts {
    /// The series that are not among these, by their ids.
    func others(than asked: [AnswerSeries]) -> [(series: AnswerSeries, counts: MarkCounts)] {
        let asked = Set(asked)
        return groups.compactMap { group, counts in
            CountGroup.series(of: group).flatMap { asked.contains($0) ? nil : ($0, MarkCounts(counts)) }
        }.sorted { $0.series.isBefore($1.series) }
    }
}

extension AnswerSeries {
    fileprivate func isBefore(_ other: AnswerSeries) -> Bool {
        id == other.id ? key < other.key : id < other.id
    }

    /// An element of `other_revisions`.
    ///
    /// - Parameters:
    ///   - isDetailed: Whether it has more than the number of answers.
    ///   - ofFlow: Whether a flow asked. Its ratings have half stars, so that they are a distribution.
    func json(_ counts: MarkCounts, isDetailed: Bool, ofFlow: Bool = false) -> JSONObject {
        var json: JSONObject = ["id": .string(id)]
        if !type.isEmpty { json["type"] = .string(type) }
        if !scale.isEmpty { json["scale"] = Int64(scale).map { .integer($0) } ?? .string(scale) }
        json["total_answered"] = .integer(counts.answered)
        guard isDetailed else { return json }
        if !counts.options.isEmpty {
            json["choices"] = .array(
                counts.options.prefix(100).map { ["id": .string($0.value), "count": .integer($0.count)] })
        }
        let tally = ofFlow ? .text : tally
        for member in counts.summary(of: tally) { json[member.key] = member.value }
        for member in counts.distributions(includesNumbers: tally == .text) { json[member.key] = member.value }
        return json
    }

    /// The tally of a questionnaire's scale. Other numbers are a distribution.
    private var tally: QuestionTally {
        if type == NPSQuestion.name { return .nps }
        guard type == RatingQuestion.name, let points = Int64(scale), points <= 11 else { return .text }
        return .rating(scale: points)
    }
}
