import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// A respondent has at most 100 runs (docs/reference/surveys.md#runs).
@Suite struct RunLimitTests {
    private let world: WorkerUnderTest

    /// A flow of one step, and a questionnaire that accepts one response.
    init() throws {
        let step: JSONValue = ["id": "only", "type": "welcome", "config": ["title": "Hello"]]
        let pacing: JSONValue = ["quotas": [["name": "all", "when": true, "limit": 1]]]
        let questionnaire: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "why", "type": "text", "title": "Why?"]]],
            "offer": ["surface": "card", "text": "A minute?", "pacing": pacing],
        ]
        let flow: JSONValue = ["kind": "flow", "id": "tour", "name": "Tour", "version": 1, "steps": [step]]
        world = try WorkerUnderTest(manifest: FlowRouteTests.manifest, recipes: ["tour": flow, "q": questionnaire])
    }

    private func start(_ respondent: JSONObject = ["client_id": "c"]) throws -> RecordedResponse {
        world.pass(seconds: 1)
        return try world.send(.post, "/v1/apps/app/flows/tour/runs", body: .object(respondent))
    }

    private func finish(_ run: RecordedResponse) throws {
        let id = try #require(run.json["run_id"].string)
        let body: JSONValue = ["step_id": "only", "response": [:], "action": "next"]
        #expect(try world.send(.post, "/v1/apps/app/runs/\(id)/advance", body: body).json["status"] == "completed")
    }

    private func save(_ client: String) throws -> RecordedResponse {
        world.pass(seconds: 1)
        let body: JSONValue = ["client_id": .string(client), "answers": ["why": "x"], "is_complete": true]
        return try world.send(.post, "/v1/apps/app/questionnaires/q/responses", body: body)
    }

    private func runs(of client: String = "c") throws -> [JSONValue] {
        try world.send(.get, "/v1/apps/app/clients/\(client)/export").json["responses"].array ?? []
    }

    @Test func theOldestEndedRunGoesAndKeepsItsPlaceInAQuota() throws {
        #expect(try save("c").json["status"] == "new")
        for _ in 0..<RunLimit.maximum - 1 { try finish(start()) }
        #expect(try runs().count == RunLimit.maximum)
        #expect(try runs().contains { $0["slug"] == "q" })
        let last = try start()
        #expect(last.status == 201)
        let kept = try runs()
        #expect(kept.count == RunLimit.maximum && !kept.contains { $0["slug"] == "q" })
        #expect(try save("other").json["status"] == "screened_out", "the place of the run that went is still taken")
        #expect(try save("c").json["errors"][0]["code"] == "already_responded")
        #expect(try start().json["run_id"] == last.json["run_id"], "an open run is given again")
    }

    @Test func openRunsNeverGo() throws {
        let store = world.store
        var runs: [String] = []
        for _ in 0..<RunLimit.maximum { runs.append(try #require(try beginOpen())) }
        let refusal = try start()
        #expect(refusal.status == 409 && refusal.json["errors"][0]["code"] == "too_many_runs")
        #expect(try save("c").json["errors"][0]["code"] == "too_many_runs")
        #expect(try save("other").status == 201)
        #expect(try self.runs().count == RunLimit.maximum)
        #expect(store.records.count { $0.contains("questionnaire.started") } == 1)
        // After one of them is deleted, another run can begin.
        #expect(try world.send(.delete, "/v1/apps/app/responses/\(runs[50])").status == 204)
        #expect(try start().status == 201)
        #expect(try self.runs().count == RunLimit.maximum)
    }

    /// A second open run of one recipe. A respondent normally has one, so the row that points to it is cleared.
    private func beginOpen() throws -> String? {
        let run = try start()
        let name = RowName.currentRun(app: Identifier(WorkerUnderTest.app), slug: "tour", respondent: "client:c")
        let version = try world.store.versions(of: [name]).first ?? 0
        var group = WriteGroup()
        group.rows = [RowWrite(name: name, expected: version, value: .currentRun(nil))]
        guard case .written? = try world.store.write([group]).first else { return nil }
        return run.json["run_id"].string
    }

    @Test func theRunsOfAUsersClientsCountForTheUser() throws {
        for _ in 0..<60 { try finish(start(["client_id": "a", "user_id": "u"])) }
        for _ in 0..<60 { try finish(start(["client_id": "b", "user_id": "u"])) }
        let kept = try world.send(.get, "/v1/apps/app/users/u/export").json["responses"].array ?? []
        #expect(kept.count == RunLimit.maximum)
        #expect(kept.count { $0["client_id"] == "b" } == 60)
        let identified: JSONValue = ["client_id": "c", "user_id": "u"]
        #expect(try save("c").status == 201)
        #expect(try world.send(.post, "/v1/apps/app/identify", body: identified).json["merged"] == ["q"])
        #expect(try world.send(.get, "/v1/apps/app/users/u/export").json["responses"].array?.count == RunLimit.maximum)
    }
}
