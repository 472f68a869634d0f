import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Who is told of drafts that wait, and of what goes live, pauses and ends (docs/reference/http-api.md#notices).
@Suite struct NoticeTests {
    private static let app = "/v1/apps/app"
    private let worker: WorkerUnderTest

    init() throws {
        var settings = APISettings()
        settings.publicURL = "https://b.example"
        settings.tokens = TokenTable(
            try [("ann", "owner:*"), ("ben", "owner:*"), ("phone", "client:app")].map { name, scope in
                try Token("\(name):\(scope):\(Digest.hex(Token.digest(of: Array(name.utf8))))")
            })
        worker = try WorkerUnderTest(over: TestStore(), settings: settings)
        worker.worker.services.publisher.publicURL = "https://b.example"
    }

    private static func manifest(_ notices: JSONValue) -> JSONValue {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["notices"] = notices
        return .object(manifest)
    }

    private static func recipe(_ text: String) -> JSONValue {
        ["messages": ["m": ["surface": "card", "text": .string(text)]]]
    }

    @discardableResult
    private func send(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, by who: String = "ann"
    ) throws -> RecordedResponse {
        let answer = try worker.send(
            method, Self.app + path, headers: [("Authorization", "Bearer \(who)")], body: body)
        #expect((200..<300).contains(answer.status), "\(answer.json)")
        return answer
    }

    /// The bodies of the webhooks that wait, which are removed.
    private func told() throws -> [JSONValue] {
        let now = worker.now
        let request = OutboxLeaseRequest(owner: "a", now: now, leaseEnd: now.adding(seconds: 60), limit: 100)
        let rows = try worker.store.leaseOutbox(request).rows
        try worker.store.finishOutbox(rows.map { OutboxResult(id: $0.id, .delivered) }, of: "a")
        return try rows.map { try JSONValue(parsing: $0.body) }
    }

    @Test func `Each change of a recipe is told once, with who and where`() throws {
        try send(.put, "/manifest", Self.manifest([["url": "https://hooks.example/a"]]))
        _ = try told()
        try send(.put, "/recipes/r?state=draft", Self.recipe("one"))
        #expect(
            try told() == [
                [
                    "type": "draft", "app": "app", "kind": "recipe", "name": "r", "revision": 1, "by": "ann",
                    "author": "ann", "at": "2026-03-10T12:00:00Z",
                    "link": "https://b.example/console/a/app/r/r/publish",
                ]
            ])
        try send(.post, "/recipes/r/state", ["state": "live", "revision": 1], by: "ben")
        let live = try told()
        #expect(live.map { $0["type"] } == ["live"])
        #expect(live[0]["by"] == "ben" && live[0]["author"] == "ann")
        #expect(live[0]["link"] == "https://b.example/console/a/app/r/r")
        try send(.put, "/recipes/r", Self.recipe("one"))
        #expect(try told() == [], "nothing has changed")
        for (state, type) in [("paused", "paused"), ("live", "live"), ("ended", "ended")] {
            try send(.post, "/recipes/r/state", ["state": .string(state)])
            #expect(try told().map { $0["type"].string } == [type])
        }
    }

    @Test func `A notice belongs to the trace of the change`() throws {
        let trace = "0af7651916cd43dd8448eb211c80319c"
        func put(_ path: String, _ body: JSONValue, traced: Bool) throws -> TraceContext? {
            var headers = [(name: "Authorization", value: "Bearer ann")]
            if traced { headers += [("traceparent", "00-\(trace)-b7ad6b7169203331-01"), ("tracestate", "a=1")] }
            _ = try worker.send(.put, Self.app + path, headers: headers, body: body)
            let rows = try worker.store.readOutbox(OutboxQuery(app: "app", limit: 10))
            #expect(rows.count <= 1)
            _ = try told()
            return rows.first?.trace
        }
        _ = try put("/manifest", Self.manifest([["url": "https://hooks.example/a"]]), traced: true)
        let traced = try #require(try put("/recipes/r", Self.recipe("one"), traced: true))
        #expect(traced.traceID == trace && traced.parentID == "b7ad6b7169203331" && traced.state == "a=1")
        #expect(try put("/recipes/r", Self.recipe("two"), traced: false) == nil)
    }

    @Test func `The end of a recipe by its date is told, by the daemon`() async throws {
        try send(.put, "/manifest", Self.manifest([["url": "https://hooks.example/a", "format": "text"]]))
        let recipe: JSONValue = [
            "schemaVersion": "1.12.0", "id": "r", "slug": "r", "appName": "a", "userFacingName": "Spring",
            "userFacingDescription": "", "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "referenceBranch": "only",
            "startDate": .null, "endDate": "2026-03-11",
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 10000, "total": 10000,
            ],
            "branches": [["slug": "only", "ratio": 1, "features": [["featureId": "messaging", "value": [:]]]]],
        ]
        try send(.put, "/recipes/r", recipe)
        _ = try told()
        worker.pass(seconds: 3 * 86_400)
        await withCheckedContinuation { done in worker.worker.services.publisher.follow { done.resume() } }
        let text = try told().map { $0["text"].string ?? "" }
        #expect(text == ["Ended by its date: “Spring” of a, revision 1. https://b.example/console/a/app/r/r"])
    }

    @Test func `Drafts of texts and manifests are told, too`() throws {
        let manifest = Self.manifest([["url": "https://hooks.example/a"]])
        try send(.put, "/manifest", manifest)
        #expect(try told().map { "\($0["type"].text) \($0["kind"].text)" } == [#""live" "manifest""#])
        try send(.put, "/strings/de?state=draft", ["T": ["hello": "Hallo"]])
        try send(.post, "/strings/de/state", ["state": "live", "revision": 1])
        let strings = try told()
        #expect(strings.map { $0["type"] } == ["draft", "live"] && strings[0]["name"] == "de")
        var changed = manifest.object ?? [:]
        changed["default_locale"] = "de"
        try send(.put, "/manifest?state=draft", .object(changed))
        #expect(try told().map { $0["kind"] } == ["manifest"])
    }

    @Test func `A receiver chooses occasions and the format`() throws {
        try send(
            .put, "/manifest",
            Self.manifest([
                ["url": "https://hooks.example/a", "on": ["draft"], "format": "text"],
                ["url": "https://hooks.example/b", "on": ["paused"]],
            ]))
        #expect(try told() == [])
        var recipe = Self.recipe("one").object ?? [:]
        recipe["userFacingName"] = "Spring <!channel>"
        try send(.put, "/recipes/r?state=draft", .object(recipe))
        let text = try told()
        #expect(text.count == 1)
        #expect(text[0]["text"].string?.hasPrefix("ann asks for a review: “") == true, "\(text[0])")
        #expect(text[0]["text"].string?.hasSuffix(" https://b.example/console/a/app/r/r/publish") == true)
        #expect(text[0]["text"].string?.contains("<") == false)
        try send(.post, "/recipes/r/state", ["state": "live"])
        try send(.post, "/recipes/r/state", ["state": "paused"])
        #expect(try told().map { $0["type"] } == ["paused"])
    }

    /// The notice is in the commit of its change: nobody is told of what was not stored.
    @Test func `Nobody is told of a change that is refused or tried`() throws {
        try send(.put, "/manifest", Self.manifest([["url": "https://hooks.example/a"]]))
        _ = try told()
        let refused = try worker.send(
            .put, Self.app + "/recipes/r", headers: [("Authorization", "Bearer ann")], body: ["kind": "questionnaire"])
        #expect(refused.status == 422)
        try send(.put, "/manifest?dry_run=true", Self.manifest([]))
        #expect(try told() == [])
    }

    private static func limited(_ pacing: JSONValue) -> JSONValue {
        [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "nps", "title": "Tell?"]]],
            "offer": ["surface": "card", "text": "A minute?", "pacing": pacing],
        ]
    }

    /// The notice is in the commit of the response that takes the last slot; those that find it full tell nothing.
    @Test func `A full quota and the last response are told once`() throws {
        try send(
            .put, "/manifest",
            Self.manifest([
                ["url": "https://hooks.example/a", "on": ["full"]],
                ["url": "https://hooks.example/b", "on": ["full"], "format": "text"],
                ["url": "https://hooks.example/c", "on": ["live"]],
            ]))
        let quota: JSONValue = [
            "name": "happy", "when": ["ref": "answer.q1", "op": "gte", "value": 9], "limit": 1, "action": "continue",
        ]
        try send(.put, "/recipes/q", Self.limited(["response_limit": 3, "quotas": [quota]]))
        _ = try told()
        for (client, score) in [("a", 3), ("b", 9), ("c", 10), ("d", 4)] {
            let body: JSONValue = [
                "client_id": .string(client), "answers": ["q1": .integer(Int64(score))], "is_complete": true,
            ]
            try send(.post, "/questionnaires/q/responses", body, by: "phone")
            let told = try told()
            switch client {
            case "b":
                #expect(
                    told.first { $0["type"] == "full" } == [
                        "type": "full", "app": "app", "message": "q", "quota": "happy", "limit": 1,
                        "at": "2026-03-10T12:00:00Z", "link": "https://b.example/console/a/app/r/q",
                    ])
                #expect(told.count == 2)
            case "c":
                #expect(
                    told.contains([
                        "text": "“q” of a has all its responses: 3. https://b.example/console/a/app/r/q"
                    ]), "\(told)")
                #expect(told.count == 2)
            default: #expect(told == [])
            }
        }
    }

    @Test func `A stage that begins is told, by the daemon`() async throws {
        try send(.put, "/manifest", Self.manifest([["url": "https://hooks.example/a", "format": "text"]]))
        let recipe: JSONValue = [
            "schemaVersion": "1.12.0", "slug": "r", "userFacingName": "Spring", "userFacingDescription": "",
            "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": ["randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 500],
            "stages": [["count": 2500, "at": "2026-03-11T00:00:00Z"]],
            "branches": [["slug": "only", "ratio": 1, "features": [["featureId": "messaging", "value": [:]]]]],
        ]
        try send(.put, "/recipes/r", recipe)
        _ = try told()
        worker.pass(seconds: 86_400)
        await withCheckedContinuation { done in worker.worker.services.publisher.follow { done.resume() } }
        let text = try told().map { $0["text"].string ?? "" }
        #expect(text == ["A stage started: “Spring” of a, revision 2. https://b.example/console/a/app/r/r"])
    }

    @Test func `Clients do not see the addresses`() throws {
        try send(.put, "/manifest", Self.manifest([["url": "https://hooks.example/secret"]]))
        var settings = worker.worker.settings
        settings.isOpen = true
        worker.worker.receive(Publication(snapshot: worker.snapshot, settings: settings))
        let bundle = try worker.send(.get, Self.app + "/bundle")
        #expect(bundle.status == 200)
        #expect(bundle.json["manifest"]["surfaces"] == ["card", "microsurvey"])
        #expect(!String(decoding: bundle.body, as: UTF8.self).contains("hooks.example"))
    }

    @Test(
        arguments: [
            ([["on": ["draft"]]], "required /notices/0/url"), ([["url": "ftp://a"]], "url /notices/0/url"),
            ([["url": "https://a.example", "on": []]], "length /notices/0/on"),
            ([["url": "https://a.example", "on": ["born"]]], "choice /notices/0/on/0"),
            (.array(Array(repeating: ["url": "https://a.example"], count: 6)), "too_many /notices"),
        ] as [(JSONValue, String)])
    func `A receiver that cannot be read is a fault`(_ notices: JSONValue, _ fault: String) throws {
        let answer = try worker.send(
            .put, Self.app + "/manifest", headers: [("Authorization", "Bearer ann")], body: Self.manifest(notices))
        #expect(answer.status == 422)
        let told = answer.json["errors"].array?.map { "\($0["code"].string ?? "") \($0["pointer"].string ?? "")" }
        #expect(told == [fault])
    }
}
