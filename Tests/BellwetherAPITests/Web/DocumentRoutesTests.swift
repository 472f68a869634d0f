import BellwetherBase
import Gzip
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The documents as pages and as sources (docs/web.md#addresses).
@Suite struct DocumentRoutesTests {
    private let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest() }

    private func get(_ target: String, _ headers: [(name: String, value: String)] = []) throws -> RecordedResponse {
        world.send(try Request(.get, target, headers: headers))
    }

    private func field(_ name: String, _ answer: RecordedResponse) -> String? {
        answer.headers.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }
            .map { String($0.dropFirst(name.utf8.count + 2)) }
    }

    private func text(_ answer: RecordedResponse) -> String { String(decoding: answer.body, as: UTF8.self) }

    /// The addresses of the pages, of which llms.txt lists the sources.
    private func pages() throws -> [String] {
        let sources = text(try get("/llms.txt")).matches(of: #/\]\((docs/[^)]*)\.md\)/#).map { "/" + $0.output.1 }
        return ["/docs/README"] + sources
    }

    @Test func `Every link of every page leads to a document, and its fragment to a heading`() throws {
        var ids: [String: Set<String>] = [:]
        var links: [(page: String, path: String, fragment: String?)] = []
        let pages = try pages()
        for page in pages {
            let markup = text(try get(page))
            ids[page] = Set(markup.matches(of: #/ id="([^"]*)"/#).map { String($0.output.1) })
            for match in markup.matches(of: #/(?:href|src)="([^"]*)"/#) where !match.output.1.contains(":") {
                let parts = match.output.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let path = parts[0].isEmpty ? page : resolved(String(parts[0]), from: page)
                links.append((page, path, parts.count > 1 ? String(parts[1]) : nil))
            }
        }
        #expect(pages.count > 20 && links.count > 1000)
        for path in Set(links.map(\.path)) { #expect(try get(path).status == 200, "\(path)") }
        for link in links {
            guard let fragment = link.fragment else { continue }
            #expect(ids[link.path]?.contains(fragment) == true, "\(link)")
        }
    }

    /// The path of a relative link, as in RFC 3986 5.2.
    private func resolved(_ link: String, from page: String) -> String {
        var folders = page.split(separator: "/").dropLast()
        var parts = link.split(separator: "/", omittingEmptySubsequences: false)[...]
        while parts.first == ".." {
            folders = folders.dropLast()
            parts = parts.dropFirst()
        }
        return "/" + (folders + parts.filter { !$0.isEmpty }).joined(separator: "/")
    }

    @Test func `The headings have the ids that links of the repository use`() throws {
        #expect(text(try get("/docs/reference/messaging")).contains("<h2 id=\"selection\">"))
        #expect(text(try get("/docs/operators-guide")).contains("<h2 id=\"rate-limits\">"))
    }

    @Test func `A page is compressed, has an entity tag, and allows only files of the daemon`() throws {
        let plain = try get("/docs/reference/messaging")
        #expect(plain.status == 200 && field("Content-Type", plain) == "text/html; charset=utf-8")
        let policy = try #require(field("Content-Security-Policy", plain))
        #expect(policy.contains("default-src 'none'") && policy.contains("style-src 'self'"))
        #expect(!policy.contains("unsafe") && !text(plain).contains("<script>") && !text(plain).contains(" style="))
        #expect(field("Cache-Control", plain) == "no-cache")
        let compressed = try get("/docs/reference/messaging", [("Accept-Encoding", "gzip")])
        #expect(field("Vary", compressed) == "Accept, Accept-Encoding")
        #expect(try Inflation.gunzip(compressed.body[...], limit: 1 << 20).get() == plain.body)
        let tag = try #require(field("ETag", plain))
        #expect(try get("/docs/reference/messaging", [("If-None-Match", tag)]).status == 304)
    }

    @Test(arguments: ["/docs/README", "/docs/reference/messaging", "/docs/coming-from/nimbus", "/docs/ARCHITECTURE"])
    func `The source is at the address with .md, and for a client that asks for Markdown`(page: String) throws {
        let source = try get(page + ".md")
        #expect(source.status == 200 && text(source).hasPrefix("# "))
        #expect(field("Content-Type", source) == "text/plain; charset=utf-8")
        for target in [page, page + ".md"] {
            let answer = try get(target, [("Accept", "text/markdown, text/html;q=0.9, */*;q=0.1")])
            #expect(answer.body == source.body && field("Vary", answer)?.contains("Accept") == true)
            #expect(field("Content-Type", answer) == "text/markdown; charset=utf-8")
        }
        #expect(text(try get(page, [("Accept", "text/html, */*")])).hasPrefix("<!doctype html>"))
    }

    @Test func `The list of the documents names sources that are there`() throws {
        let list = try get("/llms.txt")
        #expect(field("Content-Type", list) == "text/plain; charset=utf-8")
        #expect(text(list).hasPrefix("# Bellwether\n\n> "))
        let links = text(list).matches(of: #/\]\(([^)]*)\)/#).map { String($0.output.1) }
        #expect(links.contains("docs/openapi.yaml") && links.contains("docs/bellwether.yaml"))
        for link in links { #expect(try get("/" + link).status == 200, "\(link)") }
    }

    @Test func `The description of the API names each document`() throws {
        let described = text(try get("/docs/openapi.yaml")).matches(of: #/enum: \[(.*?)\]/#.dotMatchesNewlines())
            .map { $0.output.1.split { ", \n".contains($0) }.map(String.init) }
        let names = Set(try #require(described.first { $0.contains("README.md") }))
            .union(try #require(described.first { $0.contains("messaging.md") }))
        for page in try pages() {
            let name = String(page.split(separator: "/").last ?? "")
            #expect(names.isSuperset(of: [name, name + ".md"]), "\(page)")
        }
    }

    @Test(arguments: [
        "/docs", "/docs/nothing", "/docs/nothing.md",
        "/docs/..%2FREADME.md", "/docs/reference/nothing", "/docs/reference/..",
        "/docs/Web%2Fdist/digests", "/docs/config/bellwether.yaml", "/docs/reference", "/docs/openapi", "/docs/",
        "/docs/reference/", "/docs/README.md.md", "/docs/docs_web.html", "/docs/./web.md",
    ])
    func `There is nothing else`(path: String) throws { #expect(try get(path).status == 404) }
}
