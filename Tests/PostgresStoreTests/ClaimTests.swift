import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Dispatch
import PostgresSupport
import PostgresWire
import Synchronization
import TestSupport
import Testing

/// Two writers, each of which found a row absent that the other one creates: one of them has a conflict.
@Suite struct ClaimTests {
    private static let now = Timestamp(seconds: 1_790_000_000)

    private func group(_ written: (RowName, RowValue), absent: RowName) -> WriteGroup {
        WriteGroup([
            RowWrite(name: written.0, expected: 0, value: written.1),
            RowWrite(name: absent, expected: 0, value: nil),
        ])
    }

    private func isWritten(_ store: any Store, _ group: WriteGroup) -> Bool {
        if case .written? = (try? store.write([group]))?.first { true } else { false }
    }

    /// A draft is saved for a client without a user while another daemon identifies the client.
    @Test func `A client is not identified beside a write that found it without a user`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        let stores = try (0..<2).map { _ in try server.openStore(uri) }
        defer { for store in stores { store.close() } }
        var identified = ClientState()
        identified.userID = "u"
        for number in 0..<150 {
            let client = RowName.client(ClientReference(app: "app", id: "c\(number)"))
            let draft = RowName.lease("draft-\(number)")
            let groups = [
                group((draft, .lease(Lease(holder: "h", until: Self.now))), absent: client),
                group((client, .client(identified)), absent: draft),
            ]
            let written = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: 2) { place in
                if isWritten(stores[place], groups[place]) { written.withLock { $0 += 1 } }
            }
            #expect(written.withLock(\.self) == 1, "round \(number)")
        }
    }

    /// A daemon takes a lease and then ends it, with the run that it was taken for. Another daemon, which has read
    /// before that there is neither, takes the lease only if it comes before both.
    @Test func `A lease is not taken by a write that has read before the last holder's work`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        let stores = try (0..<2).map { _ in try server.openStore(uri) }
        defer { for store in stores { store.close() } }
        for number in 0..<600 {
            let lease = RowName.lease("action-\(number)")
            let run = RowName.currentRun(app: "app", slug: "tour", respondent: "c\(number)")
            let taking = group((lease, .lease(Lease(holder: "h", until: Self.now))), absent: run)
            let taken = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: 2) { place in
                guard case .written(let versions)? = (try? stores[place].write([taking]))?.first else { return }
                taken.withLock { $0 += 1 }
                // The first store ends its lease at once. The second one keeps it.
                guard place == 0 else { return }
                let ending = WriteGroup([
                    RowWrite(name: lease, expected: versions[0], value: .nothing),
                    RowWrite(name: run, expected: 0, value: .currentRun("run")),
                ])
                #expect(isWritten(stores[0], ending))
            }
            #expect(taken.withLock(\.self) == 1, "round \(number)")
        }
    }

    /// The last use of a token does not concern other daemons: they read no tokens because of it.
    @Test func `A token's last use moves no head`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        let store = try server.openStore(uri)
        defer { store.close() }
        let head = { try server.run("SELECT version FROM head WHERE name = 'tokens'", at: uri)[0].integer(0) }
        let token = StoredToken(
            name: "t", scope: .owner, app: "*", digest: [1], createdAt: Self.now, expiresAt: nil)
        try store.changeTokens([.issue(token)], expecting: nil, by: "test", at: Self.now)
        let issued = try head()
        #expect(issued > 0)
        try store.changeTokens([.use(digest: [1], at: Self.now)], expecting: nil, by: "test", at: Self.now)
        #expect(try head() == issued && store.loadTokens().tokens.map(\.lastUsedAt) == [Self.now])
        try store.changeTokens([.revoke(token, at: Self.now)], expecting: nil, by: "test", at: Self.now)
        #expect(try head() > issued)
    }
}
