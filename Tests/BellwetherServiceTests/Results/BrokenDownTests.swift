import BellwetherAuthoring
import BellwetherBase
import BellwetherJSON
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// Results broken down by the values of an attribute (docs/reference/surveys.md#breakdowns).
@Suite struct BrokenDownTests {
    private static let start = Timestamp(seconds: 1_790_000_000)

    /// Results of a store with a run on each of two days for each city.
    private func results(
        _ kind: StoreKind, of cities: [String], maximumRows: Int
    ) throws -> (groups: [String?], isComplete: Bool?) {
        let test = try StoreUnderContract(kind)
        let store = test.store
        var counts = ResultCounts()
        counts.add(1, CountGroup.totals, "runs")
        var rows: [RowWrite] = []
        for city in cities {
            for day in 0..<2 {
                let run = Run(
                    id: "r", slug: "weekly", kind: .questionnaire, revision: 1, respondent: .anonymous,
                    at: Self.start.adding(seconds: Int64(day) * 86_400))
                let key = ResultCell(run).key("weekly", ResultAttribute(name: "city", value: city))
                rows.append(RowWrite(name: .counts(app: "app", key: key), expected: 0, value: .counts(counts)))
            }
        }
        _ = try store.write([WriteGroup(rows)])
        var query = RunResultsQuery(app: "app", slug: "weekly")
        query.breakdown = .attribute("city")
        let document: JSONValue = ["name": "W", "schema": ["version": 1, "questions": []]]
        let definition = try #require(SurveyDefinition(JSONReader(document, findings: Findings()), .questionnaire))
        let empty = SurveyResults(RunDefinition(definition, revision: 1))
        let json = try withExtendedLifetime(test) {
            try store.readBrokenDown(query, into: empty, maximumRows: maximumRows).json
        }
        let breakdown = try #require(json["by"]?.object)
        let groups = breakdown["groups"]?.array ?? []
        for group in groups { #expect(group.object?["total_responses"] == 2) }
        return (groups.map { $0.object?["value"]?.string }, breakdown["is_complete"]?.bool)
    }

    @Test(arguments: StoreKind.allCases)
    func `Each value has its group`(_ kind: StoreKind) throws {
        let found = try results(kind, of: ["Wien", "Graz", "Linz"], maximumRows: 7)
        #expect(found.groups == ["Graz", "Linz", "Wien"] && found.isComplete == true)
    }

    @Test(arguments: StoreKind.allCases, [4, 5])
    func `No more rows are read than a bound, and no group is shown in part`(_ kind: StoreKind, _ bound: Int) throws {
        let found = try results(kind, of: ["Wien", "Graz", "Linz"], maximumRows: bound)
        #expect(found.groups == (bound == 4 ? ["Graz"] : ["Graz", "Linz"]) && found.isComplete == false)
    }

    @Test(arguments: StoreKind.allCases)
    func `The fifty largest groups are shown`(_ kind: StoreKind) throws {
        let found = try results(kind, of: (100..<151).map(String.init), maximumRows: 1_000)
        #expect(found.groups.count == 50 && found.isComplete == false)
    }
}
