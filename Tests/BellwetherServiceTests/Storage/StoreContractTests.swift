import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import PostgresSupport
import SQLiteStore
import StoreSupport
import TestSupport
import Testing

/// The stores that must satisfy the contract.
enum StoreKind: String, CaseIterable, Sendable {
    case sqlite, memory, postgres
}

/// A store of a kind, and the owner of its files.
final class ContractStore {
    let store: any Store
    private let directory: TemporaryDirectory?

    init(_ kind: StoreKind) throws {
        switch kind {
        case .sqlite:
            let directory = try TemporaryDirectory()
            self.directory = directory
            store = try SQLiteStore(directory: directory.path)
        case .memory:
            directory = nil
            store = TestStore()
        case .postgres:
            directory = nil
            store = try PostgresServer.shared.get().openStore()
        }
    }

    deinit { store.close() }
}

/// The behaviour of every `Store`: rows with version checks, ordered logs, the head of the catalog.
@Suite struct StoreContractTests {
    static let app: Identifier = "app"
    static let now = Timestamp(seconds: 1_790_000_000)
    static let origin = ChangeOrigin(author: "test", at: now)
    let client = ClientReference(app: app, id: "c1")
    let other = ClientReference(app: app, id: "c2")

    private func state(_ displays: UInt32) -> ClientState {
        var state = ClientState()
        state.ledger["m"].displayCount = displays
        return state
    }

    private func answer(_ id: String, message: String = "survey", by client: ClientReference) -> SurveyResponse {
        SurveyResponse(
            id: Identifier(id), clientID: client.id, message: Identifier(message), requestID: nil, optionIndex: 1,
            optionStringID: "o",
            text: "t", locale: "en", revision: 1, submittedAt: Self.now)
    }

    private func record(_ name: String, app: Identifier = app) -> WriteGroup.LogRecord {
        WriteGroup.LogRecord(
            app: app,
            record: TelemetryRecord(
                at: Self.now, clientID: "c1", category: "test", name: Identifier(name), extra: ["n": 1]),
            receivedAt: Self.now)
    }

    /// A group that writes a client's state.
    private func group(
        _ client: ClientReference, _ displays: UInt32?, expecting version: UInt64, ids: [Identifier] = [],
        records: [String] = []
    ) -> WriteGroup {
        var group = WriteGroup()
        group.rows = [
            RowWrite(
                name: .client(client), expected: version, value: displays.map { RowValue.client(state($0)) })
        ]
        if !ids.isEmpty { group.eventIDs = [EventIDs(client: client, ids: ids, at: Self.now)] }
        group.records = records.map { record($0) }
        return group
    }

    private func version(_ outcome: WriteOutcome?) throws -> UInt64 {
        guard case .written(let versions)? = outcome, let version = versions.first else {
            throw Failure("not written: \(String(describing: outcome))")
        }
        return version
    }

    private func row(_ name: RowName, _ store: any Store) throws -> StoredRow? {
        try store.read(RowQuery(names: [name])).rows.first?.get()
    }

    private func names(_ store: any Store, app: Identifier = app) throws -> [String] {
        try store.readTelemetry(TelemetryQuery(app: app, after: .start, limit: 1000)).rows.map(\.name.text)
    }

    /// Two writers have read the same end of the audit, and one of them appends to it.
    @Test(arguments: StoreKind.allCases)
    func `Records of the audit are written with their group, at the end that it has read, or not at all`(
        _ kind: StoreKind
    ) throws {
        let test = try ContractStore(kind)
        let entry = AuditEntry(exportOf: "r", in: Self.app, Self.origin)
        let append = { (end: StoredRow?, row: RowWrite) throws in
            var chain = if case .audit(let chain)? = end?.value { chain } else { AuditChain() }
            var group = WriteGroup([row])
            group.audit = [chain.append(entry), chain.append(entry)]
            group.rows.append(RowWrite(name: .audit, expected: end?.version ?? 0, value: .audit(chain)))
            return try test.store.write([group]).first
        }
        let refused = RowWrite(name: .client(client), expected: 7, value: .client(state(1)))
        #expect(try append(nil, refused) == .conflict([.client(client)]))
        let write = RowWrite(name: .client(other), expected: 0, value: .client(state(1)))
        _ = try version(try append(nil, write))
        #expect(try append(nil, RowWrite(name: .client(client), expected: 0)) == .conflict([.audit]))
        let end = try #require(try row(.audit, test.store))
        _ = try version(try append(end, RowWrite(name: .client(client), expected: 0, value: .client(state(1)))))
        let records = try test.store.readAudit(AuditQuery(after: 0, limit: 10))
        #expect(records.map(\.sequence) == [1, 2, 3, 4])
        var chain = AuditChain()
        for record in records { try chain.follow(record) }
        #expect(try row(.audit, test.store)?.value == .audit(chain))
        let texts = records.map { String(decoding: $0.text, as: UTF8.self) }
        #expect(texts.allSatisfy { $0.contains(#""action":"export","kind":"response","app":"app","name":"r""#) })
    }

    @Test(arguments: StoreKind.allCases)
    func aRowThatDoesNotExistHasVersionZero(_ kind: StoreKind) throws {
        let store = try ContractStore(kind)
        #expect(try row(.client(client), store.store) == nil)
        let names: [RowName] = [
            .client(client), .answer(client, message: "m"), .reply(IdempotencyKey(token: "t", path: "/p", text: "k")),
        ]
        #expect(try store.store.versions(of: names) == [0, 0, 0])
    }

    @Test(arguments: StoreKind.allCases)
    func aRowIsReadAsItWasWrittenAndItsVersionChangesWithEveryWrite(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let first = try version(try test.store.write([group(client, 1, expecting: 0)]).first)
        #expect(first > 0)
        #expect(try row(.client(client), test.store) == StoredRow(version: first, value: .client(state(1))))
        let second = try version(try test.store.write([group(client, 2, expecting: first)]).first)
        #expect(second > first)
        #expect(try test.store.versions(of: [.client(client), .client(other)]) == [second, 0])
        #expect(try row(.client(client), test.store)?.value == .client(state(2)))
    }

    @Test(arguments: StoreKind.allCases)
    func aWriteThatExpectsAnotherVersionWritesNothing(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let first = try version(try test.store.write([group(client, 1, expecting: 0, records: ["first"])]).first)
        for expected in [0, first + 1, first - 1] {
            let late = group(client, 9, expecting: expected, ids: ["late"], records: ["late"])
            #expect(try test.store.write([late]) == [.conflict([.client(client)])])
        }
        let reading = try test.store.read(
            RowQuery(
                names: [.client(client)], eventIDs: [EventIDs(client: client, ids: ["late"], at: Self.now)]))
        #expect(try reading.rows.first?.get() == StoredRow(version: first, value: .client(state(1))))
        #expect(reading.knownIDs == [[false]])
        #expect(try names(test.store) == ["first"])
    }

    /// A transaction over several rows: one changed row that was only read is enough to refuse all of it.
    @Test(arguments: StoreKind.allCases)
    func aGroupIsWrittenAllOrNothing(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let first = try version(try test.store.write([group(client, 1, expecting: 0)]).first)
        var both = group(other, 5, expecting: 0, ids: ["a"], records: ["both"])
        both.rows.append(RowWrite(name: .client(client), expected: first + 7, value: nil))
        #expect(try test.store.write([both]) == [.conflict([.client(client)])])
        #expect(try row(.client(other), test.store) == nil)
        #expect(try names(test.store).isEmpty)
        both.rows[1] = RowWrite(name: .client(client), expected: first, value: nil)
        guard case .written(let versions) = try #require(try test.store.write([both]).first) else {
            return #expect(Bool(false), "refused")
        }
        #expect(versions.count == 2 && versions[1] == first)
        #expect(try test.store.versions(of: [.client(other), .client(client)]) == versions)
    }

    @Test(arguments: StoreKind.allCases)
    func aConflictOfOneGroupLeavesTheOthersAlone(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        _ = try test.store.write([group(client, 1, expecting: 0)])
        let outcomes = try test.store.write([
            group(client, 2, expecting: 0, records: ["no"]), group(other, 3, expecting: 0, records: ["yes"]),
        ])
        #expect(outcomes.first == .conflict([.client(client)]))
        _ = try version(outcomes.last)
        #expect(try row(.client(other), test.store)?.value == .client(state(3)))
        #expect(try names(test.store) == ["yes"])
    }

    @Test(arguments: StoreKind.allCases)
    func aCheckAloneChangesNothing(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let first = try version(try test.store.write([group(client, 1, expecting: 0)]).first)
        #expect(try test.store.write([group(client, nil, expecting: first)]) == [.written([first])])
        #expect(try test.store.write([group(client, nil, expecting: 0)]) == [.conflict([.client(client)])])
        #expect(try test.store.write([group(other, nil, expecting: 0)]) == [.written([0])])
        #expect(try test.store.versions(of: [.client(client), .client(other)]) == [first, 0])
    }

    @Test(arguments: StoreKind.allCases)
    func eventIDsAreKnownByClientAndByteForByte(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let ids: [Identifier] = ["a", "\u{e9}", "5A1F0A3E-7C7E-4D59-9F3E-0D3D0D0F9A51"]
        _ = try test.store.write([group(client, 1, expecting: 0, ids: ids), group(other, 1, expecting: 0)])
        let asked = ids + ["e\u{301}", "5a1f0a3e-7c7e-4d59-9f3e-0d3d0d0f9a51", "b"]
        let reading = try test.store.read(
            RowQuery(
                eventIDs: [client, other, ClientReference(app: "fenix", id: "c1")].map {
                    EventIDs(client: $0, ids: asked, at: Self.now)
                }))
        let none = Array(repeating: false, count: 6)
        #expect(reading.knownIDs == [[true, true, true, false, false, false], none, none])
    }

    @Test(arguments: StoreKind.allCases)
    func anAnswerAndAReplyAreWrittenOnce(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let key = IdempotencyKey(token: "t", path: "/p", text: "k")
        let reply = RowValue.reply(StoredReply(bodyDigest: [1], status: 201, body: [2]), at: Self.now)
        let answer = RowValue.answer(answer("one", by: client))
        var write = group(client, 1, expecting: 0)
        write.rows.append(RowWrite(name: .answer(client, message: "survey"), expected: 0, value: answer))
        write.rows.append(RowWrite(name: .reply(key), expected: 0, value: reply))
        let first = try version(try test.store.write([write]).first)
        #expect(try row(.answer(client, message: "survey"), test.store)?.value == answer)
        #expect(try row(.reply(key), test.store)?.value == reply)
        write.rows[0] = RowWrite(name: .client(client), expected: first, value: .client(state(2)))
        guard case .conflict(let names)? = try test.store.write([write]).first else {
            return #expect(Bool(false), "written again")
        }
        #expect(Set(names) == [.answer(client, message: "survey"), .reply(key)])
        #expect(try row(.client(client), test.store)?.version == first)
    }

    @Test(arguments: StoreKind.allCases)
    func theLogHasTheOrderOfItsCommitsAndACursorSkipsNothing(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        var first = group(client, 1, expecting: 0, records: ["1", "2"])
        first.records.append(record("elsewhere", app: "fenix"))
        _ = try test.store.write([first, group(other, 1, expecting: 0, records: ["3"])])
        let page = try test.store.readTelemetry(TelemetryQuery(app: Self.app, after: .start, limit: 2))
        #expect(page.rows.map(\.name) == ["1", "2"])
        _ = try test.store.write([
            group(ClientReference(app: Self.app, id: "c3"), 1, expecting: 0, records: ["4"])
        ])
        let rest = try test.store.readTelemetry(TelemetryQuery(app: Self.app, after: page.through, limit: 10))
        #expect(rest.rows.map(\.name) == ["3", "4"])
        #expect(try names(test.store, app: "fenix") == ["elsewhere"])
        let unknown = try test.store.readTelemetry(TelemetryQuery(app: "nobody", after: .start, limit: 10))
        #expect(!unknown.isAppKnown && unknown.rows.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func aConsumersCursorIsKept(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let keep = { (cursor: TelemetryCursor) throws(StoreError) in
            try test.store.keepConsumer("etl", of: Self.app, at: cursor, Self.origin)
        }
        #expect(try keep(.start) == .unknownApp)
        _ = try test.store.write([group(client, 1, expecting: 0, records: ["1", "2", "3"])])
        let page = try test.store.readTelemetry(TelemetryQuery(app: Self.app, after: .start, limit: 2))
        guard case .kept(let kept, isNew: true) = try keep(page.through) else {
            return #expect(Bool(false), "not kept")
        }
        #expect(kept.cursor == page.through && kept.lag == 1)
        guard case .kept(_, isNew: false) = try keep(page.through) else { return #expect(Bool(false), "new again") }
        #expect(try test.store.consumers(of: Self.app, named: nil) == [kept])
        #expect(try test.store.consumers(of: Self.app, named: "none") == [])
        #expect(try test.store.consumers(of: "nobody", named: nil) == nil)
        #expect(try keep(TelemetryCursor(number: 99, database: page.through.database)) == .refused(.beyondEnd))
        #expect(try test.store.deleteConsumer("etl", of: Self.app, Self.origin))
        #expect(try !test.store.deleteConsumer("etl", of: Self.app, Self.origin))
    }

    @Test(arguments: StoreKind.allCases)
    func anErasedClientIsGoneAndItsVersionsNeverReturn(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        #expect(try test.store.erase(.client(client), knownAs: [1], Self.origin) == .unknownApp)
        var first = group(client, 1, expecting: 0, ids: ["a"], records: ["kept"])
        first.rows.append(
            RowWrite(
                name: .answer(client, message: "survey"), expected: 0, value: .answer(answer("one", by: client))))
        var version = try version(try test.store.write([first]).first)
        for displays in 2...5 {
            let next = group(client, UInt32(displays), expecting: version)
            version = try self.version(try test.store.write([next]).first)
        }
        #expect(try test.store.erase(.client(other), knownAs: [1], Self.origin) == .nothing)
        #expect(try test.store.erase(.client(client), knownAs: [1], Self.origin) == .erased)
        #expect(try test.store.erase(.client(client), knownAs: [1], Self.origin) == .nothing)
        #expect(try test.store.versions(of: [.client(client), .answer(client, message: "survey")]) == [0, 0])
        let known = try test.store.read(RowQuery(eventIDs: [EventIDs(client: client, ids: ["a"], at: Self.now)]))
        #expect(known.knownIDs == [[false]])
        #expect(try names(test.store) == ["kept"])
        #expect(try self.version(try test.store.write([group(client, 1, expecting: 0)]).first) > version)
        #expect(try test.store.readAudit(AuditQuery(after: 0, limit: 10)).count == 1)
    }

    /// The erasure of a client with all its users, and of a user with all its clients.
    @Test(arguments: StoreKind.allCases)
    func anErasureTakesAliases(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let users = ["ada", "bob"].map { UserReference(app: Self.app, id: $0) }
        var aliases = WriteGroup()
        aliases.rows = users.flatMap { user in
            [client.id, other.id].map {
                RowWrite(name: .alias(user, clientID: $0), expected: 0, value: .alias)
            }
        }
        _ = try test.store.write([aliases])
        #expect(try test.store.aliases(of: .user(users[0])) == [client.id, other.id].sorted())
        #expect(try test.store.aliases(of: .client(client)) == ["ada", "bob"])
        #expect(try test.store.erase(.client(client), knownAs: [1], Self.origin) == .erased)
        #expect(try users.map { try test.store.aliases(of: .user($0)) } == [[other.id], [other.id]])
        #expect(try test.store.aliases(of: .client(client)) == [])
        #expect(try test.store.erase(.user(users[0]), knownAs: [1], Self.origin) == .erased)
        #expect(try users.map { try test.store.aliases(of: .user($0)) } == [[], [other.id]])
    }

    @Test(arguments: StoreKind.allCases)
    func aPublishThatExpectsAnotherHeadWritesNothing(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let document = StoredDocument(revision: 1, source: .api, text: [123, 125], publishedAt: Self.now)
        let publish = { (head: CatalogHead, revision: UInt64) throws(StoreError) in
            try test.store.publish(
                [.manifest(app: Self.app, document), .revision(app: Self.app, revision)], expecting: head, by: "test",
                at: Self.now)
        }
        let head = try test.store.loadCatalog().head
        let next = try publish(head, 1)
        #expect(next != head)
        #expect(throws: StoreError.stale) { try publish(head, 2) }
        let catalog = try test.store.loadCatalog()
        #expect(catalog.head == next)
        #expect(catalog.apps.map(\.revision) == [1])
        #expect(catalog.apps.first?.manifest?.text == document.text)
        #expect(test.store.health == .healthy)
        #expect(try publish(next, 2) != next)
    }

    @Test(arguments: StoreKind.allCases)
    func tokensAreKept(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let token = StoredToken(
            name: "a", scope: .owner, app: "*", digest: [7], createdAt: Self.now, expiresAt: nil)
        #expect(try test.store.loadTokens().head == .none)
        let head = try test.store.changeTokens([.issue(token)], expecting: TokenHead.none, by: "test", at: Self.now)
        #expect(try test.store.loadTokens() == StoredTokens(head: head, tokens: [token]))
        let later = Self.now.adding(seconds: 5)
        try test.store.changeTokens(
            [.use(digest: [7], at: later), .revoke(token, at: later)], expecting: head, by: "test", at: later)
        let stored = try #require(try test.store.loadTokens().tokens.first)
        #expect(stored.lastUsedAt == later && stored.revokedAt == later)
    }

    @Test(arguments: StoreKind.allCases)
    func aChangeOfTokensExpectsTheirHead(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let token = { StoredToken(name: $0, scope: .owner, app: "*", digest: Array($0.utf8), createdAt: Self.now) }
        let head = try test.store.changeTokens(
            [.issue(token("a"))], expecting: TokenHead.none, by: "test", at: Self.now)
        #expect(head != .none)
        #expect(throws: StoreError.stale) {
            try test.store.changeTokens([.issue(token("b"))], expecting: TokenHead.none, by: "test", at: Self.now)
        }
        #expect(try test.store.loadTokens().tokens.map(\.name) == ["a"])
        // The use of a token expects no head and does not change it.
        let use = TokenChange.use(digest: Array("a".utf8), at: Self.now)
        #expect(try test.store.changeTokens([use], expecting: nil, by: "test", at: Self.now) == head)
        let next = try test.store.changeTokens(
            [.revoke(token("a"), at: Self.now)], expecting: head, by: "test", at: Self.now)
        #expect(next != head)
        #expect(try test.store.loadTokens().head == next)
    }
}
