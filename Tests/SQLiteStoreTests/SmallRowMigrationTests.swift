import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import SQLiteWire
import TestSupport
import Testing

@testable import SQLiteStore

/// A database whose schema is older than the one that stores consumers and tokens as small rows.
struct SmallRowMigrationTests {
    @Test func `Consumers, tokens, aliases and webhooks are as they were`() throws {
        let directory = try TemporaryDirectory()
        let pool = try SQLitePool(path: directory.database)
        try pool.useWriter { try Migrations.apply(to: $0, upTo: "15 states of flows") }
        try pool.write { database in
            try database.execute(
                """
                PRAGMA application_id = \(DatabaseFile.applicationID);
                INSERT INTO app (key, name) VALUES (1, 'a');
                INSERT INTO consumer (app, name, cursor, updated_at) VALUES (1, 'it''s "etl"', 7, 1500);
                INSERT INTO token (key, digest, name, scope, app, created_at, expires_at, last_used_at, revoked_at, web)
                    VALUES (4, x'00AB', 'web "é"', 'client', 'a', 1000, NULL, 2000, NULL, 1),
                        (9, x'01', 'gone', 'admin', '*', 1000, 5000, NULL, 3000, 0);
                INSERT INTO shared (kind, app, name, version, body)
                    VALUES ('alias', 1, 'ada' || char(31) || 'c#1', 3, CAST('{}' AS BLOB)),
                        ('tally', 1, 'k', 4, CAST('{"submitted":1,"places":{}}' AS BLOB));
                INSERT INTO outbox (id, app, url, host, body, client_id, created_at, next_attempt)
                    VALUES ('w', 1, 'https://x/', 'x:443', x'7B7D', 'c#1', 1000, 1000);
                """)
        }
        pool.close()
        let store = try SQLiteStore(directory: directory.path)
        defer { store.close() }
        let consumer = try store.read(RowQuery(names: [.consumer(app: "a", name: "it's \"etl\"")])).rows[0].get()
        #expect(
            consumer?.value == .consumer(ConsumerPosition(number: 7, updatedAt: Timestamp(milliseconds: 1500))))
        var web = StoredToken(
            name: "web \"é\"", scope: .client, app: "a", isWeb: true, digest: [0, 0xAB],
            createdAt: Timestamp(milliseconds: 1000))
        web.lastUsedAt = Timestamp(milliseconds: 2000)
        var gone = StoredToken(
            name: "gone", scope: .admin, app: "*", digest: [1], createdAt: Timestamp(milliseconds: 1000),
            expiresAt: Timestamp(milliseconds: 5000))
        gone.revokedAt = Timestamp(milliseconds: 3000)
        #expect(try store.loadTokens().tokens == [web, gone])
        let client = ClientReference(app: "a", id: "c#1")
        #expect(try store.aliases(of: .client(client)) == ["ada"])
        #expect(try store.find(.webhooksAbout(.client(client)), limit: 9).map(\.name) == [.webhook("w")])
        let lease = OutboxLeaseRequest(
            owner: "o", now: Timestamp(milliseconds: 2000), leaseEnd: Timestamp(milliseconds: 9000), limit: 5)
        let webhooks = try store.leaseOutbox(lease).rows
        #expect(webhooks.map(\.id) == ["w"] && webhooks[0].trace == nil)
        try store.changeTokens([.revoke(web, at: Timestamp(milliseconds: 4000))])
        #expect(try store.loadTokens().tokens.map(\.revokedAt?.milliseconds) == [4000, 3000])
    }
}
