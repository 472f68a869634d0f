public import BellwetherService
internal import Foundation
internal import PostgresStore
public import PostgresWire
internal import Synchronization
internal import TestSupport

/// A PostgreSQL server that the tests start, on a socket in a new folder. It is started once for the process and ends
/// with the process.
public final class PostgresServer: Sendable {
    public static let shared = Result { try PostgresServer() }

    public static let programs = "/usr/lib/postgresql/15/bin"
    public static let user = "tests"

    private let directory: TemporaryDirectory
    /// The port of the socket, and of any other address that the server listens on.
    public let port: Int
    private let settings: [String]
    /// The process of the server; nil while it is down.
    private let process = Mutex<ChildProcess?>(nil)
    private let count = Atomic<Int>(0)

    /// The servers that must end when the process exits.
    private static let running = Mutex<[pid_t]>([])
    private static let cleanup: Void = {
        atexit {
            for pid in PostgresServer.running.withLock({ $0 }) {
                kill(pid, SIGQUIT)
                var status: Int32 = 0
                waitpid(pid, &status, 0)
            }
        }
    }()

    /// - Parameters:
    /// - settings: settings of the server, such as `fsync=off`.
    /// - files: files for its data directory, by name.
    public init(_ settings: [String] = [], port: Int = 5432, files: [String: [UInt8]] = [:]) throws {
        guard FileManager.default.fileExists(atPath: Self.programs) else {
            throw Failure("PostgreSQL is not installed; make test installs it")
        }
        directory = try TemporaryDirectory()
        self.port = port
        _ = Self.cleanup
        if getuid() == 0 { chown(directory.path, Self.nobody.user, Self.nobody.group) }
        try Self.make(directory.path)
        for (name, bytes) in files {
            let file = try directory.write(bytes, to: "data/" + name)
            if getuid() == 0 { chown(file, Self.nobody.user, Self.nobody.group) }
            chmod(file, 0o600)
        }
        self.settings = settings
        try restart()
    }

    deinit { crash() }

    /// Starts the server, or starts it again.
    public func restart() throws {
        var arguments = [Self.programs + "/postgres", "-D", directory.path + "/data", "-k", directory.path]
        let own = ["listen_addresses=", "port=\(port)", "max_connections=400", "shared_buffers=32MB"]
        for setting in own + settings { arguments += ["-c", setting] }
        var streams = ChildProcess.Streams()
        streams.errors = directory.path + "/log"
        let process = try ChildProcess(Self.unprivileged + arguments, streams: streams)
        self.process.withLock { $0 = process }
        Self.running.withLock { $0.append(process.pid) }
        try waitUntilReady()
    }

    /// The folder of the server's socket.
    public var folder: String { directory.path }

    /// Ends the server without a checkpoint, like a crash.
    public func crash() {
        guard let process = process.withLock({ $0.take() }) else { return }
        Self.running.withLock { $0.removeAll { $0 == process.pid } }
        process.signal(SIGQUIT)
        _ = try? process.wait()
    }

    /// A store's URI in a new, empty schema. A schema is created faster than a database.
    public func emptySchema() throws -> String {
        let name = "test\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
        _ = try run("CREATE SCHEMA \(name)")
        return uri(database: "postgres", "&options=-csearch_path%3D\(name)")
    }

    /// A store's URI in a new, empty database.
    public func emptyDatabase() throws -> String { uri(database: try newDatabase()) }

    func newDatabase() throws -> String {
        let name = "test\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
        _ = try run("CREATE DATABASE \(name)")
        return name
    }

    /// A busy machine may not start the server's process for a connection within the product's 2 s.
    static let connectTimeout = "connect_timeout=60"

    public func uri(database: String = "postgres", user: String = PostgresServer.user, _ more: String = "") -> String {
        "postgresql:///\(database)?host=\(directory.path)&port=\(port)&user=\(user)&\(Self.connectTimeout)\(more)"
    }

    /// Opens a store; without a URI, in an empty schema.
    public func openStore(_ uri: String? = nil) throws -> any Store {
        try PostgresLocation(uri ?? emptySchema()).open(background: BackgroundQueue()).store
    }

    /// Runs one statement as the server's owner.
    @discardableResult
    public func run(_ sql: String, at uri: String? = nil) throws -> PostgresRows {
        let connection = try PostgresConnection(PostgresAddress(uri ?? self.uri()))
        return try connection.run([PostgresStatement(sql)], seconds: longestWait)[0]
    }

    private func waitUntilReady() throws {
        let isReady = eventually { (try? run("SELECT 1")) != nil }
        guard isReady else {
            throw Failure(
                "PostgreSQL did not start: \((try? String(contentsOfFile: directory.path + "/log", encoding: .utf8)) ?? "")"
            )
        }
    }

    private static func make(_ path: String) throws {
        var streams = ChildProcess.Streams()
        streams.errors = path + "/initdb"
        let command = [
            programs + "/initdb", "-D", path + "/data", "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C",
            "--no-sync",
        ]
        let status = try ChildProcess(unprivileged + command, streams: streams).wait()
        guard status == 0 else {
            throw Failure("initdb: \((try? String(contentsOfFile: path + "/initdb", encoding: .utf8)) ?? "")")
        }
    }

    /// The command prefix to start the server with, because PostgreSQL refuses to run as root. The change of the user
    /// clears the parent-death signal, so the prefix sets it again.
    static var unprivileged: [String] {
        guard getuid() == 0 else { return [] }
        return [
            "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--pdeathsig", "SIGKILL", "--",
        ]
    }

    static let nobody = (user: uid_t(65534), group: gid_t(65534))
}
