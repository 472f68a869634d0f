public import BellwetherService
internal import Foundation
internal import PostgresStore
public import PostgresWire
internal import Synchronization
internal import TestSupport

/// A PostgreSQL server of the tests' own, on a socket in a folder of its own. It is started once for the process and
/// ends with it.
public final class PostgresServer: Sendable {
    public static let shared = Result { try PostgresServer() }

    private static let programs = "/usr/lib/postgresql/15/bin"
    public static let user = "tests"

    private let directory: TemporaryDirectory
    /// Of its socket, and of what else it listens on.
    public let port: Int
    private let settings: [String]
    /// Nil: it is down.
    private let process = Mutex<ChildProcess?>(nil)
    private let count = Atomic<Int>(0)

    /// Those that end at the exit of the process.
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
    ///   - settings: of the server, as in `fsync=off`.
    ///   - files: that it finds in its data directory, by name.
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

    /// Starts it, or starts it again.
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

    /// The folder of its socket.
    public var folder: String { directory.path }

    /// Ends it without a checkpoint, as a crash does.
    public func crash() {
        guard let process = process.withLock({ $0.take() }) else { return }
        Self.running.withLock { $0.removeAll { $0 == process.pid } }
        process.signal(SIGQUIT)
        _ = try? process.wait(seconds: 10)
    }

    /// A store's URI in a schema of its own, which is empty. Schemas are made faster than databases.
    public func emptySchema() throws -> String {
        let name = "test\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
        _ = try run("CREATE SCHEMA \(name)")
        return uri(database: "postgres", "&options=-csearch_path%3D\(name)")
    }

    /// The same in a database of its own.
    public func emptyDatabase() throws -> String { uri(database: try newDatabase()) }

    func newDatabase() throws -> String {
        let name = "test\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
        _ = try run("CREATE DATABASE \(name)")
        return name
    }

    public func uri(database: String = "postgres", user: String = PostgresServer.user, _ more: String = "") -> String {
        "postgresql:///\(database)?host=\(directory.path)&port=\(port)&user=\(user)\(more)"
    }

    /// A store; without a URI, in an empty schema.
    public func openStore(_ uri: String? = nil) throws -> any Store {
        try PostgresLocation(uri ?? emptySchema()).open(background: BackgroundQueue()).store
    }

    /// Runs one statement as the server's owner.
    @discardableResult
    public func run(_ sql: String, at uri: String? = nil) throws -> PostgresRows {
        let connection = try PostgresConnection(PostgresAddress(uri ?? self.uri()))
        return try connection.run([PostgresStatement(sql)], seconds: 30)[0]
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

    /// PostgreSQL refuses to run as root. The new user clears what the signal of the parent's end was set for.
    static var unprivileged: [String] {
        guard getuid() == 0 else { return [] }
        return [
            "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--pdeathsig", "SIGKILL", "--",
        ]
    }

    static let nobody = (user: uid_t(65534), group: gid_t(65534))
}
