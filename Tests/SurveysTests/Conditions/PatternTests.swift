import BellwetherJSON
import FuzzChecks
import Surveys
import TestSupport
import Testing

/// The patterns of fields and conditions (docs/reference/surveys.md#patterns).
@Suite struct PatternTests {
    static let cases: [JSONValue] = {
        let file = try? VectorFile.read("patterns")
        return file?.object?["cases"]?.array ?? []
    }()

    @Test func theFileIsThere() { #expect(Self.cases.count == 391) }

    /// The scripts of pages run the same cases, with the same steps (Web/tests/patterns_test.mjs).
    @Test(arguments: cases) func searchesAsRecorded(_ vector: JSONValue) throws {
        let vector = try #require(vector.object)
        let source = try #require(vector["pattern"]?.string)
        let part = vector["text"]?.string ?? ""
        guard let pattern = try? Pattern(source) else {
            #expect(vector["want"] == "fault")
            return
        }
        var budget = EvaluationBudget(steps: 50_000)
        let isFound = pattern.isFound(
            in: String(repeating: part, count: Int(vector["times"]?.integer ?? 1)), &budget)
        #expect(vector["want"] == (budget.isShort ? "short" : .bool(isFound)))
        if !budget.isShort { #expect(vector["steps"] == .integer(Int64(50_000 - budget.steps))) }
    }

    /// A pattern on which a backtracking matcher would practically never end takes as many steps as any other.
    @Test func aHostilePatternEnds() throws {
        let text = String(repeating: "a", count: 3_999) + "b"
        for (source, isWanted) in [("^(a+)+$", false), ("^(a|a)*$", false), ("(a*)*b$", true)] {
            var budget = EvaluationBudget.wholeSave
            #expect(try Pattern(source).isFound(in: text, &budget) == isWanted)
            #expect(!budget.isShort)
        }
    }

    @Test func aSearchTakesAtMostTheStepsThatItHas() throws {
        let pattern = try Pattern("(?:[^a]?.?){999}z")
        var budget = EvaluationBudget.wholeSave
        #expect(!pattern.isFound(in: String(repeating: "b", count: 4_000), &budget))
        #expect(budget.isShort && budget.steps == 0)
        #expect(!pattern.isFound(in: "z", &budget), "nothing is left")
    }

    @Test func aTextThatIsTooLongIsNotSearched() throws {
        var budget = EvaluationBudget.wholeSave
        let text = String(repeating: "a", count: Pattern.maximumTextLength + 1)
        #expect(try !Pattern("a").isFound(in: text, &budget))
        #expect(!budget.isShort)
    }

    @Test(arguments: [
        "((((){1000}){1000}){1000}){1000}", "(((((a{0}){1000}){1000}){1000}){1000}){1000}", "((a{1000}){1000}){2}",
        "((a{0}){1000}){1000}", "(?:(?:|){1000}){1000}",
    ]) func aPatternThatRepeatsTooMuchIsAFaultAtOnce(_ source: String) {
        #expect(throws: Pattern.SyntaxError.tooLarge) { try Pattern(source) }
    }

    @Test(arguments: ["(a*)*", "(a|)*", "(){1000}", "((a?){30}){30}", "(^|$)+"])
    func aRepetitionOfWhatCanBeEmptyIsNoFault(_ source: String) throws {
        var budget = EvaluationBudget.wholeSave
        #expect(try Pattern(source).isFound(in: "", &budget))
    }

    @Test func thePatternsOfADocumentHaveABudgetTogether() throws {
        let budget = PatternBudget()
        for number in 0..<99 { _ = try budget.compile("a{1000}[\(number)]") }
        #expect(throws: Pattern.SyntaxError.tooLarge) { try budget.compile("b{1000}") }
        for _ in 0..<200 { _ = try budget.compile("a{1000}[7]") }
    }

    /// A short run of the check that `make fuzz FUZZ=pattern` runs for hours.
    @Test func everySeedAndMutationKeepsThePromises() throws {
        let report = try FuzzCorpus("pattern").run(mutations: 300, PatternCheck.check)
        #expect(report.broken == [])
        for outcome in [FuzzOutcome.taken, .refused] {
            #expect(report.outcomes[outcome, default: 0] > 50, "\(report.outcomes)")
        }
    }
}
