import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Previews that are shown to a persona and played (docs/web.md#preview).
@Suite struct PlayedPreviewTests {
    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour", "link": ["answers": ["code"], "attributes": ["plan"]],
        "steps": [
            [
                "id": "code", "type": "form",
                "config": [
                    "title": "Hello {{user.plan | you}}", "fields": [["id": "code", "type": "text", "label": "Code"]],
                ],
                "hook": ["webhook_url": "http://127.0.0.1:1/never", "error_text": "Not now."],
            ],
            ["id": "end", "type": "welcome", "config": ["title": "End"]],
        ],
    ]

    private let world: WorkerUnderTest

    init() throws {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["attributes"] = ["plan": "string"]
        manifest["personas"] = [
            "Pro, a week old": [
                "context": ["plan": "pro", "locale": "de", "undeclared": 1], "now": "2026-05-01T08:00:00Z",
            ],
            "Broken": ["context": ["plan": 7, "locale": "?"], "now": "yesterday"],
        ]
        world = try WorkerUnderTest(manifest: .object(manifest), recipes: ["tour": Self.flow])
    }

    private func render(_ query: String) throws -> RecordedResponse {
        try world.send(.post, "/v1/apps/app/recipes/render\(query)", body: Self.flow)
    }

    private func ticket() throws -> String {
        try world.send(.post, "/v1/apps/app/recipes/tour/preview", headers: [("Content-Length", "0")]).json["url"]
            .string
            ?? "/"
    }

    @Test func `A persona brings her attributes, her language and her time`() throws {
        let plain = try render("").json
        #expect(
            plain["personas"] == ["Pro, a week old", "Broken"] && plain["attributes"] == [:] && plain["now"] == .null)
        #expect(plain["hooks"] == true)
        let shown = try render("?persona=Pro,%20a%20week%20old").json
        #expect(shown["attributes"] == ["plan": "pro"] && shown["now"] == "2026-05-01T08:00:00Z")
        #expect(shown["locale"] == "de")
        #expect(try render("?persona=Pro,%20a%20week%20old&locale=fr").json["locale"] == "fr")
        let broken = try render("?persona=Broken").json
        #expect(broken["attributes"] == [:] && broken["now"] == .null)
        let unknown = try render("?persona=Eve")
        #expect(unknown.status >= 400 && unknown.json["errors"][0]["code"] == "unknown_persona")
    }

    @Test func `The page of a preview has what the persona and the address say`() throws {
        let url = try ticket()
        let page = String(
            decoding: try world.send(.get, url + "?persona=Pro,%20a%20week%20old&code=X&other=Y").body, as: UTF8.self)
        #expect(page.contains("data-now=\"2026-05-01T08:00:00Z\""))
        #expect(
            page.contains(
                "{&quot;answers&quot;:{&quot;code&quot;:&quot;X&quot;},&quot;attributes&quot;:{&quot;plan&quot;:&quot;pro&quot;}}"
            ))
        let linked = String(
            decoding: try world.send(.get, url + "?persona=Pro,%20a%20week%20old&plan=free").body, as: UTF8.self)
        #expect(linked.contains("&quot;plan&quot;:&quot;free&quot;"))
    }

    @Test func `The page of a preview is played by its ticket, and nothing is stored or called`() throws {
        let url = try ticket()
        let walk: JSONValue = [
            "attributes": ["plan": "pro"], "chats": true,
            "actions": [["step_id": "code", "hook": "block"], ["step_id": "code", "response": ["code": "A"]]],
        ]
        let played = try world.send(.post, url, body: walk)
        let runs = played.json["runs"].array ?? []
        #expect(played.status == 200 && played.headers.contains("Cache-Control: no-store"), "\(played.json.text)")
        #expect(runs.first?["step"]["title"] == "Hello pro" && runs[1]["banner"]["text"] == "Not now.")
        #expect(runs.last?["step_id"] == "end")
        #expect(try world.send(.post, "/preview/nothing", body: walk).status == 404)
        #expect(try world.send(.post, url, body: ["actions": 7]).status == 400)
        world.pass(seconds: 900)
        #expect(try world.send(.post, url, body: walk).status == 404)
    }
}
