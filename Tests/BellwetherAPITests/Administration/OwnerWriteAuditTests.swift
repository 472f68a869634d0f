import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// Every write of an owner adds a record to the audit, for each entry of the table of routes
/// (docs/reference/http-api.md#audit).
@Suite struct OwnerWriteAuditTests {
    private static let app = "/v1/apps/app"

    /// The POST routes of owners that write nothing themselves: a tool for agents calls the routes.
    private static let readOnly: Set<String> = [
        "POST /v1/apps/{app}/recipes/{slug}/preview",
        "POST /v1/apps/{app}/recipes/validate", "POST /v1/apps/{app}/recipes/render",
        "POST /v1/apps/{app}/recipes/forecast", "POST /v1/apps/{app}/recipes/simulate",
        "POST /v1/apps/{app}/recipes/size",
        "POST /v1/apps/{app}/explain", "POST /v1/apps/{app}/lists/{name}/contains", "POST /mcp",
        // No document of this app comes from a file: `TakeOverTests`.
        "POST /v1/apps/{app}/take-over",
    ]

    /// All routes of owners that write, except those of sessions, which belong to the person who signs in.
    private static let writes: Set<String> = {
        let owners = Routes.all.filter { endpoint in
            guard endpoint.method != .get, !endpoint.pattern.hasPrefix("/v1/session"),
                case .abilities(let abilities) = endpoint.access
            else { return false }
            return !abilities.contains(.participate)
        }
        return Set(owners.map(Self.key)).subtracting(readOnly)
    }()

    private static func key(_ endpoint: Endpoint) -> String {
        endpoint.method.name + " " + endpoint.pattern
    }

    private let world: WorkerUnderTest

    /// A worker with approval, so that drafts of all documents can be published.
    init() throws {
        var settings = APISettings()
        settings.requiresApproval = true
        settings.tokens = TokenTable(
            try ["ann", "bob"].map { try Token("\($0):admin:*:\(Digest.hex(Token.digest(of: Array($0.utf8))))") })
        world = try WorkerUnderTest(over: TestStore(), settings: settings)
    }

    private func send(_ method: HTTPMethod, _ path: String, _ body: JSONValue?, by who: String) throws
        -> RecordedResponse
    {
        try world.send(method, path, headers: [("Authorization", "Bearer \(who)")], body: body)
    }

    private func records() throws -> Int {
        try send(.get, "/v1/audit", nil, by: "ann").body.split(separator: 0x0A).count
    }

    @Test func `Every write of an owner leaves a record`() throws {
        var left = Self.writes
        func write(
            _ method: HTTPMethod, _ pattern: String, _ path: String, _ body: JSONValue?, _ who: String
        ) throws -> JSONValue {
            let key = method.name + " " + pattern
            let before = try records()
            let answer = try send(method, path, body, by: who)
            #expect((200..<300).contains(answer.status), "\(key): \(answer.status) \(answer.json.text)")
            #expect(try records() > before, "\(key) leaves no record")
            left.remove(key)
            return answer.status == 204 ? .null : answer.json
        }
        try documents(write)
        try responses(write)
        try others(write)
        #expect(left.isEmpty, "\(left.sorted()) are not tried")
    }

    private typealias Write = (HTTPMethod, String, String, JSONValue?, String) throws -> JSONValue

    private func documents(_ write: Write) throws {
        let app = "/v1/apps/{app}"
        func live(_ draft: JSONValue) -> JSONValue { ["state": "live", "revision": draft["revision"]] }
        let manifest: JSONObject = ["app_name": "app", "default_locale": "en-US", "surfaces": ["card"]]
        var changed = manifest
        changed["surfaces"] = ["card", "microsurvey"]
        _ = try write(.put, app + "/manifest", Self.app + "/manifest", .object(manifest), "ann")
        let draft = try write(.put, app + "/manifest", Self.app + "/manifest", .object(changed), "ann")
        _ = try write(.post, app + "/manifest/state", Self.app + "/manifest/state", live(draft), "bob")
        let strings = "/strings/en-US"
        let texts = try write(.put, app + "/strings/{locale}", Self.app + strings, ["T": ["hello": "Hello"]], "ann")
        _ = try write(.post, app + "/strings/{locale}/state", Self.app + strings + "/state", live(texts), "bob")
        for name in ["First", "Second"] {
            let recipe = Self.recipe("questionnaire", name)
            let draft = try write(.put, app + "/recipes/{slug}", Self.app + "/recipes/q", recipe, "ann")
            _ = try write(.post, app + "/recipes/{slug}/state", Self.app + "/recipes/q/state", live(draft), "bob")
        }
        let back: JSONValue = ["revision": 1]
        _ = try write(.post, app + "/recipes/{slug}/rollback", Self.app + "/recipes/q/rollback", back, "ann")
        let staged: JSONValue = [
            "schemaVersion": "1.12.0", "slug": "e", "userFacingName": "E", "userFacingDescription": "",
            "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": ["randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 1],
            "branches": [["slug": "only", "ratio": 1]], "stages": [["count": 2]],
        ]
        let plan = try write(.put, app + "/recipes/{slug}", Self.app + "/recipes/e", staged, "ann")
        _ = try write(.post, app + "/recipes/{slug}/state", Self.app + "/recipes/e/state", live(plan), "bob")
        _ = try write(.post, app + "/recipes/{slug}/advance", Self.app + "/recipes/e/advance", back, "ann")
        var survey = Self.recipe("survey", "S").object ?? [:]
        survey["slug"] = "s"
        let batch = try write(.post, app + "/recipes", Self.app + "/recipes", ["data": [.object(survey)]], "ann")
        #expect(batch["results"][0]["errors"] == [], "\(batch.text)")
        _ = try write(
            .post, app + "/recipes/{slug}/state", Self.app + "/recipes/s/state", live(batch["results"][0]), "bob")
        let note: JSONValue = ["labels": ["spring"]]
        _ = try write(.patch, app + "/recipes/{slug}/note", Self.app + "/recipes/q/note", note, "ann")
        for (pattern, path, document) in [
            ("/manifest", "/manifest", JSONValue.object(manifest)),
            ("/strings/{locale}", strings, ["T": ["hello": "Hallo"]]),
            ("/recipes/{slug}", "/recipes/q", Self.recipe("questionnaire", "Third")),
        ] {
            _ = try write(.put, app + pattern, Self.app + path, document, "ann")
            _ = try write(.delete, app + pattern + "/draft", Self.app + path + "/draft", nil, "ann")
        }
    }

    private static func recipe(_ kind: String, _ name: String) -> JSONValue {
        let asked: JSONObject =
            kind == "survey"
            ? ["questions": [["id": "q1", "question": "?", "question_type": "single_text_area", "required": false]]]
            : ["schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]]]
        var recipe: JSONObject = ["kind": .string(kind), "name": .string(name)]
        for member in asked { recipe[member.key] = member.value }
        return .object(recipe)
    }

    private func responses(_ write: Write) throws {
        let app = "/v1/apps/{app}"
        let save: JSONValue = ["client_id": "phone", "answers": ["q1": "words"], "is_complete": true]
        let saved = try send(.post, Self.app + "/questionnaires/q/responses", save, by: "ann")
        let id = try #require(saved.json["id"].string, "\(saved.json.text)")
        let (pattern, path) = (app + "/responses/{response}", Self.app + "/responses/" + id)
        _ = try write(.patch, pattern, path, ["status": "addressed"], "ann")
        let made = try write(.post, pattern + "/comments", path + "/comments", ["body": "Note"], "ann")
        let comment = Self.app + "/comments/" + (made["id"].string ?? "")
        _ = try write(.patch, app + "/comments/{comment}", comment, ["body": "Note 2"], "ann")
        _ = try write(.delete, app + "/comments/{comment}", comment, nil, "ann")
        _ = try write(.delete, pattern, path, nil, "ann")
        for (kind, slug) in [("questionnaires", "q"), ("surveys", "s")] {
            let row: JSONValue = ["id": "r1", "answers": ["q1": "words"]]
            _ = try write(
                .post, app + "/\(kind)/{slug}/responses/import", Self.app + "/\(kind)/\(slug)/responses/import",
                ["source": "elsewhere", "responses": [row]], "ann")
        }
    }

    private func giveUpWebhook() throws {
        let start = Timestamp(seconds: 1_773_144_000)
        var group = WriteGroup()
        group.outbox = [
            OutboxRow(id: "w", app: "app", url: "https://a.example", secretName: "crm", body: [], createdAt: start)
        ]
        _ = try world.store.write([group])
        let later = start.adding(seconds: 120)
        _ = try world.store.leaseOutbox(OutboxLeaseRequest(owner: "a", now: start, leaseEnd: later, limit: 10))
        let dead = OutboxResult.Outcome.dead(at: start, failure: "status 410")
        try world.store.finishOutbox([OutboxResult(id: "w", dead)], of: "a")
    }

    /// The writes that do not belong to one recipe, and at the end those that delete documents.
    private func others(_ write: Write) throws {
        let app = "/v1/apps/{app}"
        let consumer = Self.app + "/consumers/lake"
        world.store.log(
            TelemetryRecord(
                at: Timestamp(seconds: 1_773_144_000), clientID: "c", category: "messaging", name: "shown", extra: [:]))
        _ = try write(.put, app + "/consumers/{name}", consumer, ["cursor": "t2-1"], "ann")
        _ = try write(.delete, app + "/consumers/{name}", consumer, nil, "ann")
        let (list, path) = (app + "/lists/{name}", Self.app + "/lists/beta")
        _ = try write(.put, list, path, ["ids": ["a"]], "ann")
        _ = try write(.post, list + "/add", path + "/add", ["ids": ["b"]], "ann")
        _ = try write(.post, list + "/remove", path + "/remove", ["ids": ["a"]], "ann")
        _ = try write(.delete, list, path, nil, "ann")
        try giveUpWebhook()
        _ = try write(.post, app + "/webhooks/{id}/retry", Self.app + "/webhooks/w/retry", [:], "ann")
        let token: JSONValue = ["name": "t", "scope": "client", "app": "app"]
        _ = try write(.post, "/v1/tokens", "/v1/tokens", token, "ann")
        _ = try write(.delete, "/v1/tokens/{name}", "/v1/tokens/t", nil, "ann")
        let roles: JSONValue = ["roles": ["app": "reader"]]
        let person: JSONValue = ["name": "carl", "roles": ["app": "owner"]]
        _ = try write(.post, "/v1/accounts", "/v1/accounts", person, "ann")
        _ = try write(.put, "/v1/accounts/{name}", "/v1/accounts/carl", roles, "ann")
        _ = try write(.post, "/v1/accounts/{name}/link", "/v1/accounts/carl/link", nil, "ann")
        _ = try write(.delete, "/v1/accounts/{name}", "/v1/accounts/carl", nil, "ann")
        let identity: JSONValue = ["client_id": "phone", "user_id": "ada"]
        #expect(try send(.post, Self.app + "/identify", identity, by: "ann").status == 200)
        _ = try write(.delete, app + "/users/{user_id}", Self.app + "/users/ada", nil, "ann")
        _ = try write(.delete, app + "/clients/{client_id}", Self.app + "/clients/phone", nil, "ann")
        _ = try write(.delete, app + "/recipes/{slug}", Self.app + "/recipes/q", nil, "ann")
        _ = try write(.delete, app + "/recipes/{slug}", Self.app + "/recipes/s", nil, "ann")
        _ = try write(.delete, app + "/strings/{locale}", Self.app + "/strings/en-US", nil, "ann")
        _ = try write(.delete, app + "/manifest", Self.app + "/manifest", nil, "ann")
    }
}
