import BellwetherJSON
import BellwetherService
import Dispatch
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// Glean's pings on the HTTP routes: who may send them, and which are refused
/// (docs/reference/http-api.md#gleans-edge-server).
@Suite struct GleanRoutesTests {
    private static let id = "2f8c7b1e-90ad-4c3f-8b2d-0123456789ab"
    private static let path = "/submit/org-example-app/events/1/\(id)"
    private static let manifest: JSONValue = [
        "app_name": "a", "default_locale": "en-US", "surfaces": ["card"], "application_ids": ["org.example.App"],
    ]
    private static let ping: JSONValue = ["events": [["category": "c", "name": "n"]]]

    private func worker(_ settings: APISettings = .open) throws -> WorkerUnderTest {
        try WorkerUnderTest(manifest: Self.manifest, settings: settings)
    }

    private func closed(isPublic: Bool = false) throws -> WorkerUnderTest {
        var settings = APISettings()
        settings.publicInterfaces = isPublic ? [.glean] : []
        settings.tokens = TokenTable(
            try [
                ("client", "client", "app"), ("other", "client", "other"), ("every", "client", "*"),
                ("owner", "owner", "app"), ("admin", "admin", "*"),
            ].map { name, scope, app in
                let digest = Token.digest(of: name.utf8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                return try Token("\(name):\(scope):\(app):\(digest.joined())")
            })
        return try worker(settings)
    }

    @Test(
        arguments: [
            (nil, 401, 200), ("client", 200, 200), ("every", 200, 200), ("admin", 200, 200), ("other", 403, 403),
            ("owner", 403, 403), ("unknown", 401, 401),
        ] as [(String?, Int, Int)])
    func `Closed it needs a client's token of the app, public none`(
        _ token: String?, _ closed: Int, _ open: Int
    ) throws {
        let headers = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        for (isPublic, status) in [(false, closed), (true, open)] {
            let worker = try self.closed(isPublic: isPublic)
            #expect(try worker.send(.post, Self.path, headers: headers, body: Self.ping).status == status)
        }
    }

    @Test(arguments: [HTTPMethod.post, .put])
    func `A ping is accepted with OK`(_ method: HTTPMethod) throws {
        let worker = try worker()
        for _ in 0..<2 {
            let answer = try worker.send(method, Self.path, body: Self.ping)
            #expect(answer.status == 200)
            #expect(answer.body == Array("OK".utf8))
            #expect(answer.headers.contains("Content-Type: text/plain"))
        }
        let lines = try worker.send(.get, "/v1/apps/app/telemetry").body.split(separator: 0x0A)
        #expect(lines.count == 1, "once")
    }

    @Test(
        arguments: [
            ("/submit/unknown/events/1/\(id)", 404), ("/submit/unknown/events/x/y", 404),
            ("/submit/org.example.app/events/1/\(id)", 200),
            ("/submit/org-example-app/events/1/\(id.uppercased())", 200),
            ("/submit/org-example-app/events/one/\(id)", 400), ("/submit/org-example-app/events/1/\(id)0", 400),
            ("/submit/org-example-app/ev%20ents/1/\(id)", 400), ("/submit/org-example-app/events/1/\(id)/", 400),
            ("/submit/org-example-app/events/1", 400), ("/submit//events/1/\(id)", 400), ("/submit/", 400),
            ("/submit", 400), ("/submit/a/b/1/\(id)/more", 400), ("/submitted", 404), ("/submit/%ff/b/1/\(id)", 400),
        ])
    func `Paths`(_ path: String, _ status: Int) throws {
        for method in [HTTPMethod.post, .put] {
            #expect(try worker().send(method, path, body: Self.ping).status == status)
        }
    }

    @Test func `Every fault of a path is told`() throws {
        let answer = try worker().send(.post, "/submit/org-example-app/e%0a/v/x", body: Self.ping)
        #expect(answer.status == 400)
        #expect(answer.json["errors"].array?.map { $0["code"] } == ["ping_name", "version", "document_id"])
    }

    @Test func `There is one thing to get`() throws {
        let answer = try closed().send(.get, "/status")
        #expect(answer.status == 200 && answer.body == Array("OK".utf8))
        for path in [Self.path, "/submit/a", "/submit"] {
            #expect(try worker().send(.get, path).status == 404)
            #expect(try worker().send(.head, path).status == 404)
        }
        let refused = try worker().send(.delete, Self.path)
        #expect(refused.status == 405)
        #expect(refused.headers.contains("Allow: POST, PUT, OPTIONS"))
        #expect(try worker().send(.delete, "/submit/a").status == 404)
        #expect(try worker().send(.options, Self.path).status == 204)
    }

    @Test(arguments: [("br", 415), ("gzip, gzip", 415), ("identity", 200), ("", 200), ("GZIP", 400), ("x-gzip", 400)])
    func `Codings`(_ coding: String, _ status: Int) throws {
        let answer = try worker().send(
            .post, Self.path, headers: [("Content-Encoding", coding)], body: Self.ping)
        #expect(answer.status == status)
    }

    @Test func `Without a length it is 411`() throws {
        #expect(try worker().send(.post, Self.path).status == 411)
        #expect(try worker().send(.post, Self.path, headers: [("Content-Length", "0")]).status == 200)
    }

    @Test(arguments: [StoreError.overloaded, .unavailable("the disk is full")])
    func `While the store is down it is 503 with Retry-After, and later the ping is taken`(_ error: StoreError) throws {
        let worker = try worker()
        worker.store.fail(error)
        let answer = try worker.send(.post, Self.path, body: Self.ping)
        #expect(answer.status == 503)
        #expect(answer.headers.contains("Retry-After: 1\r\n"))
        worker.store.fail(nil)
        #expect(try worker.send(.post, Self.path, body: Self.ping).status == 200)
        #expect(try worker.send(.get, "/v1/apps/app/telemetry").body.count > 0)
    }

    @Test func `What waits to be read is bounded`() throws {
        let intake = PingIntake(bytes: 5000)
        let gate = DispatchSemaphore(value: 0)
        #expect(intake.read(bytes: 100_000) { gate.wait() }, "alone it is let in")
        #expect(!intake.read(bytes: 0) {})
        gate.signal()
        intake.queue.sync {}
        #expect(intake.read(bytes: 1000) { gate.wait() })
        #expect(intake.read(bytes: 1000) {})
        #expect(!intake.read(bytes: 1000) {})
        gate.signal()
        intake.queue.sync {}
        #expect(intake.read(bytes: 1000) {})
    }
}
