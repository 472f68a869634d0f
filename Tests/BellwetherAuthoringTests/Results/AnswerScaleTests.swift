import BellwetherAuthoring
import BellwetherCore
import BellwetherJSON
import Testing

/// The lists of options that are a scale, and those that are not.
struct AnswerScaleTests {
    private static func scale(_ texts: [String]) -> AnswerScale? {
        AnswerScale(options: texts.map { ScaleOption(id: Identifier($0), text: $0) })
    }

    @Test(arguments: [
        (["1", "2", "3", "4", "5"], [1, 2, 3, 4, 5]), (["5", "4", "3", "2", "1"], [5, 4, 3, 2, 1]),
        (["0", "1", "2", "3", "4"], [0, 1, 2, 3, 4]), (["1 – Poor", "2", "3", "4", "5 – Great"], [1, 2, 3, 4, 5]),
        ((1...10).map(String.init), Array(1...10)),
    ])
    func consecutiveNumbersAreAScale(_ texts: [String], _ values: [Int]) throws {
        let scale = try #require(Self.scale(texts))
        #expect(scale.kind == .numeric)
        #expect(scale.values == values)
    }

    @Test func zeroToTenIsNetPromotersQuestion() throws {
        let texts = ["0 – Not at all likely"] + (1...9).map(String.init) + ["10 – Extremely likely"]
        #expect(Self.scale(texts)?.kind == .nps)
        #expect(Self.scale(texts.reversed())?.values.first == 10)
    }

    @Test(arguments: [
        ["1", "2", "3", "4"], ["1", "2", "3", "4", "6"], ["2", "3", "4", "5", "6"], ["1", "2", "3", "5", "4"],
        ["1", "1", "2", "3", "4"], ["18 - 24", "25", "26", "27", "28 - 34"], ["1", "2 pets", "3", "4", "5"],
        ["01", "02", "03", "04", "05"], ["1.", "2", "3", "4", "5"], ["1", "2", "3", "4", "5", "Other"],
        (1...12).map(String.init), ["Yes", "No"], [], ["a", "b", "c", "d", "e"], ["-1", "0", "1", "2", "3"],
        ["١", "٢", "٣", "٤", "٥"], ["1", "2", "3", "4", "5 of 10"],
    ])
    func anythingElseIsNone(_ texts: [String]) { #expect(Self.scale(texts) == nil) }

    @Test func firefoxsOwnOptionsAreAScale() throws {
        let scale = try #require(
            AnswerScale(options: MicrosurveyStrings.fallbackOptions.map { ScaleOption(id: $0, text: "übersetzt") }))
        #expect(scale.kind == .likert)
        #expect(scale.values == [5, 4, 3, 2, 1, nil])
    }

    @Test func theirEarlierKeysAreToo() throws {
        let ids = [5, 4, 3, 2, 1].map { "Microsurvey/Microsurvey.Survey.Options.LikertScaleOption\($0).v127" }
        let scale = try #require(AnswerScale(options: ids.map { ScaleOption(id: Identifier($0), text: "") }))
        #expect(scale.values == [1, 2, 3, 4, 5])
    }

    @Test func degreesInWordsMustBeWhole() {
        let words = ["Strongly agree", "Agree", "Neither agree nor disagree", "Disagree", "Strongly disagree"]
        #expect(Self.scale(words)?.values == [5, 4, 3, 2, 1])
        #expect(Self.scale(Array(words.dropLast())) == nil)
        #expect(Self.scale(words.dropLast() + ["Agree"]) == nil)
        #expect(Self.scale(words + ["Perhaps"]) == nil)
        #expect(Self.scale(words + ["I don’t use it"])?.values == [5, 4, 3, 2, 1, nil])
        #expect(Self.scale(words + ["I don’t use it", "I don’t use it"]) == nil)
    }
}
