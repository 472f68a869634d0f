import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The storage of issued tokens.
@Suite struct TokenContractTests {
    private func token(_ name: String, digest: String? = nil, expires: Timestamp? = nil) -> StoredToken {
        StoredToken(
            name: Identifier(name), scope: .pipeline, app: "*", digest: Digest.sha256(Array((digest ?? name).utf8)),
            createdAt: StoreUnderContract.now, expiresAt: expires)
    }

    @Test(arguments: StoreKind.allCases)
    func theyComeBackInTheOrderInWhichTheyWereMade(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        #expect(try test.store.loadTokens().tokens.isEmpty)
        let tokens = [token("b"), token("a", expires: Timestamp(seconds: 5)), token("ü\u{0}")]
        for token in tokens { try test.store.changeTokens([.issue(token)]) }
        let next = try test.reopened()
        #expect(try next.store.loadTokens().tokens == tokens)
    }

    @Test(arguments: StoreKind.allCases)
    func useAndRevocationAreKept(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        try test.store.changeTokens([.issue(token("a")), .issue(token("b"))])
        try test.store.changeTokens([.use(digest: token("a").digest, at: Timestamp(milliseconds: 7))])
        try test.store.changeTokens([.revoke(token("a"), at: Timestamp(milliseconds: 8))])
        // The first revocation stays, whatever is requested later.
        try test.store.changeTokens([.revoke(token("a"), at: Timestamp(milliseconds: 9))])
        var expected = [token("a"), token("b")]
        expected[0].lastUsedAt = Timestamp(milliseconds: 7)
        expected[0].revokedAt = Timestamp(milliseconds: 8)
        #expect(try test.store.loadTokens().tokens == expected)
    }

    @Test(arguments: StoreKind.allCases)
    func aNameIsOneLivingTokensAndADigestOneTokens(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        try test.store.changeTokens([.issue(token("a"))])
        #expect(throws: StoreError.self) { try test.store.changeTokens([.issue(token("a", digest: "other"))]) }
        #expect(throws: StoreError.self) { try test.store.changeTokens([.issue(token("b", digest: "a"))]) }
        try test.store.changeTokens([
            .revoke(token("a"), at: StoreUnderContract.now), .issue(token("a", digest: "other")),
        ])
        #expect(try test.store.loadTokens().tokens.map(\.name) == ["a", "a"])
        #expect(test.store.health == .healthy)
    }

    @Test(arguments: StoreKind.allCases)
    func onlySoManyRevokedOnesAreRemembered(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        try test.store.changeTokens([.issue(token("first")), .issue(token("kept"))])
        try test.store.changeTokens([.revoke(token("first"), at: StoreUnderContract.now)])
        let bound = KeptToken.revokedBound
        try test.store.changeTokens(
            (1...bound).flatMap { number -> [TokenChange] in
                let token = token("n\(number)")
                return [.issue(token), .revoke(token, at: StoreUnderContract.now)]
            })
        try test.store.changeTokens([.issue(token("last"))])
        let tokens = try test.store.loadTokens().tokens
        #expect(tokens.count { $0.revokedAt != nil } == bound)
        #expect(!tokens.contains { $0.name == "first" })
        #expect(tokens.filter { $0.revokedAt == nil }.map(\.name) == ["kept", "last"])
    }
}
