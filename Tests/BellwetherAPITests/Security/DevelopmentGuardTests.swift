import BellwetherBase
import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The requests of web pages that `--dev` refuses, because a developer may have other pages open
/// (docs/reference/http-api.md#development-mode).
@Suite struct DevelopmentGuardTests {
    private typealias Headers = [(name: String, value: String)]

    private let world: WorkerUnderTest

    init() throws { world = try Self.world { _ in } }

    private static func world(_ change: (inout APISettings) -> Void) throws -> WorkerUnderTest {
        var settings = APISettings.open
        change(&settings)
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["web"] = ["origins": ["https://shop.example"]]
        let questionnaire: JSONValue = [
            "kind": "questionnaire", "name": "Q", "hosted": true,
            "schema": ["version": 1, "questions": [["id": "a", "type": "text", "title": "?"]]],
        ]
        let world = try WorkerUnderTest(
            manifest: .object(manifest), recipes: ["q": questionnaire], settings: settings)
        if settings.isOpen {
            #expect(try world.send(.put, "/v1/apps/app/recipes/made", body: questionnaire).status == 201)
        }
        return world
    }

    private func status(
        _ method: HTTPMethod, _ target: String, _ headers: Headers, _ body: String = "",
        to other: WorkerUnderTest? = nil
    ) throws -> Int {
        let request = try Request(method, target, headers: headers, body: Array(body.utf8))
        return (other ?? world).send(request).status
    }

    /// Writes of an owner, as a path and a body. Without the check, each would succeed.
    @Test(
        arguments: [
            ("/v1/apps/app/recipes/made/state", #"{"state": "paused"}"#),
            ("/v1/tokens", #"{"scope": "admin", "app": "*"}"#),
            ("/v1/apps/app/recipes", #"{"data": []}"#),
        ])
    func `A page of another site may do nothing that an owner may`(_ path: String, _ body: String) throws {
        let json = (name: "Content-Type", value: "application/json")
        let foreign: [Headers] = [
            [("Origin", "https://evil.example")], [("Origin", "null")], [("Sec-Fetch-Site", "cross-site")],
            [("Origin", "http://localhost:3000")], [("Origin", "http://localhost.evil.example")],
            [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")],
        ]
        for headers in foreign {
            #expect(try status(.post, path, headers + [json], body) == 403, "\(headers)")
        }
        for type in [nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
            let headers = type.map { [(name: "Content-Type", value: $0)] } ?? []
            #expect(try status(.post, path, headers, body) == 415, "\(type ?? "none")")
        }
        #expect(try status(.get, "/v1/apps/app/recipes/q", []) == 200)
        #expect(try world.send(.get, "/v1/tokens").json["tokens"] == [])
        #expect(try world.send(.get, "/v1/apps/app/recipes").json["recipes"][0]["state"] == "live", "it is made")
        let own: Headers = [("Content-Type", "Application/JSON; charset=utf-8"), ("Origin", "http://localhost")]
        #expect(try status(.post, path, own, body) < 300)
    }

    @Test(arguments: [
        ("localhost:8080", "http://localhost:8080"), ("127.0.0.1:8080", "http://localhost:8080"),
        ("[::1]:8080", "http://127.0.0.1:8080"), ("localhost", "https://localhost"),
        ("LOCALHOST:80", "http://[::1]:80"),
    ])
    func `The daemon's own pages may do everything`(_ host: String, _ origin: String) throws {
        #expect(try status(.get, "/v1/apps", [("Host", host), ("Origin", origin)]) == 200)
        #expect(try status(.get, "/v1/apps", [("Host", host), ("Sec-Fetch-Site", "same-origin")]) == 200)
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:x", "[::2]",
        "127.0.0.2",
    ])
    func `A foreign name of this machine is not served`(_ host: String) throws {
        for path in ["/v1/apps", "/v1/tokens", "/v1/apps/app/messages?client_id=c", "/metrics", "/", "/bellwether.js"] {
            #expect(try status(.get, path, [("Host", host)]) == 403, "\(path)")
        }
        for path in ["/__lbheartbeat__", "/__heartbeat__"] {
            #expect(try status(.get, path, [("Host", host)]) == 200)
        }
    }

    @Test func `A foreign name is told no answer that is remembered`() throws {
        let path = "/v1/apps/app/messages?client_id=c&locale=de"
        for _ in 0..<2 { #expect(try status(.get, path, []) == 200) }
        #expect(try status(.get, path, [("Host", "evil.example")]) == 403)
    }

    @Test func `Pages of other sites may call what is meant for them`() throws {
        let foreign: Headers = [("Origin", "https://shop.example"), ("Sec-Fetch-Site", "cross-site")]
        for path in [
            "/v1/apps/app/messages?client_id=c", "/v1/apps/app/questionnaires/q?client_id=c", "/bellwether.js",
            "/bellwether.mjs", "/s/app/q", "/sample/app", "/status", "/v1/apps/app/bundle",
            "/v1/buckets/main/collections/nimbus-mobile-experiments/records",
        ] {
            #expect(try status(.get, path, foreign) == 200, "\(path)")
        }
        let event = #"{"client_id": "c", "events": [{"type": "behavior", "name": "n"}]}"#
        #expect(try status(.post, "/v1/apps/app/events", foreign, event) == 200)
        for path in ["/metrics", "/v1/apps", "/v1/audit", "/v1/apps/app/telemetry"] {
            #expect(try status(.get, path, foreign) == 403, "\(path)")
        }
    }

    @Test func `An origin that the settings name may call everything`() throws {
        let origin = try BrowserOrigin("https://tool.example")
        let other = try Self.world { $0.corsOrigins = [origin] }
        let headers: Headers = [("Origin", "https://tool.example"), ("Sec-Fetch-Site", "cross-site")]
        #expect(try status(.get, "/v1/apps", headers, to: other) == 200)
        #expect(try status(.get, "/v1/apps", [("Sec-Fetch-Site", "cross-site")], to: other) == 403)
    }

    @Test func `Where tokens are asked for they decide`() throws {
        let closed = try Self.world {
            $0.isOpen = false
            $0.publicInterfaces = [.hosted]
        }
        let headers: Headers = [("Host", "bw.example"), ("Origin", "https://evil.example")]
        #expect(try status(.get, "/s/app/q", headers, to: closed) == 200)
        #expect(try status(.get, "/v1/apps", headers, to: closed) == 401)
    }
}
