import HTTPWire
import Testing

@testable import BellwetherAPI

@Suite struct CORSTests {
    private func settings(_ origins: [String]) -> APISettings {
        var settings = APISettings()
        settings.corsOrigins = origins
        return settings
    }

    private func headers(_ origins: [String], origin: String?) throws -> String {
        let request = try Request(.get, "/", headers: origin.map { [("Origin", $0)] } ?? [])
        var response = Response(200)
        CORS.allow(request, settings(origins), &response)
        return String(decoding: response.headers, as: UTF8.self)
    }

    @Test func `Without the setting nothing is said`() throws {
        #expect(try headers([], origin: "https://a.example") == "")
    }

    @Test func `A listed origin is named, another is not; caches are told that it matters`() throws {
        let allowed = try headers(["https://a.example"], origin: "https://a.example")
        #expect(allowed.contains("Access-Control-Allow-Origin: https://a.example\r\n"))
        for origin in ["https://A.example", "http://a.example", "https://a.example.evil", "null", nil] {
            #expect(try headers(["https://a.example"], origin: origin) == "Vary: Origin\r\n")
        }
    }

    @Test func `A star is any origin`() throws {
        #expect(try headers(["*"], origin: "https://any.example").contains("Access-Control-Allow-Origin: *\r\n"))
        #expect(try headers(["*"], origin: nil) == "Vary: Origin\r\n")
    }

    @Test func `OPTIONS has Allow, and a preflight's permissions only for an allowed origin`() throws {
        func options(_ headers: [(name: String, value: String)]) throws -> String {
            let request = try Request(.options, "/", headers: headers)
            let response = CORS.options(request, [.get, .options], settings(["https://a.example"]))
            #expect(response.status == 204)
            return String(decoding: response.headers, as: UTF8.self)
        }
        #expect(try options([]) == "Allow: GET, OPTIONS\r\n")
        let method = (name: "Access-Control-Request-Method", value: "GET")
        #expect(try options([method, ("Origin", "https://b.example")]) == "Allow: GET, OPTIONS\r\n")
        let preflight = try options([method, ("Origin", "https://a.example")])
        #expect(preflight.contains("Access-Control-Allow-Methods: GET, OPTIONS\r\n"))
        #expect(preflight.contains("Idempotency-Key"))
    }
}
