import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherAuthoring

/// The results for an owner, computed from counted answers.
struct ResultsMakingTests {
    private static func tally(_ answers: [(option: String, branch: Identifier?, locale: String)]) -> AnswerTally {
        var tally = AnswerTally()
        for answer in answers {
            tally.add(
                TalliedAnswer(
                    optionID: Identifier(answer.option), optionIndex: 0, branch: answer.branch, locale: answer.locale,
                    at: Timestamp(seconds: 0)))
        }
        return tally
    }

    /// A number of answers for each option.
    private static func answers(_ counts: KeyValuePairs<String, Int>, branch: Identifier? = "a", locale: String = "en")
        -> [(option: String, branch: Identifier?, locale: String)]
    {
        counts.flatMap { option, count in Array(repeating: (option, branch, locale), count: count) }
    }

    private static func results(
        _ answers: [(option: String, branch: Identifier?, locale: String)], current: [Identifier] = ["y", "n"],
        minimum: Int = 5, funnel: [FunnelTally] = [], all: FunnelTally = FunnelTally(branch: nil, counts: [])
    ) -> MessageResults {
        ResultsMaking(options: SurveyOptions(current), minimum: minimum, text: { "text of " + $0 })
            .results(of: "m", tally(answers), funnel: funnel, all: all)
    }

    @Test func currentOptionsComeFirstAndThoseThatAreGoneAfterThem() {
        let results = Self.results(Self.answers(["old": 6, "n": 7, "older": 8]))
        #expect(results.options.map(\.id) == ["y", "n", "old", "older"])
        #expect(results.options.map(\.index) == [0, 1, nil, nil])
        #expect(results.options.map(\.text).first == "text of y")
        #expect(results.total.counts == [0, 7, 6, 8])
        #expect(results.total.shares[1]?.share == 7.0 / 21)
    }

    @Test func anOptionListedTwiceIsOne() {
        #expect(Self.results(Self.answers(["y": 5]), current: ["y", "y", "n"]).options.map(\.id) == ["y", "n"])
    }

    /// Texts that look equal are not equal: they are compared by their bytes.
    @Test func optionsAreToldApartByTheirBytes() {
        let results = Self.results(Self.answers(["\u{E9}": 6, "e\u{301}": 7]), current: ["\u{E9}", "e\u{301}"])
        #expect(results.total.counts == [6, 7])
    }

    /// Each small count is withheld, and with a single one of a line or column a second one.
    @Test func countsFromOneToBelowTheMinimumAreWithheld() {
        let answers =
            Self.answers(["y": 20, "n": 5, "rare": 4]) + Self.answers(["y": 5], branch: "b")
            + Self.answers(["n": 1], branch: nil, locale: "de")
        let results = Self.results(answers, current: ["y", "n", "rare", "none"])
        #expect(results.total.answers == 35)
        #expect(results.total.counts == [25, nil, nil, 0])
        #expect(results.total.shares.map { $0 == nil } == [false, true, true, false])
        #expect(results.branches.map(\.group) == [.named("a"), .named("b"), .none])
        #expect(results.branches.map(\.answers) == [29, nil, nil])
        #expect(results.branches.map(\.counts) == [[nil, nil, nil, 0], [nil, 0, nil, 0], [nil, nil, 0, 0]])
        #expect(results.locales.map(\.answers) == [nil, nil])
        #expect(results.days.map(\.answers) == [35])
    }

    /// A share of 0 would have an interval that reveals the number of answers.
    @Test func noShareIsToldOfFewAnswers() {
        let results = Self.results(Self.answers(["y": 4]))
        #expect(results.total.answers == nil)
        #expect(results.total.counts == [nil, nil])
        #expect(results.total.shares == [nil, nil])
        #expect(Self.results([]).total.answers == 0)
    }

    @Test func aMinimumOfOneWithholdsNothing() {
        let results = Self.results(Self.answers(["y": 1, "n": 2]), minimum: 1)
        #expect(results.total.counts == [1, 2])
        #expect(results.total.answers == 3)
    }

    @Test func aMeanStandsForAtLeastTheMinimum() {
        func results(_ counts: KeyValuePairs<String, Int>) -> MessageResults {
            ResultsMaking(options: SurveyOptions((0...10).map { "\($0)" }), minimum: 5, text: { $0 }).results(
                of: "m", Self.tally(Self.answers(counts)), funnel: [], all: FunnelTally(branch: nil, counts: []))
        }
        #expect(results(["1": 4]).total.scale?.kind == .nps)
        #expect(results(["1": 4]).total.score == nil)
        let whole = results(["10": 3, "9": 3, "0": 2, "8": 1])
        #expect(whole.total.score?.answers == 9)
        #expect(whole.total.score?.mean.value == 65.0 / 9)
        #expect(whole.total.score?.netPromoterScore?.detractors == nil)
        #expect(whole.options.map(\.value) == (0...10).map { $0 })
    }

    /// The value of an earlier option is not known.
    @Test func optionsOfEarlierRevisionsEndTheScale() {
        func scale(_ answers: KeyValuePairs<String, Int>) -> AnswerScale.Kind? {
            ResultsMaking(options: SurveyOptions((1...5).map { "\($0)" }), minimum: 1, text: { $0 }).results(
                of: "m", Self.tally(Self.answers(answers)), funnel: [], all: FunnelTally(branch: nil, counts: [])
            ).total.scale?.kind
        }
        #expect(scale(["1": 9]) == .numeric)
        #expect(scale(["1": 9, "bad": 1]) == nil)
    }

    /// The events of few clients are withheld, however many events there are.
    @Test func stepsOfFewClientsAreWithheld() {
        func tally(_ branch: Identifier?, _ counts: [(Int, Int)]) -> FunnelTally {
            FunnelTally(branch: branch, counts: counts.map { FunnelTally.Count(events: $0.0, clients: $0.1) })
        }
        let funnel = [
            tally("a", [(90, 60), (40, 40), (30, 30), (9, 9)]), tally("b", [(50, 4), (20, 20), (2, 2), (0, 0)]),
        ]
        let results = Self.results([], funnel: funnel, all: tally(nil, [(140, 64), (60, 60), (32, 32), (9, 9)]))
        #expect(results.funnel.counts.map { $0?.clients } == [64, 60, 32, 9, 0])
        #expect(
            results.funnelByBranch.map { $0.counts.map { $0?.events } } == [
                [nil, 40, nil, 9, 0], [nil, 20, nil, 0, 0],
            ])
        #expect(results.branches.map(\.answers) == [0, 0])
    }

    @Test func manyLocalesAndDaysEndInARest() {
        var tally = AnswerTally()
        for number in 0..<400 {
            tally.add(
                TalliedAnswer(
                    optionID: "y", optionIndex: 0, branch: nil, locale: "l\(number % 70)",
                    at: Timestamp(seconds: Int64(number) * Timestamp.secondsPerDay)))
        }
        let results = ResultsMaking(options: SurveyOptions(["y"]), minimum: 1, text: { $0 })
            .results(of: "m", tally, funnel: [], all: FunnelTally(branch: nil, counts: []))
        #expect(results.locales.count == 51)
        #expect(results.locales.last?.group == .rest)
        #expect(results.locales.compactMap(\.answers).reduce(0, +) == 400)
        #expect(results.days.count == 367)
        #expect(results.days.first?.group == .rest)
        #expect(results.days.first?.answers == 34)
        #expect(results.days.last?.group == .named("1971-02-04"))
    }

    @Test func thousandsOfOptionsAreListedUpToAHundred() {
        let results = Self.results((0..<3000).map { ("o\($0)", nil, "en") }, minimum: 1)
        #expect(results.options.count == 101)
        #expect(results.total.counts.compactMap(\.self).reduce(0, +) == 3000)
        #expect(results.total.answers == 3000)
    }
}
