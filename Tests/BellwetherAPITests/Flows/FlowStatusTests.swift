import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The flows that are delivered, and the active one (docs/reference/flows.md#the-status-of-a-flow,
/// docs/reference/flows.md#bundles).
@Suite struct FlowStatusTests {
    private let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest(manifest: FlowRouteTests.manifest) }

    private static func flow(_ more: JSONObject = [:]) -> JSONObject {
        var flow: JSONObject = ["name": "Hello", "steps": [["id": "only", "type": "welcome"]]]
        for member in more { flow[member.key] = member.value }
        return flow
    }

    private func put(_ slug: String, _ more: JSONObject, query: String = "") throws -> RecordedResponse {
        var flow = Self.flow(more)
        flow["kind"] = "flow"
        return try world.send(.put, "/v1/apps/app/recipes/\(slug)\(query)", body: .object(flow))
    }

    private func set(_ slug: String, _ state: String) throws -> RecordedResponse {
        try world.send(.post, "/v1/apps/app/recipes/\(slug)/state", body: ["state": .string(state)])
    }

    /// The slug, the status and the state of each result.
    private func bring(_ bundle: JSONValue) throws -> [String] {
        let answer = try world.send(.post, "/v1/apps/app/recipes", body: bundle)
        #expect(answer.status == 200, "\(answer.json.text)")
        return (answer.json["results"].array ?? []).map { result in
            "\(result["slug"].string ?? "") \(result["status"].text) \(result["state"].string ?? "-")"
        }
    }

    private func status(of slug: String) throws -> Int {
        let start = try world.send(.post, "/v1/apps/app/flows/\(slug)/runs", body: ["client_id": .string("c-\(slug)")])
        let fetched = try world.send(.get, "/v1/apps/app/flows/\(slug)").status
        #expect((start.status < 300) == (fetched == 200))
        return fetched
    }

    private func active() throws -> JSONValue { try world.send(.get, "/v1/apps/app/flows/active").json["flow"]["slug"] }

    private func revision(of slug: String) throws -> Int? {
        try world.send(.get, "/v1/apps/app/recipes/\(slug)/revisions").json["revisions"].array?.count
    }

    @Test func aDraftBecomesLiveByItsState() throws {
        #expect(try put("three", ["status": "draft", "active": true]).json["state"] == "draft")
        #expect(try status(of: "three") == 404 && active() == .null)
        let live = try set("three", "live")
        #expect(live.status == 200 && live.json["state"] == "live" && live.json["warnings"] == [])
        #expect(try status(of: "three") == 200 && active() == "three")
        #expect(try put("four", ["status": "published"]).json["state"] == "live")
        #expect(try put("five", ["status": "published"], query: "?state=draft").json["state"] == "draft")
    }

    @Test func aLaterDocumentChangesNoState() throws {
        _ = try put("three", [:])
        let edited = try put("three", ["status": "draft"])
        #expect(edited.json["state"] == "live" && edited.json["revision"] == 2)
        #expect(edited.json["warnings"].array?.map { $0["code"] } == ["status"])
        #expect(edited.json["warnings"][0]["pointer"] == "/status")
        #expect(try status(of: "three") == 200)
        _ = try put("four", ["status": "draft"])
        #expect(try put("four", ["status": "published"]).json["state"] == "draft")
        #expect(try status(of: "four") == 404)
    }

    @Test func aBundleBringsDraftsWhoseStateIsExported() throws {
        let draft = JSONValue.object(Self.flow(["status": "draft"]))
        #expect(
            try bring(["flows": ["one": .object(Self.flow()), "two": draft]]) == ["one 201 live", "two 201 draft"])
        _ = try set("two", "live")
        #expect(try bring(["flows": ["two": draft]]) == ["two 200 live"])
        #expect(try status(of: "two") == 200)
        _ = try put("three", ["status": "published"], query: "?state=draft")
        let flows = try world.send(.get, "/v1/apps/app/flows").json["flows"]
        #expect(flows["one"]["status"] == .null && flows["two"]["status"] == "published")
        #expect(flows["three"]["status"] == "draft")
    }

    @Test func theActiveFlowOfAPartialBundleCounts() throws {
        let one = JSONValue.object(Self.flow())
        _ = try bring(["flows": ["one": one, "other": one], "active_flow_id": "one"])
        #expect(try active() == "one")
        #expect(try bring(["flows": ["two": one], "active_flow_id": "two"]) == ["two 201 live", "one 200 live"])
        #expect(try active() == "two" && revision(of: "other") == 1)
        #expect(try world.send(.get, "/v1/apps/app/flows").json["active_flow_id"] == "two")
        // A flow that is already stored.
        #expect(
            try bring(["flows": ["new": one], "active_flow_id": "other"])
                == ["new 201 live", "other 200 live", "two 200 live"])
        #expect(try active() == "other" && revision(of: "one") == 2)
        #expect(try bring(["flows": [:], "active_flow_id": "other"]) == [], "it is so already")
        #expect(try bring(["flows": ["new": one]]) == ["new 200 live"])
        #expect(try active() == "other")
    }

    @Test func anUnknownActiveFlowIsAFault() throws {
        _ = try put("one", ["active": true])
        _ = try world.send(.put, "/v1/apps/app/recipes/plain", body: ["messages": [:]])
        for id: JSONValue in ["missing", "plain"] {
            let bundle: JSONValue = ["flows": ["two": .object(Self.flow())], "active_flow_id": id]
            let answer = try world.send(.post, "/v1/apps/app/recipes", body: bundle)
            #expect(answer.status == 422 && answer.json["errors"][0]["code"] == "unknown_flow")
            #expect(answer.json["errors"][0]["pointer"] == "/active_flow_id")
        }
        let wrong = try world.send(.post, "/v1/apps/app/recipes", body: ["flows": [:], "active_flow_id": 7])
        #expect(wrong.status == 400 && wrong.json["errors"][0]["pointer"] == "/active_flow_id")
        #expect(try status(of: "two") == 404 && active() == "one")
    }

    @Test func aRefusedActiveFlowLeavesTheOthers() throws {
        _ = try put("one", ["active": true])
        #expect(try bring(["flows": ["bad": ["steps": []]], "active_flow_id": "bad"]) == ["bad 422 -"])
        #expect(try active() == "one" && revision(of: "one") == 1)
    }

    @Test func aDraftBesideAFlowStaysOne() throws {
        _ = try put("one", ["active": true])
        _ = try put("one", ["active": true, "name": "Next"], query: "?state=draft")
        #expect(
            try bring(["flows": ["two": .object(Self.flow())], "active_flow_id": "two"])
                == ["two 201 live", "one 200 live", "one 200 draft"])
        #expect(try active() == "two")
        #expect(try world.send(.get, "/v1/apps/app/flows/one").json["flow"]["name"] == "Hello")
        _ = try set("one", "live")
        #expect(try world.send(.get, "/v1/apps/app/flows/one").json["flow"]["name"] == "Next" && active() == "two")
    }
}
