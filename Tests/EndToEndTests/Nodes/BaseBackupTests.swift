import BellwetherJSON
import PostgresSupport
import TestSupport
import Testing

/// The age of a base backup that PostgreSQL's own tool has made (docs/operators-guide.md#backups-of-postgresql).
@Suite struct BaseBackupTests {
    @Test func `The heartbeat and the metrics have the age of the newest base backup`() throws {
        let server = try PostgresServer(["archive_mode=on", "archive_command=/bin/true"])
        let folder = try TemporaryDirectory()
        let backup = try Command.run([
            PostgresServer.programs + "/pg_basebackup", "--pgdata", folder.path + "/copy", "--checkpoint", "fast",
            "--host", server.folder, "--port", "\(server.port)", "--username", PostgresServer.user,
        ])
        #expect(backup.status == 0, "\(backup.errors)")
        let nodes = try Nodes(count: 1, uri: try server.emptyDatabase())
        var heartbeat: JSONValue = .null
        try waitUntil("the daemon has looked, and is not behind") {
            heartbeat = try nodes[0].get("/__heartbeat__").json
            return heartbeat["status"] == "ok" && heartbeat["backups"]["newest_at"].string != nil
        }
        #expect(heartbeat["backups"]["every_seconds"] == .null, "\(heartbeat.text)")
        #expect((0...600).contains(heartbeat["backups"]["age_seconds"].integer ?? -1), "\(heartbeat.text)")
        let metrics = try PrometheusText(try nodes[0].get("/metrics").text)
        #expect(metrics.families["bellwether_backup_age_seconds"]?.samples.count == 1)
        #expect((0...600).contains(metrics.sum("bellwether_backup_age_seconds")))
    }
}
