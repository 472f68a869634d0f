import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The texts of owners on the page at the daemon's address.
@Suite struct FrontPageTests {
    @Test func `An app's id and name are texts, whatever characters they have`() throws {
        let world = try WorkerUnderTest()
        let manifest: JSONValue = [
            "app_name": "<i>A</i>", "short_app_name": "<i>A</i>", "default_locale": "en", "surfaces": ["home"],
        ]
        let path = "%22%3E%3Cb%3E%3F%2F%C3%A9"
        #expect(try world.send(.put, "/v1/apps/\(path)/manifest", body: manifest).status == 201)
        let page = try world.send(.get, "/", headers: [("Accept", "text/html")])
        let html = String(decoding: page.body, as: UTF8.self)
        #expect(!html.contains("<b>?/é") && !html.contains("<i>A</i>"))
        #expect(html.contains("href=\"sample/\(path)\"") && html.contains("href=\"console/a/\(path)\""))
        #expect(html.contains("of &quot;&gt;&lt;b&gt;?/é"))
        #expect(try world.send(.get, "/sample/\(path)").status == 200)
    }
}
