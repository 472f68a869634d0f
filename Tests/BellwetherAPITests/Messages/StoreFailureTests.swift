import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// While the store is down, reads continue from memory, writes get 503 with Retry-After, and readiness reports the
/// state (docs/reference/http-api.md#when-the-store-is-down).
@Suite struct StoreFailureTests {
    private static let recipes: [String: JSONValue] = [
        "r": [
            "messages": [
                "m": ["surface": "card", "text": "x"],
                "s": ["surface": "microsurvey", "text": "?", "microsurveyConfig": ["options": ["A"]]],
            ]
        ]
    ]

    private static let requests: [(HTTPMethod, String, JSONValue?)] = [
        (.post, "events", ["client_id": "c", "events": [["type": "behavior", "name": "v"]]]),
        (.post, "messages", ["client_id": "c", "events": [["type": "behavior", "name": "v"]]]),
        (.post, "responses", ["client_id": "c", "message": "s", "option": "0"]),
        (.get, "messages?client_id=never-seen", nil), (.get, "telemetry", nil),
        (.post, "explain", ["client_id": "never-seen", "surface": "card"]),
        (.put, "recipes/new", ["messages": [:]]), (.delete, "recipes/new", nil),
    ]

    @Test(arguments: requests.indices, [StoreError.overloaded, .unavailable("the disk is full")])
    func `What needs the store is 503 with Retry-After`(_ index: Int, _ error: StoreError) throws {
        let (method, path, body) = Self.requests[index]
        let worker = try WorkerUnderTest(recipes: Self.recipes)
        if method == .delete {
            #expect(try worker.send(.put, "/v1/apps/app/recipes/new", body: ["messages": [:]]).status == 201)
        }
        worker.store.fail(error)
        let answer = try worker.send(method, "/v1/apps/app/\(path)", body: body)
        #expect(answer.status == 503)
        #expect(answer.headers.contains("Retry-After: 1\r\n"))
        #expect(answer.json["status"] == 503)
        #expect(!answer.json.text.contains("disk"))
        worker.store.fail(nil)
        #expect([200, 201, 204].contains(try worker.send(method, "/v1/apps/app/\(path)", body: body).status))
    }

    @Test func `Clients in memory are served all the same`() throws {
        let worker = try WorkerUnderTest(recipes: Self.recipes)
        _ = try worker.send(.get, "/v1/apps/app/messages?client_id=c")
        worker.store.fail(.unavailable("gone"))
        let answer = try worker.send(.get, "/v1/apps/app/messages?client_id=c")
        #expect(answer.status == 200)
        #expect(answer.json["messages"][0]["key"] == "m")
    }

    @Test func `Readiness is 503 while the store is down or nothing is loaded`() throws {
        let worker = try WorkerUnderTest()
        #expect(try worker.send(.get, "/__heartbeat__").status == 200)
        worker.store.fail(.unavailable("gone"))
        let failing = try worker.send(.get, "/__heartbeat__")
        #expect(failing.status == 503)
        let checks: JSONValue = ["snapshot": "ok", "store": "error", "files": "ok", "settings": "ok"]
        #expect(failing.json == ["status": "error", "checks": checks])
        #expect(try worker.send(.get, "/__lbheartbeat__").status == 200)
        let empty = try WorkerUnderTest(isLoaded: false).send(.get, "/__heartbeat__")
        #expect(empty.status == 503)
        #expect(empty.json["checks"]["snapshot"] == "error")
    }
}
