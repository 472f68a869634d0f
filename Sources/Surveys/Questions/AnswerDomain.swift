/// The values that the answers to a question can have, as far as a condition distinguishes them. The check of
/// conditions before publishing reads it (docs/findings.md#questions); judging an answer does not.
public enum AnswerDomain: Sendable, Hashable {
    /// Any text.
    case text
    /// A year as a text.
    case year
    /// A day as `YYYY-MM-DD`.
    case day
    /// An integer.
    case integer(ClosedRange<Int64>)
    /// One of these texts, or `{title: text}` with the title of an option whose text the respondent writes.
    case choice([String], others: [String])
    /// An array of these texts, and of at most so many others.
    case choices([String], others: Int)
    /// An array of any texts.
    case texts
    /// An object with a text for each label of one of the sets; `isPartial`: labels may be left out.
    case labels([[String]], isPartial: Bool)
    /// An object with one of the options for each row.
    case table(rows: [String], options: [String])
}
