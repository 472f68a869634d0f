public import BellwetherJSON

/// The possible values of the answers to a question, as far as a condition distinguishes them. The check of conditions
/// before publishing uses it (docs/findings.md#questions). It is not used for judging an answer.
public enum AnswerDomain: Sendable, Hashable {
    /// Any text.
    case text
    /// A year as a text.
    case year
    /// A day as `YYYY-MM-DD`.
    case day
    /// An integer.
    case integer(ClosedRange<Int64>)
    /// One of these texts, or `{title: text}` with the title of an option for which the respondent writes a text.
    case choice([Identifier], others: [Identifier])
    /// An array of these texts, with at most this number of other texts.
    case choices([Identifier], others: Int)
    /// An array of any texts.
    case texts
    /// An object with a text for each label of one of the sets. If `isPartial`, labels may be missing.
    case labels([[Identifier]], isPartial: Bool)
    /// An object with one of the options for each row.
    case table(rows: [Identifier], options: [Identifier])
}
