import BellwetherJSON
import TestSupport
import Testing

/// Requests of browsers from configured origins (docs/reference/http-api.md#cors).
@Suite struct CORSTests {
    private static let permitting = Result {
        try Daemon(environment: ["BELLWETHER_CORS_ORIGINS": "https://a.example,https://b.example"])
    }
    private let preflight = ["Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"]

    @Test func `A preflight of an allowed origin is answered with what it may do, without a token`() throws {
        let daemon = try Self.permitting.get()
        let headers = preflight.merging(["Origin": "https://b.example"]) { $1 }
        let answer = try daemon.send("OPTIONS", "/v1/apps/any/events", headers: headers)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(answer.header("Access-Control-Allow-Origin") == "https://b.example")
        #expect(answer.header("Access-Control-Allow-Methods")?.contains("POST") == true)
        for name in ["Authorization", "Content-Encoding"] {
            #expect(answer.header("Access-Control-Allow-Headers")?.contains(name) == true)
        }
        #expect(answer.header("Vary") == "Origin")
    }

    @Test func `Another origin is told nothing`() throws {
        let daemon = try Self.permitting.get()
        let headers = preflight.merging(["Origin": "https://evil.example"]) { $1 }
        let answer = try daemon.send("OPTIONS", "/v1/apps/any/events", headers: headers)
        #expect(answer.header("Access-Control-Allow-Origin") == nil)
        #expect(answer.header("Access-Control-Allow-Methods") == nil)
        #expect(
            try daemon.get("/__version__", headers: ["Origin": "https://evil.example"]).header(
                "Access-Control-Allow-Origin") == nil)
    }

    @Test func `Answers, refusals too, name the allowed origin`() throws {
        let daemon = try Self.permitting.get()
        for (path, status) in [("/__version__", 200), ("/v1/apps/nobody/manifest", 404)] {
            let answer = try daemon.get(path, headers: ["Origin": "https://a.example"])
            #expect(answer.status == status)
            #expect(answer.header("Access-Control-Allow-Origin") == "https://a.example")
            #expect(answer.header("Access-Control-Expose-Headers")?.contains("ETag") == true)
        }
    }

    @Test func `By default there is no CORS`() throws {
        let daemon = try Servers.shared()
        let headers = preflight.merging(["Origin": "https://a.example"]) { $1 }
        let answer = try daemon.send("OPTIONS", "/v1/apps/any/events", headers: headers)
        #expect(answer.headers.allSatisfy { !$0.name.hasPrefix("Access-Control") })
        #expect(answer.header("Vary") == nil)
    }
}
