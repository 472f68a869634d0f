import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import StoreSupport
import TestSupport
import Testing

/// The behaviour of every `Store` with the outbox. Webhooks are written with the change that causes them, and leased to
/// one daemon at a time.
@Suite struct OutboxContractTests {
    static let now = Timestamp(seconds: 1_790_000_000)
    let client = ClientReference(app: "app", id: "c1")

    private func webhook(
        _ id: String, app: Identifier = "app", host: String = "a.example", client: Identifier? = nil,
        user: Identifier? = "u",
        after seconds: Int64 = 0
    ) -> OutboxRow {
        OutboxRow(
            id: Identifier(id), app: app, url: "https://\(host)/hook?key=1", secretName: "crm", body: Array("{}".utf8),
            clientID: client, userID: user, createdAt: Self.now.adding(seconds: seconds))
    }

    private func write(_ rows: [OutboxRow], to store: any Store) throws {
        var group = WriteGroup()
        group.outbox = rows
        #expect(try store.write([group]) == [.written([])])
    }

    private func request(_ owner: String, after seconds: Int64 = 0, limit: Int = 10) -> OutboxLeaseRequest {
        let now = Self.now.adding(seconds: seconds)
        return OutboxLeaseRequest(owner: Identifier(owner), now: now, leaseEnd: now.adding(seconds: 60), limit: limit)
    }

    private func list(_ store: any Store, _ state: OutboxQuery.State? = nil) throws -> [OutboxRow] {
        try store.readOutbox(OutboxQuery(app: "app", state: state, limit: 100))
    }

    @Test(arguments: StoreKind.allCases)
    func aWebhookIsWrittenWithItsGroupOrNotAtAll(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        var group = WriteGroup()
        group.rows = [RowWrite(name: .client(client), expected: 7, value: .client(ClientState()))]
        group.outbox = [webhook("one")]
        #expect(try test.store.write([group]) == [.conflict([.client(client)])])
        #expect(try list(test.store).isEmpty)
        group.rows = [RowWrite(name: .client(client), expected: 0, value: .client(ClientState()))]
        _ = try test.store.write([group])
        #expect(try list(test.store) == [webhook("one")])
        #expect(try test.store.readOutbox(OutboxQuery(app: "nobody", limit: 10)).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func anIDThatIsKnownIsNotWrittenAgain(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([webhook("one")], to: test.store)
        try write([webhook("one", host: "b.example"), webhook("two", after: 1)], to: test.store)
        #expect(try list(test.store) == [webhook("two", after: 1), webhook("one")])
    }

    @Test(arguments: StoreKind.allCases)
    func `A webhook keeps its trace through its attempts`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        var traced = webhook("one")
        traced.trace = TraceContext(stored: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 a=1,  b=\u{7E}")
        #expect(traced.trace?.state != nil)
        try write([traced, webhook("two", after: 1)], to: test.store)
        #expect(try list(test.store) == [webhook("two", after: 1), traced])
        let lease = try test.store.leaseOutbox(request("a", after: 2))
        #expect(lease.rows.map(\.trace) == [traced.trace, nil])
        try test.store.finishOutbox(
            [OutboxResult(id: "one", .retry(at: Self.now.adding(seconds: 9), failure: "status 500"))], of: "a")
        #expect(try test.store.leaseOutbox(request("b", after: 10)).rows.map(\.trace) == [traced.trace])
    }

    @Test(arguments: StoreKind.allCases)
    func aLeaseHoldsUntilItsEnd(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([webhook("one"), webhook("two", after: 5)], to: test.store)
        let first = try test.store.leaseOutbox(request("a"))
        var leased = webhook("one")
        (leased.attempts, leased.nextAttempt) = (1, Self.now.adding(seconds: 60))
        #expect(first == OutboxLease(rows: [leased], next: Self.now.adding(seconds: 5), pending: 2))
        let second = try test.store.leaseOutbox(request("b", after: 5))
        #expect(second.rows.map(\.id) == ["two"] && second.next == leased.nextAttempt)
        #expect(try test.store.leaseOutbox(request("b", after: 59)).rows.isEmpty)
        let later = try test.store.leaseOutbox(request("b", after: 60))
        #expect(later.rows.map(\.id) == ["one"] && later.rows.map(\.attempts) == [2])
    }

    @Test(arguments: StoreKind.allCases)
    func onlyTheOwnerOfALeaseEndsIt(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([webhook("one"), webhook("two"), webhook("three")], to: test.store)
        #expect(try test.store.leaseOutbox(request("a")).rows.count == 3)
        let results = [
            OutboxResult(id: "one", .delivered),
            OutboxResult(id: "two", .retry(at: Self.now.adding(seconds: 9), failure: "status 500")),
            OutboxResult(id: "three", .dead(at: Self.now.adding(seconds: 1), failure: "status 410")),
            OutboxResult(id: "four", .delivered),
        ]
        try test.store.finishOutbox(results, of: "b")
        #expect(try list(test.store, .pending).count == 3)
        try test.store.finishOutbox(results, of: "a")
        var (two, three) = (webhook("two"), webhook("three"))
        (two.attempts, two.nextAttempt, two.lastFailure) = (1, Self.now.adding(seconds: 9), "status 500")
        (three.attempts, three.nextAttempt, three.lastFailure) = (1, Self.now.adding(seconds: 60), "status 410")
        three.state = .dead(at: Self.now.adding(seconds: 1))
        #expect(try list(test.store, .pending) == [two])
        #expect(try list(test.store, .dead) == [three])
        // The lease is over, so a late result changes nothing.
        try test.store.finishOutbox([OutboxResult(id: "two", .delivered)], of: "a")
        #expect(try list(test.store) == [two, three])
    }

    @Test(arguments: StoreKind.allCases)
    func rowsForBusyHostsWait(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([webhook("one"), webhook("two", host: "B.example"), webhook("three", host: "c")], to: test.store)
        var request = request("a", limit: 1)
        request.busyHosts = ["a.example:443", "c:443"]
        let lease = try test.store.leaseOutbox(request)
        #expect(lease.rows.map(\.id) == ["two"] && lease.next == nil && lease.pending == 3)
        request.busyHosts = []
        let rest = try test.store.leaseOutbox(request)
        #expect(rest.rows.map(\.id) == ["one"] && rest.next == Self.now)
    }

    @Test(arguments: StoreKind.allCases)
    func theOldestOfTooManyDie(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write((0..<3).map { webhook("\($0)") }, to: test.store)
        _ = try test.store.leaseOutbox(request("a", limit: 1))
        try write([webhook("3", after: 1), webhook("4", after: 2)], to: test.store)
        var request = request("b", after: 2, limit: 0)
        request.bound = 3
        #expect(try test.store.leaseOutbox(request).pending == 3)
        let dead = try list(test.store, .dead)
        #expect(dead.map(\.id) == ["1", "0"] && dead.allSatisfy { $0.lastFailure == OutboxRow.overflow })
        #expect(try list(test.store, .pending).map(\.id) == ["4", "3", "2"])
        // This webhook was under way and was delivered.
        try test.store.finishOutbox([OutboxResult(id: "0", .delivered)], of: "a")
        #expect(try list(test.store, .dead).map(\.id) == ["1"])
    }

    @Test(arguments: StoreKind.allCases)
    func retentionDeletesDeadOnes(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([webhook("one"), webhook("two")], to: test.store)
        _ = try test.store.leaseOutbox(request("a"))
        try test.store.finishOutbox([OutboxResult(id: "one", .dead(at: Self.now, failure: "f"))], of: "a")
        let policy = RetentionPolicy(telemetrySeconds: 1, eventIDSeconds: 1)
        let month: Int64 = 30 * 86_400
        #expect(try !test.store.deleteExpired(policy, now: Self.now.adding(seconds: month)))
        #expect(try list(test.store).count == 2)
        #expect(try !test.store.deleteExpired(policy, now: Self.now.adding(seconds: month + 1)))
        #expect(try list(test.store).map(\.id) == ["two"])
    }

    @Test(arguments: StoreKind.allCases)
    func erasingAClientDeletesItsWebhooks(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let rows = [
            webhook("one", client: "c1", user: nil), webhook("two", client: "c2", user: nil), webhook("three"),
            webhook("four", app: "other", client: "c1", user: nil),
        ]
        try write(rows, to: test.store)
        let origin = ChangeOrigin(author: "test", at: Self.now)
        #expect(try test.store.erase(.client(client), knownAs: [1], origin) == .erased)
        #expect(try test.store.erase(.client(client), knownAs: [1], origin) == .nothing)
        #expect(try list(test.store).map(\.id) == ["two", "three"])
        #expect(try test.store.readOutbox(OutboxQuery(app: "other", limit: 10)).map(\.id) == ["four"])
    }

    @Test(arguments: StoreKind.allCases)
    func pagesMeetWithoutGaps(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write((0..<7).map { webhook("\($0)", after: Int64($0 / 3)) }, to: test.store)
        var (query, found) = (OutboxQuery(app: "app", limit: 2), [String]())
        while true {
            let page = try test.store.readOutbox(query)
            guard let last = page.last else { break }
            found += page.map(\.id.text)
            query.after = OutboxCursor(text: OutboxCursor(last).text)
        }
        #expect(found == ["6", "5", "4", "3", "2", "1", "0"])
    }

    /// Several daemons over one store: each row is leased only once.
    @Test(arguments: StoreKind.allCases)
    func daemonsThatLeaseAtOnceGetDifferentRows(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let store = test.store
        try write((0..<60).map { webhook("\($0)") }, to: store)
        let requests = (0..<4).map { request("node \($0)", limit: 5) }
        let leased = try await withThrowingTaskGroup(of: [String].self) { group in
            for request in requests {
                group.addTask {
                    var ids: [String] = []
                    while case let rows = try store.leaseOutbox(request).rows, !rows.isEmpty {
                        ids += rows.map(\.id.text)
                    }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(leased.count == 60 && Set(leased).count == 60)
    }

    /// The webhooks of a transaction are in the store when its requester gets the result.
    @Test(arguments: StoreKind.allCases)
    func aTransactionWritesWebhooks(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let persistence = Persistence(test.store)
        let (client, row) = (client, webhook("one"))
        let result = await withCheckedContinuation { done in
            persistence.submit(
                Transaction(names: [.client(client)], now: Self.now) { _ in
                    var outcome = TransactionOutcome(result: ())
                    outcome.outbox = [row]
                    return .done(outcome)
                }
            ) { done.resume(returning: $0) }
        }
        guard case .success = result else { return #expect(Bool(false), "\(result)") }
        #expect(try list(test.store) == [row])
    }
}
