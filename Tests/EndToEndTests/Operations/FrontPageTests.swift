import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The page at the daemon's address.
@Suite struct FrontPageTests {
    /// The header that Firefox sends.
    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    private static let manifest: JSONValue = ["app_name": "a", "default_locale": "en-US", "surfaces": ["home"]]

    private func hrefs(_ html: String) -> [String] { html.matches(of: #/href="([^"]*)"/#).map { String($0.output.1) } }

    @Test func `A browser gets HTML whose links work`() throws {
        // Other tests delete apps of the shared daemon.
        let server = try Daemon()
        _ = try TestApp(on: server)
        let page = try server.get("/", headers: ["Accept": Self.browser])
        #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
        #expect(page.header("Vary") == "Accept")
        let version = try #require(try server.get("/__version__").json["version"].string)
        #expect(page.text.contains("<title>Bellwether</title>") && page.text.contains(">\(version)<"))
        let links = hrefs(page.text).filter { !$0.hasPrefix("#") && $0 != "data:," && $0 != "." }
        #expect(Set(links).isSuperset(of: ["docs/openapi.yaml", "metrics", "docs/owners-guide", "console"]))
        for link in links {
            let answer = try server.get("/" + link)
            #expect(answer.status == 200 && !answer.body.isEmpty, "\(link)")
        }
    }

    @Test(arguments: [nil, "*/*", "application/json", "text/plain, text/html;q=0"])
    func `Others get the same as plain text`(accept: String?) throws {
        let server = try Servers.shared()
        let page = try server.get("/", headers: accept.map { ["Accept": $0] } ?? [:])
        #expect(page.status == 200 && page.header("Content-Type") == "text/plain; charset=utf-8")
        for path in ["console", "docs/owners-guide", "docs/openapi.yaml", "llms.txt", "metrics", "__heartbeat__"] {
            #expect(page.text.contains("\n/\(path) "), "\(path)")
            #expect(try server.get("/" + path).status == 200, "\(path)")
        }
    }

    @Test func `A daemon for development shows its apps`() throws {
        let server = try Servers.shared()
        let app = "front-\(UInt32.random(in: 0 ... .max))"
        #expect(try server.put("/v1/apps/\(app)/manifest", Self.manifest).status == 201)
        let page = try server.get("/", headers: ["Accept": Self.browser])
        #expect(hrefs(page.text).contains("sample/\(app)") && hrefs(page.text).contains("console/a/\(app)"))
    }

    @Test func `Documents are the repository's, and have entity tags`() throws {
        let server = try Servers.shared()
        for name in ["openapi.yaml", "owners-guide.md", "operators-guide.md", "findings.md", "metrics.md"] {
            let answer = try server.get("/docs/" + name)
            let file = try Data(contentsOf: URL(filePath: Repository.path + "/docs/" + name))
            #expect(answer.status == 200 && answer.body == Array(file), "\(name)")
            #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
            let tag = try #require(answer.header("ETag"))
            #expect(try server.get("/docs/" + name, headers: ["If-None-Match": tag]).status == 304)
        }
        #expect(try server.get("/docs/nothing.md").status == 404)
        #expect(try server.get("/docs/..%2FREADME.md").status == 404)
    }
}
