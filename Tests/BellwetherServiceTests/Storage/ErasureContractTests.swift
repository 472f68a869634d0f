import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import StoreSupport
import Surveys
import TestSupport
import Testing

/// The data that is deleted with a client or user, and the data that stays, in every `Store`
/// (docs/reference/http-api.md#erasure).
@Suite struct ErasureContractTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let app: Identifier = "app"
    private static let origin = ChangeOrigin(author: "test", at: now)
    private static let device = ClientReference(app: app, id: "device")
    private static let ada = UserReference(app: app, id: "ada")

    private func run(_ id: String, of respondent: Respondent, on client: Identifier? = "device") -> Run {
        var run = Run(
            id: Identifier(id), slug: "weekly", kind: .flow, revision: 1, respondent: respondent, at: Self.now)
        run.clientID = client
        return run
    }

    private func name(_ run: Run) -> RowName { .run(RunReference(app: Self.app, id: run.id)) }

    private func reply(_ path: String, client: Identifier? = nil, user: Identifier? = nil, run: String? = nil) -> (
        RowName, RowValue
    ) {
        let subject = ReplySubject(app: Self.app, clientID: client, userID: user, runID: run.map { Identifier($0) })
        let reply = StoredReply(bodyDigest: [1], status: 200, body: [2], subject: subject)
        return (.reply(IdempotencyKey(token: "t", path: Identifier(path), text: "k")), .reply(reply, at: Self.now))
    }

    @discardableResult
    private func write(
        _ rows: [(RowName, RowValue)], outbox: [OutboxRow] = [], to store: any Store
    ) throws -> [UInt64] {
        let versions = try store.versions(of: rows.map(\.0))
        var group = WriteGroup()
        group.rows = zip(rows, versions).map { RowWrite(name: $0.0, expected: $1, value: $0.1) }
        group.outbox = outbox
        guard case .written(let versions)? = try store.write([group]).first else { throw Failure("not written") }
        return versions
    }

    private func read(_ names: [RowName], _ store: any Store) throws -> [RowValue?] {
        try store.read(RowQuery(names: names)).rows.map { try $0.get()?.value }
    }

    private func erase(_ person: Person, _ store: any Store) throws {
        #expect(try store.erase(person, knownAs: [1], Self.origin) == .erased)
    }

    /// A reply names the run that it belongs to, whatever its route is.
    @Test(arguments: StoreKind.allCases)
    func repliesGoWithTheirRunClientAndUser(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let runs = [run("1", of: .client("device")), run("2", of: .user("ada")), run("3", of: .user("bob"))]
        let replies = [
            reply("/a", run: "1"), reply("/b", run: "2"), reply("/c", run: "3"), reply("/d", client: "device"),
            reply("/e", user: "ada"), reply("/f", client: "other"),
        ]
        try write(runs.map { (name($0), .run($0)) } + replies, to: test.store)
        let isKept = { try read(replies.map(\.0), test.store).map { $0 != nil } }
        try erase(.client(Self.device), test.store)
        #expect(try isKept() == [false, true, true, false, true, true])
        try erase(.user(Self.ada), test.store)
        #expect(try isKept() == [false, false, true, false, false, true])
    }

    @Test(arguments: StoreKind.allCases)
    func aUsersRunStaysWhenItsClientIsErasedAndLosesTheClientsID(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let (own, users, anonymous) = (
            run("1", of: .client("device")), run("2", of: .user("ada")), run("3", of: .anonymous)
        )
        let current = RowName.currentRun(app: Self.app, slug: "weekly", respondent: "user:ada")
        let lost = RowName.currentRun(app: Self.app, slug: "weekly", respondent: "client:device")
        let webhooks = [("w1", "ada"), ("w2", nil)].map { id, user in
            OutboxRow(
                id: id, app: Self.app, url: "https://x.example/", body: [], clientID: "device", userID: user,
                createdAt: Self.now)
        }
        let rows = [own, users, anonymous].map { (name($0), RowValue.run($0)) }
        let versions = try write(
            rows + [(current, .currentRun("2")), (lost, .currentRun("1"))], outbox: webhooks, to: test.store)
        try erase(.client(Self.device), test.store)
        var kept = users
        kept.clientID = nil
        #expect(try read([name(own), name(users), name(anonymous)], test.store) == [nil, .run(kept), nil])
        #expect(try read([current, lost], test.store) == [.currentRun("2"), nil])
        #expect(try test.store.versions(of: [name(users)]) != [versions[1]])
        var query = RunQuery(app: Self.app, limit: 10)
        query.clientID = "device"
        #expect(try test.store.readRuns(query).isEmpty)
        let left = try test.store.readOutbox(OutboxQuery(app: Self.app, limit: 10))
        #expect(left.map(\.id) == ["w1"] && left.map(\.clientID) == [nil])
        #expect(try test.store.erase(.client(Self.device), knownAs: [1], Self.origin) == .nothing)
    }

    @Test(arguments: StoreKind.allCases)
    func whatAUsersClientsHaveAnsweredGoesWithTheUser(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let clients = ["a", "b"].map { ClientReference(app: Self.app, id: $0) }
        var state = ClientState()
        state.counters.launches = 3
        for (client, user) in zip(clients, ["ada", "bob"]) {
            state.userID = Identifier(user)
            let answer = SurveyResponse(
                id: "r\(client.id)", clientID: client.id, message: "m", requestID: "q", optionIndex: 1,
                optionStringID: "o", text: "t", locale: "en", revision: 1, submittedAt: Self.now)
            try write(
                [
                    (.client(client), .client(state)), (.answer(client, message: "m"), .answer(answer)),
                    (.alias(Self.ada, clientID: client.id), .alias),
                ], to: test.store)
        }
        #expect(try test.store.answers(of: clients).map(\.id) == ["ra", "rb"])
        try erase(.user(Self.ada), test.store)
        #expect(try test.store.answers(of: clients).map(\.id) == ["rb"], "the other client is another user's by now")
        var left = state
        left.userID = nil
        #expect(try read(clients.map { .client($0) }, test.store) == [.client(left), .client(state)])
    }

    /// A row without content would otherwise stay forever.
    @Test(arguments: StoreKind.allCases)
    func aRowThatBecomesEmptyIsDeletedAndItsVersionsNeverReturn(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let current = RowName.currentRun(app: Self.app, slug: "weekly", respondent: "client:c")
        let list = RowName.runList(app: Self.app, respondent: "client:c")
        var seen: Set<UInt64> = []
        for _ in 0..<3 {
            for rows in [
                [(current, RowValue.currentRun("1")), (list, .runList(RunList(["1"])))],
                [(current, .currentRun("2")), (list, .runList(RunList(["1", "2"])))],
            ] {
                for version in try write(rows, to: test.store) { seen.insert(version) }
            }
            #expect(try write([(current, .currentRun(nil)), (list, .runList(RunList()))], to: test.store) == [0, 0])
            #expect(try read([current, list], test.store) == [nil, nil])
        }
        #expect(seen.count == 6, "two versions each time, which both rows have")
    }

    /// A response that lost a merge when its client was identified belongs to no client, and is kept only for that
    /// user.
    @Test(arguments: StoreKind.allCases)
    func `A run that lost a merge goes with its user and not with its client`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        var merged = run("1", of: .anonymous, on: nil)
        merged.mergedUserID = "ada"
        var others = run("2", of: .anonymous, on: nil)
        others.mergedUserID = "a#ada"
        var deleted = run("3", of: .anonymous, on: nil)
        (deleted.mergedUserID, deleted.deletedAt) = ("ada", Self.now)
        let kept = reply("/kept", run: "2")
        let gone = reply("/gone", run: "1")
        let runs = [merged, others, deleted].map { (name($0), RowValue.run($0)) }
        try write(runs + [kept, gone, (.client(Self.device), .client(ClientState()))], to: test.store)
        try erase(.client(Self.device), test.store)
        #expect(try read(runs.map(\.0), test.store).compactMap(\.self).count == 3)
        try erase(.user(Self.ada), test.store)
        #expect(try read(runs.map(\.0) + [kept.0, gone.0], test.store) == [nil, runs[1].1, nil, kept.1, nil])
    }

    /// The erasure of an id affects no other id that ends with it, whatever the separator is.
    @Test(arguments: StoreKind.allCases)
    func `An erased id takes nothing of an id that ends with it`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let ids = ["b", "a#b", "a\u{1F}b"]
        var rows: [(RowName, RowValue)] = []
        for id in ids {
            let client = ClientReference(app: Self.app, id: Identifier(id))
            rows += [
                (.client(client), .client(ClientState())),
                reply("/v1/apps/app/responses#\(id)", client: Identifier(id)),
                (.currentRun(app: Self.app, slug: "s", respondent: "client:\(id)"), .currentRun("1")),
                (.runList(app: Self.app, respondent: "client:\(id)"), .runList(RunList(["1"]))),
                (.alias(Self.ada, clientID: Identifier(id)), .alias),
            ]
        }
        try write(rows, to: test.store)
        try erase(.client(ClientReference(app: Self.app, id: "b")), test.store)
        #expect(
            try read(rows.map(\.0), test.store).map { $0 != nil }
                == [false, true, true].flatMap { kept in
                    Array(repeating: kept, count: 5)
                })
        #expect(try test.store.aliases(of: .user(Self.ada)) == ["a\u{1F}b", "a#b"])
    }

    /// The check after the write finds the new row before the erasure is reported.
    @Test func `What another writer adds while a person is erased goes too`() throws {
        let store = TestStore()
        let client = RowName.client(Self.device)
        try write([(client, .client(ClientState()))], to: store)
        store.beforeNextWrite { [self] in
            let late = run("late", of: .client("device"))
            _ = try? write([(name(late), .run(late))], to: store)
        }
        try erase(.client(Self.device), store)
        #expect(try read([client, .run(RunReference(app: Self.app, id: "late"))], store) == [nil, nil])
        #expect(try store.readAudit(AuditQuery(after: 0, limit: 10)).count == 1)
    }

    /// Every writer compares the version of the client's row: an erasure that lost against a write of it starts again.
    @Test func `An erasure that another writer overtakes is made again from what stands then`() throws {
        let store = TestStore()
        var state = ClientState()
        state.counters.launches = 3
        let client = RowName.client(Self.device)
        try write([(client, .client(state))], to: store)
        store.beforeNextWrite { [self] in
            var next = ClientState()
            next.counters.launches = 4
            let answer = SurveyResponse(
                id: "r", clientID: "device", message: "m", requestID: "q", optionIndex: 1, optionStringID: "o",
                text: "t", locale: "en", revision: 1, submittedAt: Self.now)
            _ = try? write(
                [(client, .client(next)), (.answer(Self.device, message: "m"), .answer(answer))], to: store)
        }
        try erase(.client(Self.device), store)
        #expect(try read([client, .answer(Self.device, message: "m")], store) == [nil, nil])
        #expect(try store.readAudit(AuditQuery(after: 0, limit: 10)).count == 1)
    }
}
