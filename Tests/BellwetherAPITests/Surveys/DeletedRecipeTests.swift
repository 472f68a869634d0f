import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Results of recipes that were deleted (docs/reference/surveys.md#results).
@Suite struct DeletedRecipeTests {
    private let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest() }

    private func put(_ slug: String, _ document: JSONValue) throws {
        let stored = try world.send(.put, "/v1/apps/app/recipes/\(slug)", body: document)
        #expect(stored.status < 300, "\(stored.json.text)")
    }

    private func results(_ slug: String) throws -> JSONValue {
        try world.send(.get, "/v1/apps/app/results/\(slug)").json
    }

    /// The results without the state, before and after the deletion.
    private func deleting(_ slug: String) throws -> (before: JSONObject, after: JSONObject) {
        var before = try results(slug).object ?? [:]
        #expect(before["state"] == "live")
        #expect(try world.send(.delete, "/v1/apps/app/recipes/\(slug)").status == 204)
        var after = try results(slug).object ?? [:]
        #expect(after["state"] == .null)
        (before["state"], after["state"]) = (nil, nil)
        return (before, after)
    }

    @Test func aQuestionnaireHasThoseOfItsLastRevision() throws {
        try put("weekly", QuestionnaireTests.definition())
        try put("weekly", QuestionnaireTests.definition(["description": "Two minutes."]))
        let body: JSONValue = ["client_id": "c", "answers": ["q2": "yes", "q5": 9], "is_complete": true]
        _ = try world.send(.post, "/v1/apps/app/questionnaires/weekly/responses", body: body)
        let (before, after) = try deleting("weekly")
        #expect(after == before && after["kind"] == "questionnaire" && after["revision"] == 2)
        #expect(after["submitted_count"] == 1)
        let table = try world.send(.get, "/v1/apps/app/results/weekly?format=csv")
        #expect(table.status == 200 && table.headers.contains("text/csv"))
    }

    @Test func aFlowHasItsFunnel() throws {
        try put("tour", FlowRouteTests.flow())
        _ = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: ["client_id": "c"])
        let (before, after) = try deleting("tour")
        #expect(after == before && after["kind"] == "flow" && after["total_runs"] == 1)
    }

    @Test func whatNeverWasHasNone() throws {
        #expect(try world.send(.get, "/v1/apps/app/results/never").status == 404)
    }
}
