import BellwetherBase
import BellwetherService
import PostgresStore
import PostgresSupport
import PostgresWire
import Testing

/// The age of the newest base backup (docs/operators-guide.md#backups-of-postgresql).
@Suite struct NewestBackupTests {
    private static let backUp = """
        DO $$ BEGIN PERFORM pg_backup_start('test', true); PERFORM pg_backup_stop(false); END $$
        """

    @Test func `A server that archives its log tells members of pg_monitor when a base backup ended`() throws {
        let server = try PostgresServer(["archive_mode=on", "archive_command=/bin/true"])
        try server.run("CREATE ROLE plain LOGIN")
        let owner = try PostgresLocation(server.uri())
        #expect(try owner.newestBackup() == nil)
        try server.run(Self.backUp)
        let now = try server.run("SELECT (extract(epoch FROM now()) * 1000)::int8")[0].integer(0)
        let newest = try #require(try owner.newestBackup())
        #expect((now - 60_000...now + 60_000).contains(newest.milliseconds))
        let plain = try PostgresLocation(server.uri(user: "plain"))
        #expect(try plain.newestBackup() == nil)
        try server.run("GRANT pg_monitor TO plain")
        #expect(try plain.newestBackup() == newest)
    }

    @Test func `A server that archives nothing tells nothing`() throws {
        let server = try PostgresServer()
        try server.run(Self.backUp)
        #expect(try PostgresLocation(server.uri()).newestBackup() == nil)
    }
}
