import Foundation
import PostgresWire

/// A PostgreSQL server that the benchmark starts, on the load generator's processor: the daemon has the other
/// processor.
final class PostgresBench: RunningServer {
    static let programs = "/usr/lib/postgresql/15/bin"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: programs + "/initdb") }

    let port = 5432
    private let folder: String
    private let child: Child
    var pid: pid_t { child.pid }

    /// The server that all rows share.
    static func server(_ bench: Workbench) throws -> PostgresBench {
        try bench.server("postgres") { try PostgresBench(bench) }
    }

    private init(_ bench: Workbench) throws {
        folder = "\(bench.directory)/postgres"
        let user = try Self.makeFolder(folder)
        let make =
            user + [
                Self.programs + "/initdb", "-D", folder + "/data", "-U", "bench", "-A", "trust", "-E", "UTF8",
                "--locale=C", "--no-sync",
            ]
        _ = try Child(make, core: bench.loadCore, log: "\(bench.directory)/initdb").finish(within: 120)
        let run =
            user + [
                Self.programs + "/postgres", "-D", folder + "/data", "-k", folder, "-c", "listen_addresses=", "-c",
                "max_connections=100", "-c", "shared_buffers=256MB",
            ]
        child = try Child(run, core: bench.loadCore, log: "\(bench.directory)/postgres-log")
        try child.waitUntil("answer", within: 30) { (try? connect()) != nil }
    }

    /// Makes a folder that the server can write, and returns the command prefix to start the server with. PostgreSQL
    /// refuses to run as root.
    private static func makeFolder(_ folder: String) throws -> [String] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard getuid() == 0 else { return [] }
        chown(folder, 65534, 65534)
        return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--pdeathsig", "SIGKILL"]
    }

    func uri(_ database: String = "postgres") -> String { "postgresql:///\(database)?host=\(folder)&user=bench" }

    func connect(to database: String = "postgres") throws -> PostgresConnection {
        try PostgresConnection(PostgresAddress(uri(database)))
    }

    /// The URI of a new database.
    func newDatabase(_ name: String) throws -> String {
        _ = try connect().run([PostgresStatement("CREATE DATABASE \(name)")], seconds: 30)
        return uri(name)
    }

    /// Processor time of all processes of the server so far, in microseconds.
    func cpu() throws -> Double {
        let listing = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
        let children = listing.filter { Self.parent(of: $0) == pid }
        return try ([pid] + children).reduce(0) { $0 + (try ProcessUsage.cpu(of: $1)) }
    }

    private static func parent(of pid: pid_t) -> pid_t? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[text.index(after: end)...].split(separator: " ").dropFirst().first.flatMap { pid_t($0) }
    }

    func stop() { child.stop() }
}
