internal import Foundation

/// One process of the program that serves.
final class RunningDaemon: Sendable {
    let port: Int
    let process: ChildProcess
    let output: ClosingPipe
    /// The log of this process; a restarted process has a new one.
    private let log: String

    /// - Parameter folder: the folder for the log.
    init(_ command: [String], environment: [String: String], folder: String) throws {
        log = folder + "/log-\(UUID().uuidString)"
        output = try ClosingPipe()
        var streams = ChildProcess.Streams()
        streams.output = .descriptor(output.writing)
        streams.errors = log
        let tls = try TestCertificates.areUsed ? TestCertificates.shared.get().settings : [:]
        process = try ChildProcess(command, environment: tls.merging(environment) { $1 }, streams: streams)
        output.closeWriting()
        var line = output.readLine()
        var prefix = "listening on http://127.0.0.1:"
        if !tls.isEmpty, line?.hasPrefix(prefix) == true {
            line = output.readLine()
            prefix = "listening on https://127.0.0.1:"
        }
        guard let line, line.hasPrefix(prefix), let port = Int(line.dropFirst(prefix.count)) else {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw Failure("the daemon said \(line ?? "nothing"); its log: \(text)")
        }
        self.port = port
    }

    /// Sends one request on a new connection.
    func send(_ method: String, _ target: String, headers: [String: String], body: [UInt8]?) throws -> HTTPResponse {
        let connection = try HTTPConnection(port: port)
        // The daemon may refuse a large body, and close the connection, before it has all of it.
        try? connection.send(method, target, headers: headers, body: body)
        return try connection.receive(isHead: method == "HEAD")
    }

    /// The text that the daemon wrote to standard error.
    var logText: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
}

/// The database of `Scripts/test-nodes`. With it, each daemon of a test is several processes.
struct SharedDatabase: Sendable {
    static let ofTests = SharedDatabase(ProcessInfo.processInfo.environment)

    let nodes: Int
    private let base: String

    private init?(_ environment: [String: String]) {
        guard let nodes = environment["TEST_NODES"].flatMap({ Int($0) }), nodes > 1,
            let base = environment["TEST_NODES_DATABASE"]
        else { return nil }
        (self.nodes, self.base) = (nodes, base)
    }

    /// The URI of a schema for a data directory. A directory that was used before keeps its schema.
    func uri(for data: TemporaryDirectory) throws -> String {
        let file = data.path + "/schema"
        if let name = try? String(contentsOfFile: file, encoding: .utf8) { return uri(schema: name) }
        let name = "nodes_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        let made = try Command.run(["psql", "-q", "-c", "CREATE SCHEMA \(name)", base])
        guard made.status == 0 else { throw Failure("psql: \(made.errors)") }
        try data.write(name, to: "schema")
        return uri(schema: name)
    }

    private func uri(schema: String) -> String { "\(base)&options=-csearch_path%3D\(schema)" }
}

extension Daemon {
    /// Whether each daemon of a test is several nodes over one database. A test cannot then rely on state that one node
    /// keeps in memory.
    public static var isSeveral: Bool { SharedDatabase.ofTests != nil }
}

extension HTTPResponse {
    /// Whether the node has not yet loaded the changes of other nodes.
    var isOfNodeBehind: Bool { status == 503 && text.contains("what others have changed") }
}
