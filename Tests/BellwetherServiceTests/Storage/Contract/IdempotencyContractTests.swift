import BellwetherJSON
import Testing

@testable import BellwetherService

/// An `Idempotency-Key` gives the first reply again, or a conflict (docs/reference/http-api.md#idempotency-keys).
@Suite struct IdempotencyContractTests {
    let client = StoreUnderContract.client("c1")

    private func write(
        token: String = "t", path: String = "/p", key: String = "k", digest: UInt8 = 1
    ) -> IdempotentWrite<EventTally> {
        let claim = IdempotencyClaim(
            token: Identifier(token), path: Identifier(path), key: Identifier(key), bodyDigest: [digest])
        return IdempotentWrite(claim: claim) { tally in (201, Array("\(tally.accepted) displays".utf8)) }
    }

    @Test(arguments: StoreKind.allCases)
    func theSameBodyGetsTheFirstReplyAndChangesNothing(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        let change = StoreUnderContract.displays(client, ids: [nil, nil])
        guard case .done = try await test.submit(change, under: write()) else {
            return #expect(Bool(false), "not written")
        }
        try await expectReplay(of: change, by: test)
        try await expectReplay(of: change, by: test.reopened())
    }

    private func expectReplay(of change: ClientChange<EventTally>, by test: StoreUnderContract) async throws {
        guard case .replayed(let reply) = try await test.submit(change, under: write()) else {
            return #expect(Bool(false), "not replayed")
        }
        let subject = ReplySubject(app: StoreUnderContract.app, clientID: "c1")
        #expect(
            reply == StoredReply(bodyDigest: [1], status: 201, body: Array("2 displays".utf8), subject: subject))
        #expect(try await test.displayCount(of: client) == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func anotherBodyIsAConflict(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        _ = try await test.submit(StoreUnderContract.displays(client), under: write())
        guard
            case .keyConflict = try await test.submit(
                StoreUnderContract.displays(client), under: write(digest: 2))
        else { return #expect(Bool(false), "no conflict") }
        #expect(try await test.displayCount(of: client) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func aKeyIsOfItsTokenAndPath(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        for other in [write(), write(token: "u"), write(path: "/q"), write(key: "l"), write(key: "k\0")] {
            guard case .done = try await test.submit(StoreUnderContract.displays(client), under: other) else {
                return #expect(Bool(false), "not written")
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aPublishKeepsItsReplyInItsTransaction(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        let claim = write().claim
        #expect(try test.store.reply(to: claim) == nil)
        let reply = StoredReply(bodyDigest: [1], status: 200, body: [123, 125], entityTag: "\"1-a\"")
        try test.store.publish([.reply(claim, reply, at: StoreUnderContract.now)])
        let next = try test.reopened()
        #expect(try next.store.reply(to: claim) == reply)
    }
}
