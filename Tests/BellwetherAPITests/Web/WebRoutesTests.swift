import BellwetherBase
import BellwetherJSON
import Gzip
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// The widget's scripts, and the daemon's own pages (docs/web.md#addresses).
@Suite struct WebRoutesTests {
    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "A <b> \"name\"", "hosted": true,
        "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
    ]

    private let world: WorkerUnderTest

    init() throws { world = try Self.world() }

    private static let tour: JSONValue = [
        "kind": "flow", "name": "Internal name v3", "hosted": true, "steps": [["id": "a", "type": "welcome"]],
    ]

    private static func world(_ change: (inout APISettings) -> Void = { _ in }) throws -> WorkerUnderTest {
        var settings = APISettings.open
        change(&settings)
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["web"] = ["media_origins": ["https://media.example"]]
        var hidden = questionnaire.object ?? [:]
        hidden["hosted"] = false
        return try WorkerUnderTest(
            manifest: .object(manifest),
            recipes: ["q": questionnaire, "hidden": .object(hidden), "tour": tour], settings: settings)
    }

    private func get(
        _ target: String, _ headers: [(name: String, value: String)] = [], of other: WorkerUnderTest? = nil
    ) throws -> RecordedResponse {
        (other ?? world).send(try Request(.get, target, headers: headers))
    }

    private func field(_ name: String, _ answer: RecordedResponse) -> String? {
        answer.headers.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }
            .map { String($0.dropFirst(name.utf8.count + 2)) }
    }

    private func text(_ answer: RecordedResponse) -> String { String(decoding: answer.body, as: UTF8.self) }

    private func hashedNames(_ answer: RecordedResponse) -> [String] {
        text(answer).matches(of: #/assets\/[a-z]+-[0-9a-f]+\.js/#).map { String($0.output) }
    }

    @Test func theLoaderNamesARendererThatIsThereForEver() throws {
        for path in ["/bellwether.js", "/bellwether.mjs"] {
            let plain = try get(path)
            #expect(plain.status == 200 && field("Content-Encoding", plain) == nil)
            #expect(field("Access-Control-Allow-Origin", plain) == "*")
            let name = try #require(hashedNames(plain).first)
            let renderer = try get("/" + name)
            #expect(renderer.status == 200)
            #expect(field("Cache-Control", renderer) == "public, max-age=31536000, immutable")
        }
    }

    @Test func whoAcceptsGzipGetsTheSameScriptCompressed() throws {
        let plain = try get("/bellwether.js")
        let compressed = try get("/bellwether.js", [("Accept-Encoding", "gzip")])
        #expect(field("Content-Encoding", compressed) == "gzip")
        #expect(try Inflation.gunzip(compressed.body[...], limit: 1 << 20).get() == plain.body)
        let tag = try #require(field("ETag", compressed))
        #expect(try get("/bellwether.js", [("If-None-Match", tag)]).status == 304)
    }

    @Test(arguments: ["/console", "/console/sign-in", "/console/a/app", "/console/1/2/3/4/5/6"])
    func everyAddressOfTheConsoleIsOnePageWithAStrictPolicy(_ path: String) throws {
        let page = try get(path)
        #expect(page.status == 200 && field("Content-Type", page) == "text/html; charset=utf-8")
        let policy = try #require(field("Content-Security-Policy", page))
        let parts = ["default-src 'none'", "frame-ancestors 'none'", "trusted-types 'none'", "script-src 'self';"]
        for part in parts { #expect(policy.contains(part)) }
        #expect(field("X-Content-Type-Options", page) == "nosniff")
        #expect(field("Access-Control-Allow-Origin", page) == nil)
        let names = text(page).matches(of: #/\/assets\/console-[0-9A-Za-z]+\.(js|css)/#).map { String($0.output.0) }
        let types = try names.map { name in
            let asset = try get(name)
            #expect(field("Cache-Control", asset) == "public, max-age=31536000, immutable")
            return field("Content-Type", asset)
        }
        #expect(types == ["text/css; charset=utf-8", "text/javascript; charset=utf-8"])
        let tag = try #require(field("ETag", page))
        #expect(try get(path, [("If-None-Match", tag)]).status == 304)
    }

    @Test func theConsoleIsServedWithTheChosenTheme() throws {
        #expect(!text(try get("/console")).contains("data-theme"))
        let dark = try get("/console", [("Cookie", "other=1; bellwether-theme=dark")])
        #expect(text(dark).contains("<html lang=\"en\" data-theme=\"dark\">"))
        #expect(!text(try get("/console", [("Cookie", "bellwether-theme=\"><b>")])).contains("data-theme"))
        #expect(try get("/console/1/2/3/4/5/6/7").status == 404)
    }

    @Test func anotherDigestIsNotFound() throws {
        #expect(try get("/assets/render-000000000000.js").status == 404)
        #expect(try get("/assets/render.js").status == 404)
    }

    @Test func aFolderTakesThePlaceOfTheProgramsScripts() throws {
        let other = try Self.world { $0.webFiles = { $0 == "render.js" ? Array("of today".utf8) : nil } }
        let answer = try get("/assets/render-000000000000.js", of: other)
        #expect(answer.status == 200 && text(answer) == "of today")
        #expect(field("Cache-Control", answer) == "no-store")
        #expect(try get("/bellwether.js", of: other).status == 404)
    }

    @Test func anAllowedOriginIsNotNamedTwice() throws {
        let origin = try BrowserOrigin("https://shop.example")
        let other = try Self.world { $0.corsOrigins = [origin] }
        let answer = try get("/bellwether.js", [("Origin", "https://shop.example")], of: other)
        #expect(field("Access-Control-Allow-Origin", answer) == "*")
    }

    @Test func `The page of a flow has the app's name, and not the flow's`() throws {
        let page = try text(get("/s/app/tour"))
        #expect(page.contains("<title>a</title>") && !page.contains("Internal"))
    }

    @Test func aHostedPageEscapesAndHasAStrictPolicy() throws {
        let page = try get("/s/app/q")
        #expect(page.status == 200 && text(page).contains("<title>A &lt;b&gt; &quot;name&quot;</title>"))
        #expect(text(page).contains("<header>"))
        let policy = try #require(field("Content-Security-Policy", page))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(policy.contains("img-src 'self' data: https://media.example;"))
        #expect(field("X-Robots-Tag", page) == "noindex" && field("Cache-Control", page) == "no-store")
        for path in ["/s/app/hidden", "/s/app/none", "/s/none/q"] { #expect(try get(path).status == 404) }
    }

    @Test func aBrowserIsToldInAPageThatALinkLeadsNowhere() throws {
        for path in ["/s/app/hidden", "/s/app/none?locale=de"] {
            let page = try get(path, [("Accept", "text/html,*/*;q=0.8")])
            #expect(page.status == 404 && text(page).contains("<main id=\"bellwether\" data-app=\"app\""))
            #expect(field("Content-Security-Policy", page)?.hasPrefix("default-src 'none'") == true)
            #expect(!text(page).contains("data-token") && !text(page).contains("data-kind"))
            #expect(field("Content-Type", try get(path, [("Accept", "*/*")]))?.hasPrefix("application/problem") == true)
        }
    }

    @Test func aClosedDaemonHasPagesOnlyIfTheSettingsSaySo() throws {
        let closed = try Self.world { $0.isOpen = false }
        #expect(try get("/s/app/q", of: closed).status == 401)
        for path in ["/s/app/q", "/s/app/none", "/s/none/q"] {
            let headers = [("Accept", "text/html"), ("Accept-Language", "ar, de;q=0.5")]
            let page = try get(path, headers, of: closed)
            #expect(page.status == 401 && field("WWW-Authenticate", page) == "Bearer")
            #expect(text(page).contains("<html lang=\"ar\" dir=\"rtl\">") && text(page).contains("id=\"bellwether\""))
            #expect(!text(page).contains("data-") && text(page).contains("<header></header>"))
        }
        let hosting = try Self.world {
            $0.isOpen = false
            $0.publicInterfaces = [.hosted]
        }
        #expect(try get("/s/app/q", of: hosting).status == 200)
        #expect(try get("/sample/app", of: hosting).status == 404)
    }

    @Test func aPreviewOfMessagesShowsABranch() throws {
        let world = try WorkerUnderTest(recipes: [
            "m": ["messages": ["news": ["surface": "card", "title": "News", "text": "<b>"]]],
            "none": ["triggers": ["T": "true"]],
        ])
        func preview(_ slug: String, _ query: String = "") throws -> RecordedResponse {
            let target = "/v1/apps/app/recipes/\(slug)/preview"
            let made = world.send(try Request(.post, target, headers: [("Content-Length", "0")]))
            return try get((made.json["url"].string ?? "/") + query, of: world)
        }
        let page = try preview("m")
        #expect(page.status == 200 && text(page).contains("data-kind=\"message\""))
        #expect(text(page).contains("&quot;title&quot;:&quot;News&quot;") && !text(page).contains("<b>"))
        #expect(try preview("m", "?branch=other").status == 422)
        #expect(try preview("none").status == 422)
    }

    @Test func aPreviewIsKnownToAnyProcessOfTheInstallationUntilItEnds() throws {
        let made = world.send(try Request(.post, "/v1/apps/app/recipes/q/preview", headers: [("Content-Length", "0")]))
        let url = try #require(made.json["url"].string)
        let other = WorkerUnderTest(beside: world, store: TestStore(copying: world.store), serving: world.snapshot)
        #expect(try get(url, of: other).status == 200, "nothing is kept of it")
        let forged = url.dropLast() + (url.hasSuffix("0") ? "1" : "0")
        #expect(try get(String(forged)).status == 404)
        world.pass(seconds: 900)
        #expect(try get(url).status == 404)
    }

    @Test func aPreviewOfAnEarlierRevisionShowsThat() throws {
        func put(_ text: String) throws {
            let body: JSONValue = ["messages": ["news": ["surface": "card", "text": .string(text)]]]
            #expect(try world.send(.put, "/v1/apps/app/recipes/m", body: body).status < 300)
        }
        try put("the first")
        let path = "/v1/apps/app/recipes/m/preview"
        let first = try world.send(.post, path, headers: [("Content-Length", "0")]).json["url"].string ?? "/"
        try put("the second")
        #expect(text(try get(first)).contains("the first"))
        let second = try world.send(.post, path, headers: [("Content-Length", "0")]).json["url"].string ?? "/"
        #expect(text(try get(second)).contains("the second"))
    }

    @Test func aPreviewHasTheDefinitionInIt() throws {
        let made = world.send(try Request(.post, "/v1/apps/app/recipes/q/preview", headers: [("Content-Length", "0")]))
        #expect(made.status == 200)
        let url = try #require(made.json["url"].string)
        let page = try get(url)
        #expect(page.status == 200 && text(page).contains("data-preview=") && text(page).contains("&quot;q1&quot;"))
        #expect(try get("/preview/0").status == 404)
        let none = world.send(
            try Request(.post, "/v1/apps/app/recipes/none/preview", headers: [("Content-Length", "0")]))
        #expect(none.status == 404)
    }
}
