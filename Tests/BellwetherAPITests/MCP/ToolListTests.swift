import BellwetherJSON
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The list of tools that a model reads, and the limit of the responses' size (docs/reference/mcp.md#tools).
@Suite struct ToolListTests {
    @Test func `The tools are at most 16, and take less than 6,000 tokens`() {
        #expect(Tools.all.count <= 16)
        #expect(Set(Tools.all.map(\.name)).count == Tools.all.count)
        // A token is about four bytes.
        #expect(Tools.listing.encoded.count / 4 < 6_000)
    }

    @Test(arguments: Tools.all.indices)
    func `A tool says all four things of its effect, and only reads where it needs no more than to read`(
        _ index: Int
    ) {
        let tool = Tools.all[index]
        let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
        #expect(hints.allSatisfy { tool.listing["annotations"][$0].bool != nil })
        #expect(tool.listing["inputSchema"]["type"] == "object" && tool.listing["outputSchema"]["type"] == "object")
        let writes = tool.abilities.contains { [.publish, .texts].contains($0) }
        #expect(writes == (tool.effect != .reads), "\(tool.name)")
        #expect(tool.name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) })
    }

    @Test func `An answer that is too long is cut at its lists, and says where`() {
        let rows = JSONValue.array((0..<200).map { .string(String(repeating: "x", count: 10) + String($0)) })
        let short = BoundedResult.of(["rows": rows, "one": [1]])
        #expect(short["rows"]?.array?.count == 50 && short["left_out"]?[0] == ["at": "/rows", "items": 150])
        #expect(BoundedResult.of(["one": [1]])["left_out"] == nil)
        let long = JSONValue.array((0..<50).map { _ in .string(String(repeating: "x", count: 10_000)) })
        let bounded = BoundedResult.of(["rows": long])
        #expect(JSONValue.object(bounded).encoded.count <= BoundedResult.bytes)
        #expect(bounded["left_out"]?[0]["at"] == "/rows")
    }

    @Test func `A list goes on after its cursor, and takes no other`() throws {
        let first = try #require(ListPage(Array(0..<120), after: nil))
        let second = try #require(ListPage(Array(0..<120), after: first.cursor))
        let third = try #require(ListPage(Array(0..<120), after: second.cursor))
        #expect(first.rows + second.rows + third.rows == Array(0..<120) && third.cursor == nil)
        for cursor in ["", "0", "x", "MA==", "LTE="] { #expect(ListPage(Array(0..<120), after: cursor) == nil) }
    }

    @Test func `A manifest and strings may wait as drafts, and go live as the revision that they are`() throws {
        let settings = APISettings.open
        let world = try WorkerUnderTest(settings: settings)
        func put(_ path: String, _ body: JSONValue, _ method: HTTPMethod = .put) throws -> JSONValue {
            try world.send(method, "/v1/apps/own/" + path, body: body).json
        }
        _ = try put("manifest", WorkerUnderTest.manifest)
        let draft = try put("strings/de?state=draft", ["Ask": ["Goal": "Wozu?"]])
        #expect(draft["state"] == "draft" && draft["revision"] == 1)
        #expect(world.snapshot.apps["own"]?.stringDocuments["de"] == nil)
        #expect(try put("strings/de/state", ["state": "live", "revision": 1], .post)["state"] == "live")
        #expect(world.snapshot.apps["own"]?.stringDocuments["de"]?.revision == 1)
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card"]
        #expect(try put("manifest?state=draft", .object(manifest))["state"] == "draft")
        #expect(world.snapshot.apps["own"]?.manifestDocument.revision == 1)
    }
}
