import BellwetherBase
import HTTPWire
import Testing

@testable import BellwetherAPI

@Suite struct CORSTests {
    private func allowed(_ origins: [String]) throws -> AllowedOrigins {
        AllowedOrigins(configured: try origins.map { try BrowserOrigin($0) })
    }

    private func headers(_ origins: [String], origin: String?) throws -> String {
        let request = try Request(.get, "/", headers: origin.map { [("Origin", $0)] } ?? [])
        var response = Response(200)
        CORS.allow(request, try allowed(origins), &response)
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

    @Test(
        arguments: [
            "https://a.example", "http://localhost:8080", "https://a.example:80", "http://127.0.0.1:1",
            "http://[::1]:9",
            "http://[2001:db8::1]", "https://xn--bcher-kva.example", "capacitor://localhost", "app://my_app.x",
            "chrome-extension://abcdefgh", "null",
        ])
    func `An origin that a browser sends is taken`(_ text: String) throws {
        #expect(try headers([text], origin: text).contains("Access-Control-Allow-Origin: \(text)\r\n"))
    }

    @Test(
        arguments: [
            ("*", "wildcard"), ("https://*.a.example", "wildcard"), ("", "scheme"), ("a.example", "scheme"),
            ("//a.example", "scheme"), ("1http://a.example", "scheme"), ("https://a.example/", "slash"),
            ("https://a.example/admin", "path"), ("https://a.example?x", "path"), ("https://me@a.example", "user"),
            ("https://", "host"), ("https://:8080", "host"), ("https://a.example:", "port"),
            ("https://a.example:0", "port"), ("https://a.example:080", "port"), ("https://a.example:65536", "port"),
            ("https://a:b:1", "port"), ("http://[::1", "host"), ("http://[x]", "host"), ("http://[127.0.0.1]", "host"),
            ("http://[::1]x", "host"),
            ("https://a.example:443", "443"), ("http://a.example:80", "80"), ("https://A.example", "lower case"),
            ("HTTPS://a.example", "lower case"), (" https://a.example", "scheme"), ("https://a.example ", "ASCII"),
            ("https://bücher.example", "xn--"), ("https://a.example,https://b.example", "path"),
        ])
    func `An origin that no browser sends is refused with the reason`(_ text: String, _ word: String) {
        do throws(BrowserOrigin.Fault) {
            _ = try BrowserOrigin(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.reason.contains(word), "\(text): \(error.reason)")
        }
    }

    @Test func `OPTIONS has Allow, and a preflight's permissions only for an allowed origin`() throws {
        func options(_ headers: [(name: String, value: String)]) throws -> String {
            let request = try Request(.options, "/", headers: headers)
            let response = CORS.options(request, [.get, .options], try allowed(["https://a.example"]))
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
