import BellwetherJSON
import BellwetherService
import Foundation
import PostgresStore
import PostgresSupport
import PostgresWire
import TestSupport
import Testing

/// The connection parameters in a libpq URI (docs/reference/http-api.md#several-nodes).
@Suite struct ConnectingTests {
    private func sentence(_ uri: String) -> String {
        do throws(StoreError) {
            try PostgresLocation(uri).open(background: BackgroundQueue()).store.close()
            return "opened"
        } catch .unusable(let sentence) {
            return sentence
        } catch {
            return "\(error)"
        }
    }

    /// The first host is down, and the second one accepts no writes.
    @Test func `Of several hosts the one is taken that accepts writes`() throws {
        let primary = try PostgresServer.shared.get()
        let readOnly = try PostgresServer(["default_transaction_read_only=on"])
        let hosts = "host=/nonexistent,\(readOnly.folder),\(primary.folder)&port=5432,5432,5432"
        let schema = "several_hosts"
        try primary.run("CREATE SCHEMA \(schema)")
        let uri = "postgresql:///postgres?\(hosts)&user=\(PostgresServer.user)&options=-csearch_path%3D\(schema)"
        #expect(sentence(uri) == "opened")
        let tables = try primary.run("SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema)'")
        #expect(tables[0].integer(0) > 10)
    }

    /// A server with a certificate from the test's own authority, and a user with a password.
    private struct GuardedServer {
        let folder: TemporaryDirectory
        let server: PostgresServer

        init() throws {
            let folder = try TemporaryDirectory()
            self.folder = folder
            for name in ["ca", "other"] {
                try Self.openssl(
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=\(name)", "-keyout", folder.path + "/\(name).key", "-out",
                    folder.path + "/\(name).crt")
            }
            try Self.openssl(
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
                "-keyout", folder.path + "/server.key", "-out", folder.path + "/server.csr")
            let names = try folder.write("subjectAltName=DNS:localhost\n", to: "names")
            try Self.openssl(
                "x509", "-req", "-in", folder.path + "/server.csr", "-CA", folder.path + "/ca.crt", "-CAkey",
                folder.path + "/ca.key", "-CAcreateserial", "-days", "2", "-extfile", names, "-out",
                folder.path + "/server.crt")
            let read = { (name: String) in Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))) }
            let rules = "local all \(PostgresServer.user) trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"
            server = try PostgresServer(
                ["listen_addresses=127.0.0.1", "ssl=on", "ssl_cert_file=server.crt", "ssl_key_file=server.key"],
                port: try FreePort.any(),
                files: [
                    "server.crt": read("server.crt"), "server.key": read("server.key"),
                    "pg_hba.conf": Array(rules.utf8),
                ])
            try server.run("CREATE ROLE ann LOGIN PASSWORD 'geheim'")
            try server.run("CREATE SCHEMA ann AUTHORIZATION ann")
        }

        private static func openssl(_ arguments: String...) throws {
            let result = try Command.run(["openssl"] + arguments)
            guard result.status == 0 else { throw Failure("openssl: \(result.errors)") }
        }

        func uri(_ host: String = "localhost", authority: String = "ca", more: String) -> String {
            "postgresql://ann@\(host):\(server.port)/postgres?sslmode=verify-full"
                + "&sslrootcert=\(folder.path)/\(authority).crt\(more)"
        }

        func passwordFile(_ password: String) throws -> String {
            let file = try folder.write("*:*:*:ann:\(password)\n", to: "passwords-\(password)")
            chmod(file, 0o600)
            return "&passfile=\(file)"
        }
    }

    @Test func `A certificate is verified and the password comes from a file`() throws {
        let guarded = try GuardedServer()
        let file = try guarded.passwordFile("geheim")
        #expect(sentence(guarded.uri(more: file)) == "opened")
        let encrypted = try PostgresConnection(PostgresAddress(guarded.uri(more: file))).run(
            [PostgresStatement("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")], seconds: longestWait)
        #expect(encrypted[0][0].integer(0) == 1)
        #expect(sentence(guarded.uri(authority: "other", more: file)).contains("certificate"))
        // The address is right, but the certificate does not contain the name.
        let named = guarded.uri("db.example", more: file + "&hostaddr=127.0.0.1")
        #expect(sentence(named).contains("db.example"))
        #expect(sentence(guarded.uri(more: "")).contains("password"))
        let wrong = try guarded.passwordFile("falsch")
        #expect(sentence(guarded.uri(more: wrong)).contains("password"))
        #expect(!sentence(guarded.uri(more: wrong)).contains("falsch"))
    }

    /// Each transaction may use another connection to the server.
    @Test func `Through pgbouncer in transaction mode a store does what it does`() throws {
        let pooler = try ConnectionPooler(before: PostgresServer.shared.get())
        let store = try PostgresServer.shared.get().openStore(pooler.emptyDatabase())
        defer { store.close() }
        let now = store.clock.now()
        var version: UInt64 = 0
        for number in 0..<50 {
            let lease = Lease(holder: "\(number)", until: now)
            let write = RowWrite(name: .lease("job"), expected: version, value: .lease(lease))
            guard case .written(let versions)? = try store.write([WriteGroup([write])]).first, let next = versions.first
            else { throw Failure("write \(number)") }
            version = next
            let row = try store.read(RowQuery(names: [.lease("job")])).rows[0].get()
            #expect(row == StoredRow(version: version, value: .lease(lease)))
        }
        #expect(try store.shared?.patientHeads().newestRecord == 0)
    }
}
