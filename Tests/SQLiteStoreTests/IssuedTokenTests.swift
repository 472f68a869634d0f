import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB
import Testing

@testable import SQLiteStore

/// Tokens that the daemon made, as they are kept.
struct IssuedTokenTests {
    private func token(_ name: String, digest: String? = nil, expires: Timestamp? = nil) -> StoredToken {
        StoredToken(
            name: name, scope: .pipeline, app: "*", digest: Digest.sha256(Array((digest ?? name).utf8)),
            createdAt: StoreUnderTest.now, expiresAt: expires)
    }

    @Test func theyComeBackInTheOrderInWhichTheyWereMade() throws {
        let test = try StoreUnderTest()
        #expect(try test.store.loadTokens().tokens.isEmpty)
        let tokens = [token("b"), token("a", expires: Timestamp(seconds: 5)), token("ü\u{0}")]
        for token in tokens { try test.store.changeTokens([.issue(token)]) }
        let next = try test.reopened()
        #expect(try next.store.loadTokens().tokens == tokens)
    }

    @Test func useAndRevocationAreKept() throws {
        let test = try StoreUnderTest()
        try test.store.changeTokens([.issue(token("a")), .issue(token("b"))])
        try test.store.changeTokens([.use(digest: token("a").digest, at: Timestamp(milliseconds: 7))])
        try test.store.changeTokens([.revoke(token("a"), at: Timestamp(milliseconds: 8))])
        // A revocation stands, whenever another is asked for.
        try test.store.changeTokens([.revoke(token("a"), at: Timestamp(milliseconds: 9))])
        var expected = [token("a"), token("b")]
        expected[0].lastUsedAt = Timestamp(milliseconds: 7)
        expected[0].revokedAt = Timestamp(milliseconds: 8)
        #expect(try test.store.loadTokens().tokens == expected)
    }

    @Test func aNameIsOneLivingTokensAndADigestOneTokens() throws {
        let test = try StoreUnderTest()
        try test.store.changeTokens([.issue(token("a"))])
        #expect(throws: StoreError.self) { try test.store.changeTokens([.issue(token("a", digest: "other"))]) }
        #expect(throws: StoreError.self) { try test.store.changeTokens([.issue(token("b", digest: "a"))]) }
        try test.store.changeTokens([
            .revoke(token("a"), at: StoreUnderTest.now), .issue(token("a", digest: "other")),
        ])
        #expect(try test.store.loadTokens().tokens.map(\.name) == ["a", "a"])
        #expect(test.store.health == .healthy)
    }

    @Test func onlySoManyRevokedOnesAreRemembered() throws {
        let test = try StoreUnderTest()
        try test.store.changeTokens([.issue(token("first")), .issue(token("kept"))])
        try test.store.changeTokens([.revoke(token("first"), at: StoreUnderTest.now)])
        let bound = Int(TokenRows.revokedBound)
        try test.store.changeTokens(
            (1...bound).flatMap { number -> [TokenChange] in
                let token = token("n\(number)")
                return [.issue(token), .revoke(token, at: StoreUnderTest.now)]
            })
        try test.store.changeTokens([.issue(token("last"))])
        let tokens = try test.store.loadTokens().tokens
        #expect(tokens.count { $0.revokedAt != nil } == bound)
        #expect(!tokens.contains { $0.name == "first" })
        #expect(tokens.filter { $0.revokedAt == nil }.map(\.name) == ["kept", "last"])
    }
}
