import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

@testable import BellwetherAuthoring

/// Results of a survey whose branches have their own lists of options.
struct BranchOptionsTests {
    private static func labelled(_ low: String, _ high: String) -> [String] {
        ["0 – \(low)"] + (1...9).map(String.init) + ["10 – \(high)"]
    }

    private static let likely = labelled("Not at all likely", "Extremely likely")
    private static let sure = labelled("Never", "Surely")

    private static func options(_ branches: KeyValuePairs<String, [String]>) throws -> SurveyOptions {
        let manifest = try Sample.manifest(messaging: [:])
        let document = NimbusRecipe.experiment("e", [:])
        let values = branches.map { branch, options -> JSONValue in
            let survey = NimbusRecipe.survey(
                "m", ["microsurveyConfig": ["options": .array(options.map(JSONValue.string))]])
            return ["slug": .string(branch), "ratio": 1, "features": [["featureId": "messaging", "value": survey]]]
        }
        var members = document.object ?? [:]
        members["branches"] = .array(values)
        let recipe = try Sample.recipe(.object(members), in: manifest)
        return try #require(RecipeSurveys(recipe, under: manifest).options(of: "m"))
    }

    private static func results(
        _ options: SurveyOptions, _ answers: [(branch: Identifier?, option: String)]
    ) -> MessageResults {
        var tally = AnswerTally()
        for answer in answers {
            tally.add(
                TalliedAnswer(
                    optionID: Identifier(answer.option), optionIndex: 0, branch: answer.branch, locale: "en",
                    at: Timestamp(seconds: 0)))
        }
        return ResultsMaking(options: options, minimum: 1, text: { $0 })
            .results(of: "m", tally, funnel: [], all: FunnelTally(branch: nil, counts: []))
    }

    private static func ids(_ line: AnswerLine, in results: MessageResults) -> [String] {
        line.options.map { results.options[$0].id.text }
    }

    @Test func eachBranchListsItsOwnOptionsAndHasItsOwnScore() throws {
        let options = try Self.options(["a": Self.likely, "b": Self.sure])
        let results = Self.results(
            options, [("a", Self.likely[10]), ("a", "9"), ("a", Self.likely[0]), ("b", Self.sure[10]), ("b", "3")])
        #expect(results.branches.map { Self.ids($0, in: results) } == [Self.likely, Self.sure])
        #expect(results.branches.map { $0.scale?.kind } == [.nps, .nps])
        #expect(results.branches.map { $0.score?.mean.value } == [19.0 / 3, 6.5])
        #expect(results.branches.map { $0.score?.netPromoterScore?.promoters } == [2, 1])
        // Both lists are the same scale, so their answers are added up.
        #expect(results.total.scale?.kind == .nps)
        #expect(results.total.score?.mean.value == 6.4)
        #expect(results.options.count == 13)
        #expect(results.options.last?.value == 10)
    }

    @Test func differentScalesAreScoredByBranchAlone() throws {
        let options = try Self.options(["a": (1...5).map(String.init), "b": (1...7).map(String.init), "c": ["1", "x"]])
        let results = Self.results(options, [("a", "5"), ("b", "7"), ("c", "x"), (nil, "1")])
        #expect(results.branches.map { $0.score?.mean.value } == [5, 7, nil, nil])
        #expect(results.branches.map(\.options.count) == [5, 7, 2, 8])
        #expect(results.total.scale == nil && results.total.score == nil)
        #expect(results.total.counts == [1, 0, 0, 0, 1, 0, 1, 1])
    }

    /// A client may answer with an option of another branch.
    @Test func anAnswerWithAnotherBranchsWordsHasItsValue() throws {
        let options = try Self.options(["a": Self.likely, "b": Self.sure])
        let results = Self.results(options, [("a", Self.likely[0]), ("a", Self.sure[10])])
        #expect(Self.ids(results.branches[0], in: results) == Self.likely + [Self.sure[10]])
        #expect(results.branches[0].score?.mean.value == 5)
    }

    @Test func anOptionOfAnEarlierRevisionEndsTheScaleOfItsBranch() throws {
        let options = try Self.options(["a": Self.likely, "b": Self.sure])
        let results = Self.results(options, [("a", "bad"), ("a", "3"), ("b", "3")])
        #expect(Self.ids(results.branches[0], in: results).last == "bad")
        #expect(results.branches.map { $0.score?.mean.value } == [nil, 3])
        #expect(results.total.score == nil)
    }

    /// Options beyond a hundred columns share one column.
    @Test func aBranchBeyondWhatIsListedCountsEachAnswerOnce() throws {
        let many = (0..<99).map { "o\($0)" }
        let options = try Self.options(["a": many, "b": ["1", "2", "3", "4", "5"]])
        let results = Self.results(options, [("a", "o1"), ("b", "1"), ("b", "4"), ("b", "5")])
        #expect(results.options.count == 101)
        #expect(results.branches.map(\.answers) == [1, 3])
        #expect(results.branches.map(\.counts.count) == [99, 2])
        #expect(results.branches[1].counts == [1, 2] && results.branches[1].score == nil)
    }

    /// The branch's clients have the manifest's survey; a control has no options.
    @Test func aBranchThatLeavesTheSurveyAloneHasTheManifests() throws {
        let manifest = try Sample.manifest(
            messaging: [
                "messages": ["m": ["surface": "microsurvey", "text": "?", "microsurveyConfig": ["options": ["x"]]]]
            ]
        )
        func lists(_ document: JSONValue) throws -> [[Identifier]]? {
            RecipeSurveys(try Sample.recipe(document, in: manifest), under: manifest).options(of: "m")?.lists
                .map(\.options)
        }
        let control: JSONValue = ["messages": ["m": ["is-control": true]]]
        #expect(
            try lists(NimbusRecipe.experiment("e", ["a": NimbusRecipe.survey("m"), "b": [:], "c": control]))
                == [["Good", "Bad"], ["x"]])
        #expect(try lists(NimbusRecipe.survey("m")) == [["Good", "Bad"]])
        #expect(try lists(NimbusRecipe.survey("other")) == [["x"]])
    }

    @Test func aMessageThatIsNoSurveyHasNone() throws {
        let manifest = try Sample.manifest(messaging: [:])
        let recipe = try Sample.recipe(["messages": ["m": ["surface": "homescreen", "text": "t"]]], in: manifest)
        #expect(RecipeSurveys(recipe, under: manifest).options(of: "m") == nil)
    }
}
