internal import Surveys

/// Any text as a pattern, and any text to search; a byte 1 separates them.
///
/// Compiling and searching must stay within their limit of steps, and must take the same number of steps again.
/// libFuzzer limits the time: it ends an input that takes longer than all these steps can.
public enum PatternCheck: FuzzCheck {
    private static let steps = 200_000

    public static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome {
        let parts = bytes.split(separator: 1, maxSplits: 1, omittingEmptySubsequences: false)
        let source = String(decoding: parts.first ?? [], as: UTF8.self)
        // Repeated, so that few bytes lead to a long search.
        let part = String(decoding: parts.count > 1 ? parts[1] : [], as: UTF8.self)
        let pattern: Pattern
        do throws(Pattern.SyntaxError) {
            pattern = try Pattern(source)
        } catch {
            try require(
                (0...source.unicodeScalars.count).contains(error.offset), "a fault outside of the pattern: \(error)")
            return .refused
        }
        try search(pattern, in: part)
        try search(pattern, in: String(repeating: part, count: 1 + 1_000 / max(1, part.unicodeScalars.count)))
        return .taken
    }

    private static func search(_ pattern: Pattern, in text: String) throws(Violation) {
        var budget = EvaluationBudget(steps: steps)
        let isFound = pattern.isFound(in: text, &budget)
        try require(!isFound || !budget.isShort, "found without the steps for it")
        var again = EvaluationBudget(steps: steps)
        try require(pattern.isFound(in: text, &again) == isFound, "searched twice, the outcome is another")
        try require(again == budget, "searched twice, it takes other steps")
        guard !budget.isShort else { return }
        // The number of steps that the search took is enough, and one step less is not.
        let taken = steps - budget.steps
        var exact = EvaluationBudget(steps: taken)
        try require(pattern.isFound(in: text, &exact) == isFound && !exact.isShort, "it takes more steps than it took")
        guard taken > 0 else { return }
        var short = EvaluationBudget(steps: taken - 1)
        try require(!pattern.isFound(in: text, &short) && short.isShort, "found with too few steps")
        try compare(pattern, isFound, text)
    }

    /// A group does not change the result, and neither does an alternation of the pattern with itself.
    private static func compare(_ pattern: Pattern, _ isFound: Bool, _ text: String) throws(Violation) {
        guard !pattern.text.hasPrefix("(?i)") else { return }
        for other in ["(?:\(pattern.text))", "(?:\(pattern.text))|(?:\(pattern.text))", "(?:\(pattern.text)){1}?"] {
            guard let other = try? Pattern(other) else { continue }
            var budget = EvaluationBudget(steps: steps)
            let isOtherFound = other.isFound(in: text, &budget)
            try require(budget.isShort || isOtherFound == isFound, "\(other.text) finds something else")
        }
    }
}
