import BellwetherAuthoring
import BellwetherBase
import BellwetherJSON
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// Final saves of the same rounds at several nodes at once. The results must be those of the same saves one after
/// another: each round has one answer, and the results by round count it once (docs/reference/rounds.md#requests).
///
/// The test also runs a store that compares no versions, and must detect it.
@Suite struct RoundModelTests {
    private static let persons = 4
    /// The rounds that each save names. Later saves name none, so each of them is the answer of a further round.
    private static let named = 3
    private static let savesOfARound = 5
    private static let unnamed = 4

    private static let scene = Scene(recipes: [
        "q": [
            "kind": "questionnaire", "name": "Q", "repeat": ["days": 0],
            "schema": ["version": 1, "questions": [["id": "n", "type": "nps", "title": "?"]]],
        ]
    ])

    private struct Counted: Equatable {
        /// The rounds of the saves that were submitted, for each person.
        var rounds: [[Int]]
        /// The answers of each round in the results, and how many of them have an answer in the round before.
        var answers: [[Int64]]
    }

    private static let expected = Counted(
        rounds: (0..<persons).map { _ in Array(1...named + unnamed) },
        answers: (1...named + unnamed).map { [Int64($0), Int64(persons), $0 == 1 ? 0 : Int64(persons)] })

    @Test(arguments: StoreKind.allCases)
    func eachRoundHasOneAnswerOfAllNodes(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        #expect(try await save(test.store) == Self.expected)
    }

    @Test func aStoreThatComparesNoVersionsStoresARoundTwice() async throws {
        var isFound = false
        for _ in 0..<8 where !isFound {
            isFound = try await save(TestStore(sharing: .asked), comparingVersions: false) != Self.expected
        }
        #expect(isFound)
    }

    private func save(_ store: any Store, comparingVersions: Bool = true) async throws -> Counted {
        let readers = Readers(seconds: comparingVersions ? 0.001 : 0.2)
        let nodes = (0..<3).map { _ in
            Persistence(NodeStore(store, readers: readers, comparesVersions: comparingVersions))
        }
        var rounds = [[Int]](repeating: [], count: Self.persons)
        for round in 1...Self.named {
            let count = Self.savesOfARound * Self.persons
            for (person, saved) in try await save(count, round: round, nodes) { rounds[person].append(saved) }
        }
        let others = try await save(Self.unnamed * Self.persons, round: nil, nodes)
        for (person, saved) in others.sorted(by: { $0.round < $1.round }) { rounds[person].append(saved) }
        return Counted(rounds: rounds, answers: try answers(store))
    }

    /// Submits saves at all nodes at once, each person's in turn. Returns the persons and rounds of those that were
    /// submitted.
    private func save(
        _ count: Int, round: Int?, _ nodes: [Persistence]
    ) async throws -> [(person: Int, round: Int)] {
        let app = try #require(Self.scene.snapshot)
        let recipe = try #require(app.recipes["q"])
        let survey = try #require(recipe.survey)
        let results = await withCheckedContinuation { done in
            let told = ResultCollector<SaveRun.Outcome>(count: count) { done.resume(returning: $0) }
            for number in 0..<count {
                let ids = RespondentIDs(app: Scene.app, clientID: "c\(number % Self.persons)", userID: nil)
                var run = RunSave(answers: ["n": .integer(Int64(number % 11))], isComplete: true)
                run.round = round
                let id = "\(round ?? 0) \(number)"
                let request = SaveRun.Request(
                    ids: ids, slug: "q", save: run, newID: Identifier("run\(id)"), webhookID: Identifier("w\(id)"))
                SaveRun(request, of: recipe, survey, in: app, now: Scene.start)
                    .run(by: ActionDriver(nodes[number % nodes.count])) { told.add($0, at: number) }
            }
        }
        return try results.enumerated().compactMap { number, result in
            guard case .done(.saved(let saved, isNew: _)) = try result.get(), saved.wasSubmitted else { return nil }
            return (number % Self.persons, saved.run.round ?? 0)
        }
    }

    private func answers(_ store: any Store) throws -> [[Int64]] {
        let survey = try #require(Self.scene.snapshot?.recipes["q"]?.survey)
        var query = RunResultsQuery(app: Scene.app, slug: "q")
        query.breakdown = .round
        let json = try store.readBrokenDown(query, into: SurveyResults(survey.run)).json
        return (json["by"]?.object?["groups"]?.array ?? []).map { group in
            let question = group.object?["questions"]?.array?.first?.object
            let moved = question?["moved"]?.array ?? []
            return [
                group.object?["value"]?.integer ?? 0, group.object?["submitted_count"]?.integer ?? 0,
                moved.reduce(0) { $0 + ($1.object?["count"]?.integer ?? 0) },
            ]
        }
    }
}
