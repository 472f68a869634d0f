import BellwetherService
import Foundation
import PostgresStore
import PostgresSupport
import PostgresWire
import TestSupport
import Testing

/// Databases that cannot be used. Each gives one sentence, which does not contain the password.
@Suite struct RefusalTests {
    private func sentence(_ uri: String) throws -> String {
        do throws(StoreError) {
            try PostgresLocation(uri).open(background: BackgroundQueue()).store.close()
            return "opened"
        } catch .unusable(let sentence) {
            return sentence
        } catch {
            return "\(error)"
        }
    }

    @Test func `A password that is wrong, or not given, is told of and not repeated`() throws {
        let server = try PostgresServer()
        let rules = try server.run("SHOW hba_file")[0].text(0)
        let others = try String(contentsOfFile: rules, encoding: .utf8)
        try Data("local all bolted scram-sha-256\n\(others)".utf8).write(to: URL(fileURLWithPath: rules))
        try server.run("SELECT pg_reload_conf()")
        try server.run("CREATE ROLE bolted LOGIN PASSWORD 'right-words'")
        try server.run("CREATE SCHEMA bolted AUTHORIZATION bolted")
        let isBolted = try eventually { try sentence(server.uri(user: "bolted")).contains("wants a password") }
        #expect(isBolted)
        let wrong = try sentence(server.uri(user: "bolted", "&password=wrong-words"))
        #expect(wrong.contains("PostgreSQL refuses the user's password: see store.url and the password file"))
        #expect(!wrong.contains("wrong-words"))
        #expect(try sentence(server.uri(user: "bolted", "&password=right-words")) == "opened")
    }

    /// A server that receives a primary's log.
    @Test func `A standby is refused, and nothing is written`() throws {
        let server = try PostgresServer()
        let uri = try server.emptySchema()
        let directory = try server.run("SHOW data_directory")[0].text(0)
        try server.run("CHECKPOINT")
        server.crash()
        try Data().write(to: URL(fileURLWithPath: directory + "/standby.signal"))
        try server.restart()
        let told = try sentence(uri)
        #expect(told.hasSuffix("PostgreSQL takes no writes: none of the hosts of store.url is a primary"), "\(told)")
    }

    /// A function of the same name precedes the server's own, and returns the value of an old server.
    @Test func `A server that is too old is refused`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        try server.run(
            """
            CREATE FUNCTION current_setting(text) RETURNS text LANGUAGE sql AS $$
                SELECT CASE $1 WHEN 'server_version_num' THEN '120022' ELSE pg_catalog.current_setting($1) END $$
            """, at: uri)
        let first = uri + "%2Cpg_catalog"
        #expect(try sentence(first).hasSuffix("PostgreSQL 12 is too old; it has to be 13 or newer"))
        #expect(
            try server.run("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()", at: uri)[0].integer(0)
                == 0)
    }

    @Test func `A user who may make no tables is told to be made the owner`() throws {
        let server = try PostgresServer.shared.get()
        try server.run("CREATE ROLE reader LOGIN")
        try server.run("CREATE SCHEMA locked")
        try server.run("GRANT USAGE ON SCHEMA locked TO reader")
        let uri = server.uri(user: "reader", "&options=-csearch_path%3Dlocked")
        #expect(
            try sentence(uri).hasSuffix("the user may not make tables in the database; make it the database's owner"))
    }
}
