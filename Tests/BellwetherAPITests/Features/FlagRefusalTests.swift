import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// A refusal is a problem document with OFREP's members (docs/reference/features.md#errors).
@Suite struct FlagRefusalTests {
    private func expect(_ answer: RecordedResponse, _ status: Int, _ code: String, key: String? = nil) {
        #expect(answer.status == status)
        #expect(answer.headers.contains("application/problem+json"))
        #expect(answer.json["errorCode"] == .string(code))
        #expect(answer.json["errorDetails"] == answer.json["detail"] && answer.json["detail"].string != nil)
        #expect(answer.json["status"] == .integer(Int64(status)))
        #expect(answer.json["key"].string == key)
    }

    @Test(arguments: ["nope", "checkout.nope", "messaging", "checkout.", "a%2Fb", "a/b", "a/b/c"])
    func `An unknown flag is not found`(_ key: String) throws {
        expect(try FlagWorld().ask(key), 404, "FLAG_NOT_FOUND", key: key.replacing("%2F", with: "/"))
    }

    @Test(arguments: ["{", "[]", "3", "nul", #"{"context": }"#])
    func `A body that is no object is not parsed`(_ body: String) throws {
        let world = try FlagWorld()
        expect(try world.send("checkout", body: Array(body.utf8)), 400, "PARSE_ERROR", key: "checkout")
        expect(try world.send(body: Array(body.utf8)), 400, "PARSE_ERROR")
    }

    @Test(arguments: [
        "", "{}", #"{"context": {}}"#, #"{"context": null}"#, #"{"context": {"targetingKey": ""}}"#,
        #"{"context": {"targetingKey": null, "plan": "x"}}"#,
    ])
    func `A targeting key is needed`(_ body: String) throws {
        let world = try FlagWorld()
        expect(try world.send("checkout", body: Array(body.utf8)), 400, "TARGETING_KEY_MISSING", key: "checkout")
        expect(try world.send(body: Array(body.utf8)), 400, "TARGETING_KEY_MISSING")
    }

    @Test func `A context of other types than declared is invalid, and every fault is told`() throws {
        let world = try FlagWorld()
        let answer = try world.ask("checkout", context: ["plan": 5, "seats": "x", "locale": "no tag"])
        expect(answer, 400, "INVALID_CONTEXT", key: "checkout")
        let pointers = answer.json["errors"].array?.compactMap { $0["pointer"].string } ?? []
        #expect(Set(pointers) == ["/context/plan", "/context/seats", "/context/locale"])
        expect(try world.ask("checkout", client: 5), 400, "INVALID_CONTEXT", key: "checkout")
        expect(try world.ask(client: .string(String(repeating: "x", count: 129))), 400, "INVALID_CONTEXT")
        expect(try world.send(body: Array(#"{"context": 3}"#.utf8)), 400, "INVALID_CONTEXT")
        expect(try world.send(body: Array(#"{"context": {"plan": 5}}"#.utf8)), 400, "TARGETING_KEY_MISSING")
    }

    @Test func `A token is needed, in either field`() throws {
        let world = try FlagWorld()
        expect(try world.ask("checkout", headers: []), 401, "GENERAL", key: "checkout")
        expect(try world.ask(headers: FlagWorld.bearer("nobody")), 401, "GENERAL")
        expect(try world.ask(headers: [("X-API-Key", "nobody")]), 401, "GENERAL")
        expect(try world.ask(headers: FlagWorld.bearer("owner")), 403, "GENERAL")
        expect(try world.ask(headers: [("X-API-Key", "owner")]), 403, "GENERAL")
        #expect(try world.ask(headers: [("X-API-Key", "mine")]).status == 200)
        let other = try world.worker.send(.get, "/v1/apps/app/bundle", headers: [("X-API-Key", "mine")])
        #expect(other.status == 401, "other routes read a bearer token")
    }

    @Test func `Answers that are kept are of the token that asked`() throws {
        let world = try FlagWorld()
        #expect(try world.ask(headers: [("X-API-Key", "mine")]).status == 200)
        #expect(try world.ask(headers: [("X-API-Key", "nobody")]).status == 401)
        #expect(try world.ask(headers: [("X-API-Key", "mine")]).status == 200)
        #expect(try world.ask(headers: []).status == 401)
    }

    @Test func `Without an app it is a general error`() throws {
        let world = try FlagWorld()
        expect(try world.ask(headers: FlagWorld.bearer("any")), 400, "GENERAL")
        expect(try world.ask("checkout", headers: FlagWorld.bearer("theirs")), 400, "GENERAL", key: "checkout")
        let open = try FlagWorld(settings: .open)
        expect(try open.ask(headers: []), 400, "GENERAL")
        let named = try open.worker.send(
            .post, "/v1/apps/app" + FlagWorld.path + "/checkout", body: ["context": ["targetingKey": "c"]])
        #expect(named.status == 200)
        let missing = try open.worker.send(
            .post, "/v1/apps/nope" + FlagWorld.path, body: ["context": ["targetingKey": "c"]])
        expect(missing, 404, "GENERAL")
    }

    @Test func `A browser's body is a text`() throws {
        let world = try FlagWorld()
        let headers = FlagWorld.bearer("mine") + [("Content-Type", "text/plain;charset=UTF-8")]
        #expect(try world.ask(headers: headers).status == 200)
        expect(try world.ask(headers: FlagWorld.bearer("mine") + [("Content-Encoding", "br")]), 415, "GENERAL")
        expect(try world.ask(headers: FlagWorld.bearer("mine") + [("Content-Encoding", "gzip")]), 400, "GENERAL")
    }

    @Test func `Who asks too often waits, also for what is kept`() throws {
        var settings = try FlagWorld.settings()
        settings.rates.client = .init(perSecond: 1, burst: 2)
        let world = try FlagWorld(settings: settings)
        for _ in 0..<2 { #expect(try world.ask("checkout").status == 200) }
        let limited = try world.ask("checkout")
        expect(limited, 429, "GENERAL", key: "checkout")
        #expect(limited.headers.contains("Retry-After: 1\r\n"))
        #expect(try world.ask("checkout", client: "other").status == 200)
        world.worker.pass(seconds: 1)
        #expect(try world.ask("checkout").status == 200)
    }

    @Test func `A token's own limit counts for both fields`() throws {
        var settings = try FlagWorld.settings()
        settings.rates.token = .init(perSecond: 1, burst: 2)
        let world = try FlagWorld(settings: settings)
        #expect(try world.ask(headers: FlagWorld.bearer("mine")).status == 200)
        #expect(try world.ask(headers: [("X-API-Key", "mine")]).status == 200)
        #expect(try world.ask(headers: [("X-API-Key", "mine")]).status == 429)
    }
}
