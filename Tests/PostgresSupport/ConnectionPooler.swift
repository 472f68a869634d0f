internal import Foundation
internal import TestSupport

/// A pgbouncer that the tests start before a server: it gives each transaction another connection to the server. It
/// ends with the value.
public final class ConnectionPooler: Sendable {
    private static let program = "/usr/sbin/pgbouncer"
    private static let port = 6432

    private let directory: TemporaryDirectory
    private let process: ChildProcess
    private let server: PostgresServer

    public init(before server: PostgresServer) throws {
        guard FileManager.default.fileExists(atPath: Self.program) else {
            throw Failure("pgbouncer is not installed; make test installs it")
        }
        self.server = server
        directory = try TemporaryDirectory()
        let settings = """
            [databases]
            * = host=\(server.folder) port=\(server.port) user=\(PostgresServer.user)
            [pgbouncer]
            unix_socket_dir = \(directory.path)
            listen_port = \(Self.port)
            auth_type = any
            pool_mode = transaction
            max_client_conn = 200
            default_pool_size = 8
            logfile = \(directory.path)/log
            """
        let file = try directory.write(settings + "\n", to: "pgbouncer.ini")
        if getuid() == 0 {
            for path in [directory.path, file] {
                chown(path, PostgresServer.nobody.user, PostgresServer.nobody.group)
            }
        }
        var streams = ChildProcess.Streams()
        streams.errors = directory.path + "/errors"
        process = try ChildProcess(PostgresServer.unprivileged + [Self.program, file], streams: streams)
        let isReady = eventually { FileManager.default.fileExists(atPath: "\(directory.path)/.s.PGSQL.\(Self.port)") }
        guard isReady else { throw Failure("pgbouncer did not start") }
    }

    deinit {
        process.signal(SIGKILL)
        _ = try? process.wait(seconds: 10)
    }

    /// A store's URI in an empty database of the server, through the pooler.
    public func emptyDatabase() throws -> String {
        let name = try server.newDatabase()
        return "postgresql:///\(name)?host=\(directory.path)&port=\(Self.port)&user=\(PostgresServer.user)"
            + "&\(PostgresServer.connectTimeout)"
    }
}
