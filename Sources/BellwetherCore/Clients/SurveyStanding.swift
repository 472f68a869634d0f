public import BellwetherBase
public import BellwetherJSON

/// The submissions and dismissals of one respondent in questionnaires and surveys, as polls need them
/// (docs/reference/surveys.md#respondents).
public struct SurveyStanding: Sendable, Hashable {
    /// The time at which the respondent opted out of all questionnaires and surveys; nil: never.
    public var dismissedAt: Timestamp?
    /// The submission of each recipe, by slug in byte order.
    public private(set) var submissions: [Submission] = []

    public struct Submission: Sendable, Hashable {
        public let slug: Identifier
        public let at: Timestamp
    }

    public init() {}

    public var isEmpty: Bool { dismissedAt == nil && submissions.isEmpty }

    public func hasSubmitted(_ slug: Identifier) -> Bool { submission(of: slug) != nil }

    /// The time at which the recipe was first submitted.
    func submission(of slug: Identifier) -> Timestamp? { submissions.first { $0.slug == slug }?.at }

    public mutating func submit(_ slug: Identifier, at time: Timestamp) {
        guard !hasSubmitted(slug) else { return }
        let index = submissions.firstIndex { slug < $0.slug } ?? submissions.endIndex
        submissions.insert(Submission(slug: slug, at: time), at: index)
    }

    /// Merges the standing of another respondent: the later dismissal, and all submissions.
    public mutating func merge(_ other: SurveyStanding) {
        dismissedAt = [dismissedAt, other.dismissedAt].compactMap(\.self).max()
        for submission in other.submissions { submit(submission.slug, at: submission.at) }
    }

    /// Removes the submission of a recipe whose response was deleted.
    public mutating func withdraw(_ slug: Identifier) { submissions.removeAll { $0.slug == slug } }
}

extension SurveyStanding {
    func encode(into writer: inout PackedWriter) {
        writer.signed(dismissedAt?.milliseconds ?? 0)
        writer.unsigned(UInt64(submissions.count))
        for submission in submissions {
            writer.name(submission.slug)
            writer.signed(submission.at.milliseconds)
        }
    }

    init?(from reader: inout PackedReader) {
        guard let dismissed = reader.signed(), let count = reader.count() else { return nil }
        if dismissed != 0 { dismissedAt = Timestamp(milliseconds: dismissed) }
        for _ in 0..<count {
            guard let slug = reader.name(), let time = reader.signed() else { return nil }
            submit(slug, at: Timestamp(milliseconds: time))
        }
        guard submissions.count == count else { return nil }
    }
}
