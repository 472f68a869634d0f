import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Tokens as the configuration stores them.
@Suite struct TokenTests {
    /// SHA-256 of "test".
    private static let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

    @Test func `Name, scope, app and digest are read`() throws {
        let token = try Token("phones:client:firefox-ios:\(Self.digest)")
        let principal = token.principal
        #expect((principal.name, principal.roles) == ("phones", Roles(.client, app: "firefox-ios")))
        #expect(token.digest == Token.digest(of: Array("test".utf8)))
        #expect(token.expires == nil)
        #expect(try Token("a:admin:*:\(Self.digest.uppercased())").digest == token.digest)
    }

    @Test func `An expiry has colons of its own`() throws {
        let token = try Token("a:owner:*:\(Self.digest):2027-01-01T00:00:00Z")
        #expect(token.expires == Timestamp(rfc3339: "2027-01-01T00:00:00Z"))
    }

    @Test(
        arguments: [
            "", "secret", "a:client:*", ":client:*:\(digest)", "a:root:*:\(digest)", "a:client::\(digest)",
            "a:client:*:",
            "a:client:*:\(digest)0", "a:client:*:\(digest.dropLast())", "a:client:*:\(digest.dropLast())g",
            "a:client:*:\(digest):", "a:client:*:\(digest):2027", "a:Client:*:\(digest)",
        ])
    func `What is no token is refused, and nothing of it repeated`(_ text: String) throws {
        do {
            _ = try Token(text)
            Issue.record("it was taken")
        } catch {
            #expect(!error.reason.isEmpty)
            #expect(!error.reason.contains("secret"))
            #expect(!error.reason.contains(Self.digest))
        }
    }

    @Test func `A table finds a token by its digest alone`() throws {
        let table = TokenTable([
            try Token("a:client:*:\(Self.digest)"),
            try Token("b:owner:x:\(String(repeating: "0", count: 64))"),
        ])
        #expect(table.token(digest: Token.digest(of: Array("test".utf8)))?.principal.name == "a")
        #expect(table.token(digest: [UInt8](repeating: 0, count: 32))?.principal.name == "b")
        #expect(table.token(digest: Token.digest(of: Array("other".utf8))) == nil)
        #expect(table.token(digest: []) == nil)
        #expect(TokenTable([]).token(digest: [UInt8](repeating: 0, count: 32)) == nil)
    }

    @Test func `A scope is a set of abilities, and only an administrator has all`() {
        #expect(Scope.admin.abilities == Set(Ability.allCases))
        #expect(Scope.owner.abilities == [.read, .texts, .respond, .publish, .review])
        #expect(Scope.reviewer.abilities == [.read, .review])
        #expect(Scope.translator.abilities == [.read, .texts])
        #expect(Scope.support.abilities == [.read, .respond])
        #expect(Scope.reader.abilities == [.read])
        #expect(Scope.pipeline.abilities == [.log])
        #expect(Scope.client.abilities == [.participate])
    }

    @Test func `A token covers its app, byte for byte`() throws {
        let principal = try Token("a:client:\u{E9}:\(Self.digest)").principal
        #expect(principal.covers(app: "\u{E9}"))
        #expect(!principal.covers(app: "e\u{301}"))
        #expect(try Token("a:client:*:\(Self.digest)").principal.covers(app: "e\u{301}"))
    }

    @Test func `A token expires at its second`() throws {
        var settings = APISettings()
        settings.tokens = TokenTable([try Token("a:client:*:\(Self.digest):2026-03-10T12:00:10Z")])
        let worker = try WorkerUnderTest(settings: settings)
        let target = "/v1/apps/app/messages?client_id=c"
        let headers = [(name: "Authorization", value: "Bearer test")]
        worker.pass(seconds: 9)
        #expect(try worker.send(.get, target, headers: headers).status == 200)
        worker.pass(seconds: 1)
        let answer = try worker.send(.get, target, headers: headers)
        #expect(answer.status == 401)
        #expect(answer.json["detail"].string?.contains("expired") == true)
    }
}
