import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// The formats of documents (docs/reference/schemas.md).
@Suite struct SchemaRouteTests {
    @Test(arguments: ["experiment", "flow", "questionnaire", "survey"])
    func `A kind has a schema, which is not sent again`(_ kind: String) throws {
        let world = try WorkerUnderTest()
        let answer = try world.send(.get, "/v1/schemas/\(kind)")
        #expect(answer.status == 200)
        #expect(answer.json.object?["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        let line = answer.headers.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }
        let tag = String(try #require(line).dropFirst("ETag: ".count))
        #expect(try world.send(.get, "/v1/schemas/\(kind)", headers: [("If-None-Match", tag)]).status == 304)
    }

    @Test func `An unknown kind has no schema`() throws {
        let world = try WorkerUnderTest()
        #expect(try world.send(.get, "/v1/schemas/poem").status == 404)
        #expect(try world.send(.get, "/v1/schemas/flow?draft=true").status == 400)
    }
}
