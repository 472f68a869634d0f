import BellwetherBase
import BellwetherJSON
import Testing

@testable import Surveys

/// The parts of answers that tables of data have as rows.
@Suite struct AnswerPartTests {
    private static func run(_ answers: JSONObject, marks: JSONObject?, sensitive: [Identifier] = []) -> Run {
        var run = Run(
            id: "r", slug: "s", kind: .questionnaire, revision: 1, respondent: .client("c"),
            at: Timestamp(milliseconds: 0))
        (run.answers, run.marks, run.sensitiveIDs) = (answers, marks, sensitive)
        return run
    }

    private static func key(_ type: String, _ id: Identifier) -> String { AnswerSeries(id: id, type: type).key.text }

    private static func marks(_ marks: AnswerMark...) -> JSONValue {
        .array(([.answered] + marks).map { .string($0.text) })
    }

    @Test func `Each chosen option is a part`() {
        let run = Self.run(
            ["q": ["a", "b"]], marks: [Self.key("multi_select", "q"): Self.marks(.option("a"), .option("b"))])
        #expect(run.answerParts.map(\.value) == ["a", "b"])
        #expect(run.answerParts.map(\.ordinal) == [0, 1])
        #expect(run.answerParts.map(\.option) == ["a", "b"])
    }

    @Test func `A number is a part with its exact value`() {
        let run = Self.run(["q": "1234.5"], marks: [Self.key("numeric", "q"): Self.marks(.number("1200"))])
        #expect(run.answerParts.map(\.number) == [1234.5])
        #expect(run.answerParts.map(\.value) == ["1234.5"])
    }

    @Test func `Rows of a table and labelled numbers have their names`() {
        let run = Self.run(
            ["t": ["r1": "o1"], "n": ["km": 3]],
            marks: [
                Self.key("table", "t"): Self.marks(.row("r1", option: "o1")),
                Self.key("numbers", "n"): Self.marks(.unit("metric"), .amount("km", number: "3")),
            ])
        let parts = run.answerParts
        #expect(parts.map(\.part) == ["r1", "km"])
        #expect(parts.map(\.value) == ["o1", "3"])
        #expect(parts.map(\.number) == [nil, 3])
    }

    @Test func `A text is one part`() {
        let run = Self.run(["q": "words"], marks: [Self.key("text", "q"): Self.marks()])
        #expect(run.answerParts.map(\.value) == ["words"])
        #expect(run.answerParts.map(\.option) == [nil])
    }

    @Test func `Sensitive answers and answers that do not count are no parts`() {
        let run = Self.run(
            ["secret": "x", "half": ["a": 1]], marks: [Self.key("text", "secret"): Self.marks()],
            sensitive: ["secret"])
        #expect(run.answerParts == [])
    }

    @Test func `Each answer of a run without marks is one part`() {
        let run = Self.run(["q": ["a", "b"]], marks: nil)
        #expect(run.answerParts.map(\.value) == [#"["a","b"]"#])
    }
}
