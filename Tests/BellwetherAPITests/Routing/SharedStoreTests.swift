import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// The workers of two daemons over one store, with their caches. Each sees the changes of the other
/// (docs/decisions/0079-what-a-process-holds-in-memory-follows-one-change-feed.md).
@Suite struct SharedStoreTests {
    private static let path = "/v1/apps/app"
    private static let manifest: JSONValue = [
        "app_name": "a", "default_locale": "en-US", "surfaces": ["card"], "attributes": ["age": "number"],
    ]
    private static let capped: JSONValue = [
        "styles": ["ONCE": ["priority": 90, "max-display-count": 1]],
        "messages": ["m": ["surface": "card", "style": "ONCE", "text": "t"]],
    ]
    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Q",
        "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
        "offer": [
            "surface": "card", "text": "?", "pacing": ["quotas": [["name": "all", "when": true, "limit": 1]]],
        ],
    ]

    private let store = TestStore(sharing: .asked)
    private let nodes: [WorkerUnderTest]

    init() throws {
        let store = store
        var settings = APISettings.open
        settings.events.recordsBehavior = true
        nodes = try (0..<2).map { _ in try WorkerUnderTest(over: store, settings: settings) }
    }

    private func publish(_ path: String = "", _ document: JSONValue, on node: Int) throws {
        let answer = try nodes[node].send(.put, Self.path + path, body: document)
        guard (200...201).contains(answer.status) else { throw Failure("\(answer.json)") }
    }

    private func offers(_ client: String, on node: Int) throws -> [JSONValue] {
        let answer = try nodes[node].send(.get, Self.path + "/messages?client_id=\(client)")
        guard answer.status == 200 else { throw Failure("\(answer.status)") }
        return answer.json["messages"].array ?? []
    }

    /// Both nodes poll, and they take turns to write. Neither may trust its cache without a check.
    @Test func neitherOffersPastACapThatTheOtherHasReached() async throws {
        try publish("/manifest", Self.manifest, on: 0)
        try publish("/recipes/e", Self.capped, on: 0)
        await nodes[1].hear()
        for round in 0..<6 {
            let (client, writer) = ("c\(round)", round % 2)
            for _ in 0..<2 {
                for node in 0..<2 { #expect(try offers(client, on: node).count == 1) }
            }
            let event: JSONValue = ["type": "message", "action": "displayed", "message": "m"]
            let events: JSONValue = ["client_id": .string(client), "events": [event]]
            #expect(try nodes[writer].send(.post, Self.path + "/events", body: events).status == 200)
            for node in 0..<2 { #expect(try offers(client, on: node).isEmpty, "round \(round), node \(node)") }
        }
    }

    /// A repeated poll queries a version, and reads no row if the version is unchanged.
    @Test func aRepeatedPollIsAnsweredFromMemoryOnceItsVersionIsVerified() async throws {
        try publish("/manifest", Self.manifest, on: 0)
        try publish("/recipes/e", Self.capped, on: 0)
        await nodes[1].hear()
        let target = Self.path + "/messages?client_id=c"
        let first = try nodes[1].send(.get, target)
        _ = try nodes[1].send(.get, target)
        let kept = try #require(nodes[1].worker.responses.key(for: try Request(.get, target)))
        #expect(nodes[1].worker.responses.find(kept) != nil)
        let before = store.rowsRead
        let repeated = try nodes[1].begin(.get, target)
        // The poll is parked until the store has returned the version.
        #expect(repeated.response == nil)
        nodes[1].settle()
        #expect(repeated.status == 200 && repeated.body == first.body && store.rowsRead == before)
    }

    /// A publish empties the caches while the version is queried: the response must come from the new snapshot.
    @Test func aPublishWhileAVersionIsAskedForIsServed() async throws {
        try publish("/manifest", Self.manifest, on: 0)
        try publish("/recipes/e", Self.capped, on: 0)
        await nodes[1].hear()
        for _ in 0..<2 { #expect(try offers("c", on: 1).count == 1) }
        let repeated = try nodes[1].begin(.get, Self.path + "/messages?client_id=c")
        #expect(try nodes[0].send(.delete, Self.path + "/recipes/e").status == 204)
        #expect(repeated.response == nil)
        await nodes[1].hear()
        while repeated.response == nil { nodes[1].settle() }
        #expect(repeated.status == 200 && repeated.json["messages"].array?.isEmpty == true)
    }

    /// A check of the client's row as well: a client that is erased on one node is unknown on the other.
    @Test func anErasedClientIsAbsentForTheOther() async throws {
        try publish("/manifest", Self.manifest, on: 0)
        try publish("/recipes/e", Self.capped, on: 0)
        await nodes[1].hear()
        let event: JSONValue = ["type": "message", "action": "displayed", "message": "m"]
        let events: JSONValue = ["client_id": "c", "events": [event]]
        #expect(try nodes[1].send(.post, Self.path + "/events", body: events).status == 200)
        #expect(try offers("c", on: 1).isEmpty)
        #expect(try nodes[0].send(.delete, Self.path + "/clients/c").status == 204)
        #expect(try offers("c", on: 1).count == 1)
        let explained = try nodes[1].send(.post, Self.path + "/explain", body: ["client_id": "c", "surface": "card"])
        #expect(explained.json["messages"][0]["reason"] == "selected")
    }

    @Test func aPublishIsServedByTheOther() async throws {
        try publish("/manifest", Self.manifest, on: 0)
        try publish("/recipes/q", Self.questionnaire, on: 0)
        #expect(throws: Failure.self) { try offers("c", on: 1) }
        await nodes[1].hear()
        #expect(try offers("c", on: 1) == offers("c", on: 0))
        #expect(try !offers("c", on: 1).isEmpty)
    }

    /// The other node's edit conflicts with the publish and is refused. That node then serves the published recipe.
    @Test func aPublishIsServedByTheOtherAfterARefusedEdit() async throws {
        try publish("/manifest", Self.manifest, on: 0)
        await nodes[1].hear()
        try publish("/recipes/q", Self.questionnaire, on: 0)
        // A precondition on the node's old state fails against the stored state.
        let refused = try nodes[1].send(
            .put, Self.path + "/recipes/q", headers: [("If-None-Match", "*")], body: Self.questionnaire)
        #expect(refused.status == 412)
        #expect(try !offers("c", on: 1).isEmpty)
        await nodes[1].hear()
        #expect(try !offers("c", on: 1).isEmpty)
    }

    @Test func aFullQuotaIsKnownToTheOther() async throws {
        try publish("/manifest", Self.manifest, on: 0)
        try publish("/recipes/q", Self.questionnaire, on: 0)
        await nodes[1].hear()
        #expect(try offers("c", on: 1).count == 1)
        let answers: JSONValue = ["client_id": "other", "answers": ["q1": "x"], "is_complete": true]
        let answer = try nodes[0].send(.post, Self.path + "/questionnaires/q/responses", body: answers)
        #expect(answer.status == 201)
        await nodes[1].hear()
        #expect(try offers("c", on: 1).isEmpty)
    }

    @Test func aRecordEndsTheOthersWait() async throws {
        try publish("/manifest", Self.manifest, on: 0)
        await nodes[1].hear()
        let waiting = try nodes[1].begin(.get, Self.path + "/telemetry?wait=30")
        nodes[1].settle()
        #expect(waiting.response == nil)
        let events: JSONValue = ["client_id": "c", "events": [["type": "behavior", "name": "visit"]]]
        #expect(try nodes[0].send(.post, Self.path + "/events", body: events).status == 200)
        await nodes[1].hear()
        #expect(waiting.status == 200 && !waiting.body.isEmpty)
    }

    @Test func aRevokedTokenIsRefusedByTheOther() async throws {
        var settings = APISettings()
        settings.tokens = TokenTable([
            try Token("root:admin:*:\(Digest.hex(Token.digest(of: Array("root".utf8))))")
        ])
        let nodes = try (0..<2).map { _ in try WorkerUnderTest(over: store, settings: settings) }
        let headers = [(name: "Authorization", value: "Bearer root")]
        let body: JSONValue = ["name": "t", "scope": "admin", "app": "*"]
        let made = try nodes[0].send(.post, "/v1/tokens", headers: headers, body: body)
        let token = try #require(made.json["token"].string)
        let list = { try nodes[1].send(.get, "/v1/tokens", headers: [("Authorization", "Bearer \(token)")]).status }
        #expect(try list() == 401)
        await nodes[1].hear()
        #expect(try list() == 200)
        #expect(try nodes[0].send(.delete, "/v1/tokens/t", headers: headers).status == 204)
        await nodes[1].hear()
        #expect(try list() == 401)
    }
}
