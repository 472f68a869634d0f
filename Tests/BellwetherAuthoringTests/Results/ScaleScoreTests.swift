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

    /// With 1, 2, 3, 4, 5 and the three added answers, the sum of squares is 10 + 0.75 · 4 + 0.75 · 4 = 16.
    @Test func aMeanHasItsInterval() throws {
        let score = try #require(Self.score(.numeric, 1...5, [1, 2, 3, 4, 5]))
        #expect(score.mean.value == 3)
        let interval = try #require(score.mean.interval)
        #expect(abs(interval.lowerBound - (3 - 1.959963984540054 * 4 / 8)) < 1e-12)
        #expect(abs(interval.upperBound - (3 + 1.959963984540054 * 4 / 8)) < 1e-12)
    }

    @Test func `A few equal answers have a wide interval`() throws {
        for count in 2...4 {
            let low = try #require(Self.score(.nps, 0...10, Array(repeating: 0, count: count)))
            let interval = try #require(low.netPromoterScore?.score.interval)
            #expect(interval.lowerBound == -100 && interval.upperBound > -50)
            let mean = try #require(low.mean.interval)
            #expect(mean.lowerBound == 0 && mean.upperBound > 2)
        }
        let many = try #require(Self.score(.nps, 0...10, Array(repeating: 10, count: 1_000)))
        #expect(try #require(many.netPromoterScore?.score.interval).lowerBound > 99)
    }

    @Test(arguments: [
        (1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (7, 2.3646), (20, 2.0860), (1_000, 1.9623),
    ])
    func `Points of Student's distribution are those of a table`(_ freedom: Double, _ point: Double) {
        #expect(abs(StudentDistribution.point95(freedom: freedom) - point) < 1e-3)
    }

    /// The variances of the means are 0.5 and 2, with 6.25 / (0.0625 + 1) = 5.88 degrees of freedom.
    @Test func `A difference of means has Welch's interval`() throws {
        let (own, other) = (
            AnswerSample([1, 2, 3, 4, 5].map { ($0, 1) }), AnswerSample([2, 4, 6, 8, 10].map { ($0, 1) })
        )
        let difference = own.difference(from: other)
        #expect(difference.value == -3)
        let interval = try #require(difference.interval)
        #expect(abs(interval.lowerBound - (-6.888)) < 0.01 && abs(interval.upperBound - 0.888) < 0.01)
        #expect(AnswerSample([(3, 1)]).difference(from: own).interval == nil)
        #expect(AnswerSample([(3, 9)]).difference(from: AnswerSample([(2, 4)])).interval == nil)
    }

    @Test func aScoreOfOneAnswerHasNoInterval() {
        let score = Self.score(.nps, 0...10, [9])
        #expect(score?.mean.value == 9)
        #expect(score?.mean.interval == nil)
        #expect(score?.netPromoterScore?.score.interval == nil)
    }

    @Test func intervalsStayOnTheScale() throws {
        let score = try #require(Self.score(.nps, 0...10, [10, 10, 10]))
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
