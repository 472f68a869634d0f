import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// Quotas and response limits of flows (docs/reference/flows.md#quotas).
@Suite struct FlowLimitTests {
    private static let manifest: JSONValue = [
        "app_name": "app", "default_locale": "en", "surfaces": ["card"], "attributes": ["plan": "string"],
    ]
    private static let path = "/v1/apps/app"

    private static func flow(_ pacing: JSONValue) -> JSONValue {
        [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                [
                    "id": "goal", "type": "question",
                    "config": [
                        "title": "Goal?", "options": [["id": "a", "label": "Run"], ["id": "b", "label": "Swim"]],
                    ],
                ],
                ["id": "end", "type": "welcome", "config": ["title": "Welcome"]],
            ],
            "offer": ["surface": "card", "text": "A tour?", "pacing": pacing],
        ]
    }

    private func world(_ pacing: JSONValue) throws -> WorkerUnderTest {
        try WorkerUnderTest(manifest: Self.manifest, recipes: ["tour": Self.flow(pacing)])
    }

    private func begin(_ world: WorkerUnderTest, _ client: String, plan: String? = nil) throws -> RecordedResponse {
        var body: JSONObject = ["client_id": .string(client)]
        if let plan { body["attributes"] = ["plan": .string(plan)] }
        return try world.send(.post, Self.path + "/flows/tour/runs", body: .object(body))
    }

    private func advance(
        _ world: WorkerUnderTest, _ run: String, _ step: String, _ response: JSONValue = [:], _ action: String = "next"
    ) throws -> RecordedResponse {
        try world.send(
            .post, Self.path + "/runs/\(run)/advance",
            body: ["step_id": .string(step), "response": response, "action": .string(action)])
    }

    /// Returns the run's id and the last response.
    private func finish(
        _ world: WorkerUnderTest, _ client: String, _ choice: String = "a"
    ) throws -> (run: String, last: JSONValue) {
        let run = try #require(try begin(world, client).json["run_id"].string)
        _ = try advance(world, run, "goal", ["selected": [.string(choice)]])
        return (run, try advance(world, run, "end").json)
    }

    private func results(_ world: WorkerUnderTest) throws -> JSONValue {
        try world.send(.get, Self.path + "/results/tour").json
    }

    private func status(_ world: WorkerUnderTest, _ run: String) throws -> JSONValue {
        try world.send(.get, Self.path + "/responses/\(run)").json["status"]
    }

    @Test func `A limit counts completed runs, and no run begins once it is reached`() throws {
        let world = try world(["response_limit": 1])
        let late = try #require(try begin(world, "late").json["run_id"].string)
        _ = try finish(world, "a")
        #expect(try results(world)["response_limit"] == ["taken": 1, "limit": 1])
        let closed = try begin(world, "b")
        #expect(closed.status == 409 && closed.json["errors"][0]["code"] == "response_limit")
        _ = try advance(world, late, "goal", ["selected": ["a"]])
        let last = try advance(world, late, "end")
        #expect(last.status == 200 && last.json["outcome"]["reason"] == "finished", "a run that is open goes on")
        #expect(try status(world, late) == "screened_out")
        #expect(try results(world)["completed"] == 1)
        let explained = try world.send(
            .post, Self.path + "/explain", body: ["client_id": "somebody", "surface": "card"])
        #expect(explained.json["messages"][0]["reason"] == "response_limit")
    }

    @Test func `A quota takes a place at the answer that makes it true, and gives it back`() throws {
        let when: JSONValue = ["ref": "step.goal.selected", "op": "contains", "value": "a"]
        let world = try world(["quotas": [["name": "runners", "when": when, "limit": 1]]])
        let first = try #require(try begin(world, "a").json["run_id"].string)
        _ = try advance(world, first, "goal", ["selected": ["a"]])
        #expect(try results(world)["quotas"] == [["name": "runners", "taken": 1, "limit": 1]])
        let second = try #require(try begin(world, "b").json["run_id"].string)
        let full = try advance(world, second, "goal", ["selected": ["a"]]).json
        #expect(full["status"] == "completed" && full["outcome"] == ["reason": "screened_out"])
        #expect(full["step"] == .null)
        #expect(try advance(world, second, "end").json["errors"][0]["code"] == "run_ended")
        #expect(try status(world, second) == "screened_out")
        #expect(try results(world)["total_runs"] == 1)
        let names = world.store.records.filter { $0.contains("onboarding") }
        #expect(names.count { $0.contains("onboarding_flow_screened_out") } == 1)
        #expect(names.count { $0.contains("onboarding_step_viewed") } == 3, "the step after it is not shown")
        _ = try advance(world, first, "end", [:], "back")
        _ = try advance(world, first, "goal", ["selected": ["b"]])
        #expect(try results(world)["quotas"][0]["taken"] == 0)
        #expect(try finish(world, "c").last["outcome"]["reason"] == "finished")
        #expect(try results(world)["quotas"][0]["taken"] == 1)
    }

    @Test func `An answer that has left the path gives its place back, and is in no list`() throws {
        let when: JSONValue = ["ref": "step.goal.selected", "op": "contains", "value": "a"]
        var document = Self.flow(["quotas": [["name": "runners", "when": when, "limit": 1]]]).object ?? [:]
        let first: JSONValue = ["id": "hello", "type": "welcome", "config": ["title": "Hello"]]
        document["steps"] = .array([first] + (document["steps"]?.array ?? []))
        let world = try WorkerUnderTest(manifest: Self.manifest, recipes: ["tour": .object(document)])
        let run = try #require(try begin(world, "a").json["run_id"].string)
        _ = try advance(world, run, "hello")
        _ = try advance(world, run, "goal", ["selected": ["a"]])
        _ = try advance(world, run, "end", [:], "back")
        #expect(try results(world)["quotas"][0]["taken"] == 1, "the step is on the path")
        _ = try advance(world, run, "goal", [:], "back")
        #expect(try results(world)["quotas"][0]["taken"] == 0)
        #expect(try results(world)["questions"][0]["total_answered"] == 0)
        let again = try advance(world, run, "hello").json
        #expect(again["responses"]["goal"] == ["selected": ["a"]], "it is shown again")
        #expect(try results(world)["quotas"][0]["taken"] == 0, "and counts after next")
        #expect(try world.send(.get, Self.path + "/responses/\(run)").json["answers"] == [:])
    }

    @Test func `A quota that ends nothing accepts and does not count`() throws {
        let quota: JSONValue = ["name": "all", "when": true, "limit": 1, "action": "continue"]
        let world = try world(["quotas": [quota]])
        for client in ["a", "b"] { #expect(try finish(world, client).last["outcome"]["reason"] == "finished") }
        #expect(try results(world)["quotas"][0]["taken"] == 1 && results(world)["completed"] == 2)
    }

    @Test func `A quota that is full for a respondent lets no run begin`() throws {
        let when: JSONValue = ["ref": "attr.plan", "op": "eq", "value": "free"]
        let world = try world(["quotas": [["name": "free", "when": when, "limit": 1]]])
        let run = try #require(try begin(world, "a", plan: "free").json["run_id"].string)
        #expect(try results(world)["quotas"][0]["taken"] == 1)
        #expect(try begin(world, "b", plan: "free").json["errors"][0]["code"] == "quota_full")
        #expect(try begin(world, "c", plan: "pro").status == 201)
        #expect(try world.send(.post, Self.path + "/runs/\(run)/dismiss", body: [:]).status == 200)
        #expect(try begin(world, "b", plan: "free").status == 201, "a run that is dismissed gives its place back")
        let second = try #require(try begin(world, "b").json["run_id"].string)
        #expect(try world.send(.delete, Self.path + "/responses/\(second)").status == 204)
        #expect(try results(world)["quotas"][0]["taken"] == 0)
    }

    @Test func `A condition that reads what the flow does not ask is a warning`() throws {
        let world = try WorkerUnderTest(manifest: Self.manifest)
        func quota(_ name: String, _ reference: JSONValue) -> JSONValue {
            let when: JSONValue = ["all": [["ref": reference, "op": "exists"], ["ref": "attr.plan", "op": "exists"]]]
            return ["name": .string(name), "when": when, "limit": 1]
        }
        let quotas: JSONValue = [
            quota("a", "step.goal.selected"), quota("b", "answer.selected"), quota("c", "step.goal.other"),
        ]
        let answer = try world.send(.put, Self.path + "/recipes/tour", body: Self.flow(["quotas": quotas]))
        #expect(answer.status == 201)
        let warnings = (answer.json["warnings"].array ?? []).filter { $0["code"] == "unknown_question" }
        let place = "/offer/pacing/quotas/"
        #expect(
            warnings.compactMap { $0["pointer"].string } == [place + "1/when/all/0/ref", place + "2/when/all/0/ref"],
            "\(answer.json.text)")
    }

    @Test func `Faults of quotas and of a notification refuse the flow`() throws {
        let world = try WorkerUnderTest(manifest: Self.manifest)
        var flow =
            Self.flow(["quotas": [["name": "x", "when": ["ref": "goal", "op": "eq", "value": 1], "limit": 1]]])
            .object ?? [:]
        flow["notify"] = ["url": "https://example.com/", "wehn": true]
        let answer = try world.send(.put, Self.path + "/recipes/tour", body: .object(flow))
        let pointers = (answer.json["errors"].array ?? []).compactMap { $0["pointer"].string }
        #expect(answer.status == 422 && Set(pointers) == ["/offer/pacing/quotas/0/when/ref", "/notify/wehn"])
    }
}
