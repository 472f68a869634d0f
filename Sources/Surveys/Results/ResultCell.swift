internal import BellwetherBase

/// What runs have in common that are counted together: results are filtered by it
/// (docs/decisions/0089-results-are-counted-in-the-commit-of-each-run.md).
public struct ResultCell: Sendable, Hashable {
    /// On which the runs began, in UTC.
    public let day: String
    public let isDevelopment: Bool
    public let isSubmitted: Bool
    public let isImported: Bool
    /// Both empty: in no branch.
    public let experiment: String
    public let branch: String

    private static let separator: Character = "\u{1F}"

    /// What the keys of a recipe's cells begin with. A slug has no control character.
    public static func prefix(_ slug: String) -> String { slug + String(separator) }

    public init(_ run: Run) {
        day = CalendarDay(run.createdAt).text
        (isDevelopment, isSubmitted) = (run.isDevelopment, run.submittedAt != nil)
        isImported = run.origin != nil
        let isInBranch = run.experiment != nil && run.branch != nil
        (experiment, branch) = isInBranch ? (run.experiment ?? "", run.branch ?? "") : ("", "")
    }

    /// Nil for a key of another form.
    public init?(key: String) {
        let parts = key.split(separator: Self.separator, maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[2].utf8.count == 3 else { return nil }
        let flags = Array(parts[2].utf8)
        day = String(parts[1])
        isDevelopment = flags[0] == UInt8(ascii: "d")
        isSubmitted = flags[1] == UInt8(ascii: "s")
        isImported = flags[2] == UInt8(ascii: "i")
        (experiment, branch) = (String(parts[3]), String(parts[4]))
    }

    /// Of the row that has the cell's counts.
    public func key(_ slug: String) -> String {
        let flags = (isDevelopment ? "d" : "p") + (isSubmitted ? "s" : "o") + (isImported ? "i" : "h")
        return [slug, day, flags, experiment, branch].joined(separator: String(Self.separator))
    }
}
