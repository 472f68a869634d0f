import BellwetherCore
import Testing

/// How counted answers become an owner's results.
struct ResultsMakingTests {
    private static func tally(_ answers: [(option: String, branch: String?, locale: String)]) -> AnswerTally {
        var tally = AnswerTally()
        for answer in answers {
            tally.add(
                TalliedAnswer(
                    optionID: answer.option, optionIndex: 0, branch: answer.branch, locale: answer.locale,
                    at: Timestamp(seconds: 0)))
        }
        return tally
    }

    /// So many answers of each option.
    private static func answers(_ counts: KeyValuePairs<String, Int>, branch: String? = "a", locale: String = "en")
        -> [(option: String, branch: String?, locale: String)]
    {
        counts.flatMap { option, count in Array(repeating: (option, branch, locale), count: count) }
    }

    private static func results(
        _ answers: [(option: String, branch: String?, locale: String)], current: [String] = ["y", "n"],
        minimum: Int = 5, funnel: [FunnelTally] = [], all: FunnelTally = FunnelTally(branch: nil, counts: [])
    ) -> MessageResults {
        ResultsMaking(current: current, minimum: minimum, text: { "text of " + $0 })
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

    /// Equal to the eye is not equal: identity is bytes.
    @Test func optionsAreToldApartByTheirBytes() {
        let results = Self.results(Self.answers(["\u{E9}": 6, "e\u{301}": 7]), current: ["\u{E9}", "e\u{301}"])
        #expect(results.total.counts == [6, 7])
    }

    @Test func fewAnswersSayNothing() {
        let results = Self.results(Self.answers(["y": 3, "n": 1]))
        #expect(results.total.answers == nil)
        #expect(results.total.counts == [nil, nil])
        #expect(results.total.shares == [nil, nil])
        #expect(results.branches.map(\.answers) == [nil])
        #expect(results.days.first?.counts == [nil, nil])
        #expect(Self.results([]).total.answers == 0)
    }

    @Test func aRareOptionIsWithheldEverywhereWithAnother() {
        let answers = Self.answers(["y": 20, "n": 9, "rare": 2]) + Self.answers(["y": 30, "n": 20], branch: "b")
        let results = Self.results(answers, current: ["y", "n", "rare"])
        #expect(results.total.answers == 81)
        #expect(results.total.counts == [50, nil, nil])
        #expect(results.branches.allSatisfy { $0.counts[1] == nil })
        #expect(results.branches.map(\.answers) == [31, 50])
    }

    @Test func aSmallBranchTakesAnotherWithIt() {
        let answers =
            Self.answers(["y": 20, "n": 10]) + Self.answers(["y": 2], branch: "b")
            + Self.answers(["y": 10, "n": 10], branch: nil)
        let results = Self.results(answers)
        #expect(results.branches.map(\.group) == [.named("a"), .named("b"), .none])
        #expect(results.branches.map(\.answers) == [30, nil, nil])
        #expect(results.total.counts == [32, 20])
    }

    @Test func aMeanIsWithheldWhereItWouldTellACount() {
        let scale = (1...5).map(String.init)
        let making = ResultsMaking(current: scale, minimum: 5, text: { $0 })
        let none = FunnelTally(branch: nil, counts: [])
        let whole = making.results(
            of: "m", Self.tally(Self.answers(["1": 5, "5": 15])), funnel: [], all: none)
        #expect(whole.scale == .numeric)
        #expect(whole.total.score?.mean.value == 4)
        #expect(whole.options.map(\.value) == [1, 2, 3, 4, 5])
        let held = making.results(
            of: "m", Self.tally(Self.answers(["1": 2, "2": 10, "5": 15])), funnel: [], all: none)
        #expect(held.total.answers == 27)
        #expect(held.total.counts == [nil, nil, 0, 0, 15])
        #expect(held.total.score == nil)
    }

    /// What an earlier option was worth is not known.
    @Test func optionsOfEarlierRevisionsEndTheScale() {
        let making = ResultsMaking(current: (1...5).map(String.init), minimum: 1, text: { $0 })
        let results = making.results(
            of: "m", Self.tally(Self.answers(["1": 9, "bad": 1])), funnel: [], all: FunnelTally(branch: nil, counts: [])
        )
        #expect(results.scale == nil)
        #expect(results.total.score == nil)
    }

    @Test func theFunnelWithholdsEventsAndClientsAndAgreesWithTheAnswers() {
        func tally(_ branch: String?, _ counts: [(Int, Int)]) -> FunnelTally {
            FunnelTally(branch: branch, counts: counts.map { FunnelTally.Count(events: $0.0, clients: $0.1) })
        }
        let answers =
            Self.answers(["y": 20, "n": 10]) + Self.answers(["y": 6, "n": 6], branch: "b")
            + Self.answers(["y": 8, "n": 6], branch: "c")
        // Of branch b the log has two answers left.
        let funnel = [
            tally("a", [(90, 60), (40, 40), (30, 30), (9, 9)]), tally("b", [(50, 40), (20, 20), (2, 2), (3, 3)]),
            tally("c", [(50, 40), (20, 20), (14, 14), (7, 7)]),
        ]
        let all = tally(nil, [(190, 130), (80, 80), (46, 46), (19, 19)])
        let results = Self.results(answers, funnel: funnel, all: all)
        #expect(results.funnel.counts.map { $0?.clients } == [130, 80, 46, 19])
        #expect(results.funnelByBranch.map { $0.counts[0]?.events } == [90, 50, 50])
        #expect(results.funnelByBranch.map { $0.counts[2]?.clients } == [30, nil, nil])
        #expect(results.funnelByBranch.map { $0.counts[3]?.clients } == [9, nil, nil])
        #expect(results.branches.map(\.answers) == [30, nil, nil])
    }

    @Test func manyLocalesAndDaysEndInARest() {
        var tally = AnswerTally()
        for number in 0..<400 {
            tally.add(
                TalliedAnswer(
                    optionID: "y", optionIndex: 0, branch: nil, locale: "l\(number % 70)",
                    at: Timestamp(seconds: Int64(number) * Timestamp.secondsPerDay)))
        }
        let results = ResultsMaking(current: ["y"], minimum: 1, text: { $0 })
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
