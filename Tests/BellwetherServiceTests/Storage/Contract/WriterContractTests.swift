import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherService

/// The layers above a store, with a second writer that writes in between.
@Suite struct WriterContractTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let origin = ChangeOrigin(author: "test", at: now)

    private func verify(_ store: any Store, records: Int) throws {
        var chain = AuditChain()
        for record in try store.readAudit(AuditQuery(after: 0, limit: 1000)) { try chain.follow(record) }
        #expect(chain.sequence == Int64(records))
    }

    private func token(_ name: String, _ digest: UInt8) -> StoredToken {
        StoredToken(name: Identifier(name), scope: .owner, app: "*", digest: [digest], createdAt: Self.now)
    }

    @Test func `A publish that loses the audit's end appends behind the other writer's record`() throws {
        let store = TestStore()
        store.beforeNextWrite { [self] in
            _ = try? store.changeTokens([.issue(token("a", 1))], expecting: nil, by: "other", at: Self.now)
        }
        let document = StoredDocument(revision: 1, source: .api, text: [123, 125], publishedAt: Self.now)
        let head = try store.publish(
            [.manifest(app: "app", document), .revision(app: "app", 1)], expecting: .none, by: "test", at: Self.now)
        #expect(head == CatalogHead(revision: 1))
        try verify(store, records: 2)
    }

    @Test func `A publish that loses the head writes nothing and is stale`() throws {
        let store = TestStore()
        let document = StoredDocument(revision: 1, source: .api, text: [123, 125], publishedAt: Self.now)
        store.beforeNextWrite {
            _ = try? store.publish([.revision(app: "other", 1)], expecting: .none, by: "other", at: Self.now)
        }
        #expect(throws: StoreError.stale) {
            try store.publish([.manifest(app: "app", document)], expecting: .none, by: "test", at: Self.now)
        }
        #expect(try store.loadCatalog().apps.map(\.name) == ["other"])
        try verify(store, records: 0)
    }

    @Test func `Of two writers that make a token of one name one is refused`() throws {
        let store = TestStore()
        store.beforeNextWrite { [self] in
            _ = try? store.changeTokens([.issue(token("a", 1))], expecting: nil, by: "other", at: Self.now)
        }
        #expect(throws: StoreError.rejected("a living token has the name")) {
            try store.changeTokens([.issue(token("a", 2))], expecting: nil, by: "test", at: Self.now)
        }
        #expect(try store.loadTokens().tokens.map(\.digest) == [[1]])
        try verify(store, records: 1)
    }

    @Test func `A webhook that another daemon takes first is not leased`() throws {
        let store = TestStore()
        var group = WriteGroup()
        group.outbox = ["1", "2"].map {
            OutboxRow(id: $0, app: "app", url: "https://a/", body: [], createdAt: Self.now)
        }
        _ = try store.write([group])
        let request = { @Sendable (owner: String, limit: Int) in
            OutboxLeaseRequest(
                owner: Identifier(owner), now: Self.now, leaseEnd: Self.now.adding(seconds: 60), limit: limit)
        }
        store.beforeNextWrite { _ = try? store.leaseOutbox(request("other", 1)) }
        #expect(try store.leaseOutbox(request("test", 2)).rows.map(\.id) == ["2"])
        // Only the other process, which holds the lease, may report the outcome.
        try store.finishOutbox([OutboxResult(id: "1", .delivered)], of: "test")
        #expect(try store.count(.pendingWebhooks, limit: 10) == 2)
        try store.finishOutbox([OutboxResult(id: "1", .delivered)], of: "other")
        #expect(try store.count(.pendingWebhooks, limit: 10) == 1)
    }

    /// Several nodes with owners' changes: no record is lost, and the chain is valid.
    @Test(arguments: StoreKind.allCases)
    func `Writers that append to the audit at once make one chain`(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let nodes = (0..<3).map { _ in Persistence(test.store) }
        let entry = AuditEntry(exportOf: "r", in: "app", Self.origin)
        let answers = await withCheckedContinuation { done in
            let answers = ResultCollector<Void>(count: nodes.count * 20) { done.resume(returning: $0) }
            for (index, node) in nodes.enumerated() {
                for number in 0..<20 { node.submit(.audit(entry)) { answers.add($0, at: index * 20 + number) } }
            }
        }
        let written = answers.filter { if case .success = $0 { true } else { false } }.count
        #expect(written > 0)
        try verify(test.store, records: written)
    }
}
