import BellwetherAuthoring
import BellwetherCore
import Testing

@testable import BellwetherAuthoring

/// Means and net promoter scores.
struct ScaleScoreTests {
    /// The score of single answers.
    private static func score(_ kind: AnswerScale.Kind, _ range: ClosedRange<Int>, _ values: [Int]) -> ScaleScore? {
        ScaleScore(
            AnswerScale(kind: kind, values: range.map { $0 }),
            counts: range.map { value in values.count { $0 == value } }, minimum: 1)
    }

    /// A published example of a net promoter score.
    @Test func netPromoterScoreIsPromotersLessDetractors() throws {
        let score = try #require(Self.score(.nps, 0...10, [10, 9, 8, 6]))
        let nps = try #require(score.netPromoterScore)
        #expect((nps.promoters, nps.passives, nps.detractors) == (2, 1, 1))
        #expect(nps.score.value == 25)
        #expect(score.mean.value == 8.25)
    }

    @Test func itsEndsAreAHundred() {
        #expect(Self.score(.nps, 0...10, [9, 10, 10])?.netPromoterScore?.score.value == 100)
        #expect(Self.score(.nps, 0...10, [0, 6, 3])?.netPromoterScore?.score.value == -100)
        #expect(Self.score(.nps, 0...10, [7, 8])?.netPromoterScore?.score.value == 0)
        #expect(Self.score(.numeric, 1...5, [5])?.netPromoterScore == nil)
    }

    /// 1, 2, 3, 4, 5: mean 3, standard deviation √2.5, standard error √0.5.
    @Test func aMeanHasItsInterval() throws {
        let score = try #require(Self.score(.numeric, 1...5, [1, 2, 3, 4, 5]))
        #expect(score.mean.value == 3)
        let interval = try #require(score.mean.interval)
        #expect(abs(interval.lowerBound - (3 - 1.959963984540054 * 0.5.squareRoot())) < 1e-12)
        #expect(abs(interval.upperBound - (3 + 1.959963984540054 * 0.5.squareRoot())) < 1e-12)
    }

    @Test func aScoreOfOneAnswerHasNoInterval() {
        let score = Self.score(.nps, 0...10, [9])
        #expect(score?.mean.value == 9)
        #expect(score?.mean.interval == nil)
        #expect(score?.netPromoterScore?.score.interval == nil)
    }

    @Test func intervalsStayOnTheScale() throws {
        let score = try #require(Self.score(.nps, 0...10, [10, 10, 10, 0]))
        #expect(try #require(score.mean.interval).upperBound == 10)
        #expect(try #require(score.netPromoterScore?.score.interval).upperBound == 100)
    }

    @Test func whatStandsBesideTheScaleDoesNotCount() throws {
        let scale = try #require(
            AnswerScale(options: MicrosurveyStrings.fallbackOptions.map { ScaleOption(id: $0, text: "") }))
        let score = try #require(ScaleScore(scale, counts: [2, 0, 0, 0, 2, 100], minimum: 1))
        #expect(score.answers == 4)
        #expect(score.mean.value == 3)
        #expect(ScaleScore(scale, counts: [0, 0, 0, 0, 0, 100], minimum: 1) == nil)
    }
}
