import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The limit of a request's body, which is checked before any of the body is read.
@Suite struct BodyLimitTests {
    private static let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

    private func limit(_ method: HTTPMethod, _ target: String, token: String? = nil) throws -> Int {
        var settings = APISettings()
        settings.bodyBytes = 10
        settings.ownerBodyBytes = 1000
        settings.tokens = TokenTable([
            try Token("o:owner:app:\(Self.digest)"),
            try Token("c:client:*:\(String(repeating: "0", count: 64))"),
        ])
        let headers = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        return try WorkerUnderTest(settings: settings).worker.bodyLimit(
            for: try Request(method, target, headers: headers))
    }

    @Test(arguments: ["/v1/apps/app/manifest", "/v1/apps/app/recipes/r", "/v1/apps/app/strings/de"])
    func `An owner may bring a large document, anybody else is read no more of than of a client`(_ path: String) throws
    {
        #expect(try limit(.put, path, token: "test") == 1000)
        #expect(try limit(.put, path, token: "wrong") == 10)
        #expect(try limit(.put, path) == 10)
        #expect(try limit(.put, path.replacing("/app/", with: "/other/"), token: "test") == 10)
    }

    @Test func `The documents of all apps have a limit together`() throws {
        var settings = APISettings.open
        settings.catalogBytes = 1000
        let world = try WorkerUnderTest(settings: settings)
        let recipe: JSONValue = ["messages": ["m": ["text": .string(String(repeating: "x", count: 1000))]]]
        let refused = try world.send(.put, "/v1/apps/app/recipes/r", body: recipe)
        #expect(refused.status == 413 && refused.json["detail"].string?.contains("limits.catalog_bytes") == true)
        #expect(try world.send(.put, "/v1/apps/app/recipes/r", body: ["messages": [:]]).status == 201)
    }

    @Test(arguments: ["/v1/apps/app/events", "/v1/tokens", "/nowhere", "/v1/apps/%zz/events"])
    func `Everything else may be as large as a client's request`(_ path: String) throws {
        #expect(try limit(.post, path, token: "test") == 10)
    }
}
