import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// Runs of a data directory that is older than counted results
/// (docs/decisions/0089-results-are-counted-in-the-commit-of-each-run.md).
@Suite struct EarlierRunsTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let document: JSONValue = [
        "kind": "questionnaire", "name": "W",
        "schema": ["version": 1, "questions": [["id": "stars", "type": "rating", "title": "Stars?"]]],
    ]

    private static func run(_ number: Int) -> Run {
        var run = Run(
            id: "r\(number)", slug: "weekly", kind: .questionnaire, revision: 1, respondent: .anonymous,
            at: now.adding(seconds: Int64(number)))
        run.answers = ["stars": .integer(Int64(number % 5 + 1))]
        (run.status, run.submittedAt) = (.new, run.createdAt)
        return run
    }

    /// The data that the migration leaves: runs without marks, and the row that says that they are not counted.
    private static func fill(_ store: any Store, _ count: Int) throws {
        var counts = ResultCounts()
        counts.add(1, CountGroup.totals, "runs")
        var rows = [RowWrite(name: EarlierRuns.name(app: "app", slug: "weekly"), expected: 0, value: .counts(counts))]
        rows += (0..<count).map {
            RowWrite(name: .run(RunReference(app: "app", id: "r\($0)")), expected: 0, value: .run(run($0)))
        }
        guard case .written? = try store.write([WriteGroup(rows)]).first else { throw Failure("not written") }
    }

    /// Writes counts as the sum of runs like `run`.
    private static func add(_ counts: ResultCounts, to store: any Store) throws {
        let name = RowName.counts(app: "app", key: ResultCell(run(0)).key("weekly"))
        try write(name, .counts(counts), in: store)
    }

    private static func write(_ name: RowName, _ value: RowValue, in store: any Store) throws {
        let row = RowWrite(name: name, expected: 0, value: value)
        guard case .written? = try store.write([WriteGroup([row])]).first else { throw Failure("not written") }
    }

    private static func publish(_ documents: [JSONValue], in store: any Store) throws {
        for (index, document) in documents.enumerated() {
            let revision = StoredDocument(
                revision: index + 1, source: .api, text: document.encoded, publishedAt: now)
            try store.publish([.recipe(app: "app", StoredRecipe(slug: "weekly", state: .live, document: revision))])
        }
    }

    private static func countRuns(of test: StoreUnderContract) async {
        await withCheckedContinuation { done in
            EarlierRuns(in: test.persistence, now: now).count(["app"]) { _ in done.resume() }
        }
    }

    private func results(_ store: any Store, of document: JSONValue = Self.document) throws -> JSONObject {
        let findings = Findings()
        let definition = try #require(SurveyDefinition(JSONReader(document, findings: findings), .questionnaire))
        let results = SurveyResults(RunDefinition(definition, revision: 1))
        return try store.readResults(RunResultsQuery(app: "app", slug: "weekly"), into: results).json
    }

    @Test(arguments: StoreKind.allCases)
    func `Results are the same before, while and after they are counted`(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try Self.publish([Self.document], in: test.store)
        try Self.fill(test.store, 450)
        let before = try results(test.store)
        #expect(before["total_responses"] == 450)
        let buckets = before["questions"]?.array?.first?.object?["buckets"]?.array?.map { $0.object?["count"] }
        #expect(buckets == Array(repeating: 90, count: 5))
        let row = EarlierRuns.name(app: "app", slug: "weekly")
        #expect(try test.store.value(of: row) != nil)
        await Self.countRuns(of: test)
        #expect(try test.store.value(of: row) == nil)
        let after = try results(test.store)
        #expect(after == before)
        // A second count has no effect.
        await Self.countRuns(of: test)
        #expect(try results(test.store) == after)
    }

    /// Marks that a version before series made name only the question.
    @Test(arguments: StoreKind.allCases)
    func `Counts that do not name a scale are made anew by the revision of each run`(_ kind: StoreKind) async throws {
        let nps: JSONValue = [
            "kind": "questionnaire", "name": "W",
            "schema": ["version": 1, "questions": [["id": "stars", "type": "nps", "title": "Stars?"]]],
        ]
        let test = try StoreUnderContract(kind)
        try Self.publish([nps, Self.document], in: test.store)
        try Self.fill(test.store, 0)
        var counts = ResultCounts()
        for number in 0..<4 {
            var run = Self.run(number)
            run.revision = number < 3 ? 1 : 2
            run.marks = ["stars": ["a", .string("n\(number % 5 + 1)")]]
            try Self.write(.run(RunReference(app: "app", id: run.id)), .run(run), in: test.store)
            counts.add(try #require(run.counts))
        }
        // The group that earlier versions wrote.
        #expect(counts["qstars", "a"] == 4)
        try Self.add(counts, to: test.store)
        let before = try results(test.store)
        await Self.countRuns(of: test)
        for json in [before, try results(test.store)] {
            #expect(json["questions"]?.array?.first?.object?["total_answered"] == 1)
            #expect(json["other_revisions"]?.array?.count == 1)
            let other = json["other_revisions"]?.array?.first?.object
            #expect(other?["type"] == "nps" && other?["total_answered"] == 3)
        }
    }

    /// The type of the question is unknown then. Its answers are counted once, without a type.
    @Test(arguments: StoreKind.allCases, [9, 2])
    func `Marks are kept if the run's revision is gone or does not ask the question`(
        _ kind: StoreKind, revision: Int
    ) async throws {
        let other: JSONValue = [
            "kind": "questionnaire", "name": "W",
            "schema": ["version": 1, "questions": [["id": "words", "type": "text", "title": "Words?"]]],
        ]
        let test = try StoreUnderContract(kind)
        try Self.publish([Self.document, other], in: test.store)
        try Self.fill(test.store, 0)
        var run = Self.run(3)
        (run.revision, run.marks) = (revision, ["stars": ["a", "n4"]])
        try Self.write(.run(RunReference(app: "app", id: run.id)), .run(run), in: test.store)
        try Self.add(try #require(run.counts), to: test.store)
        let before = try results(test.store)
        await Self.countRuns(of: test)
        for json in [before, try results(test.store)] {
            #expect(json["questions"]?.array?.first?.object?["total_answered"] == 0)
            #expect(json["other_revisions"]?.array?.count == 1)
            let other = json["other_revisions"]?.array?.first?.object
            #expect(other?["id"] == "stars" && other?["type"] == nil && other?["total_answered"] == 1)
            #expect(other?["distribution"]?.object?["buckets"] == [["value": 4, "count": 1]])
        }
    }
}
