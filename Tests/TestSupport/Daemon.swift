public import BellwetherJSON
public import Foundation
internal import Synchronization

/// The real program, which serves on its own port from its own data directory. It ends with the value.
///
/// When `Scripts/test-nodes` runs the tests, it is several processes over one database, which get the requests in turn.
/// So a test of one daemon also tests several.
public final class Daemon: Sendable {
    public let data: TemporaryDirectory
    private let nodes: [RunningDaemon]
    private let turn = Atomic<Int>(0)

    /// `arguments` come after `serve --port 0 --data …`. `data` may be a directory that a daemon has used before.
    /// `openFiles` limits the open files as `ulimit -n` does.
    public init(
        _ arguments: [String] = ["--dev"], data: TemporaryDirectory? = nil, environment: [String: String] = [:],
        openFiles: Int? = nil
    ) throws {
        let data = try data ?? TemporaryDirectory()
        self.data = data
        let limit = openFiles.map { ["/usr/bin/prlimit", "--nofile=\($0)"] } ?? []
        let command =
            limit + [BellwetherProgram.path, "serve", "--port", "0", "--data", data.path + "/data"] + arguments
        let database = try SharedDatabase.ofTests.map { ["--store", try $0.uri(for: data)] } ?? []
        nodes = try (0..<(SharedDatabase.ofTests?.nodes ?? 1)).map { _ in
            try RunningDaemon(command + database, environment: environment, folder: data.path)
        }
    }

    /// The port of the first node. Signals, the log and the process id refer to this node, too.
    public var port: Int { nodes[0].port }

    private var process: ChildProcess { nodes[0].process }

    private var next: RunningDaemon {
        nodes[turn.wrappingAdd(1, ordering: .relaxed).oldValue % nodes.count]
    }

    /// Whether Scripts/sanitize runs the tests: a sanitizer adds its own memory and system calls to the program's.
    public static var isSanitized: Bool {
        let variables = ProcessInfo.processInfo.environment
        return variables["ASAN_OPTIONS"] != nil || variables["TSAN_OPTIONS"] != nil
    }

    /// The peak of the resident memory in bytes (proc(5), VmHWM); nil under a sanitizer, which keeps freed memory.
    public func peakMemory() throws -> Int? {
        guard !Self.isSanitized else { return nil }
        let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { throw Failure("no VmHWM of \(process.pid)") }
        return kilobytes * 1024
    }

    /// The text that the daemon wrote to standard error.
    public var logText: String { nodes.map(\.logText).joined() }

    /// The number of times that the daemon has reloaded its settings and folders. It logs each reload when every worker
    /// has the result.
    public var reloads: Int { logText.split(separator: "\n").count { $0.hasSuffix("] reloaded") } }

    public var pid: pid_t { process.pid }

    public func signal(_ number: Int32) { for node in nodes { node.process.signal(number) } }

    /// Waits for the exit after a signal, and returns the exit status, or the negative number of the signal.
    public func wait() throws -> Int32 { try nodes.map { try $0.process.wait() }[0] }

    /// Ends the daemon with SIGKILL, like a crash.
    public func kill() throws {
        signal(SIGKILL)
        _ = try wait()
    }

    /// The text on standard output after the line with the address. Call this once the daemon has ended.
    public func furtherOutput() -> String? { nodes[0].output.readLine() }

    public func connect() throws -> HTTPConnection { try HTTPConnection(port: next.port) }

    /// Sends one request on a new connection.
    public func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> HTTPResponse {
        var answer = try next.send(method, target, headers: headers, body: body)
        guard nodes.count > 1 else { return answer }
        // On a busy machine a node may be behind the others; clients then retry.
        _ = try eventually {
            guard answer.isOfNodeBehind else { return true }
            answer = try next.send(method, target, headers: headers, body: body)
            return !answer.isOfNodeBehind
        }
        if method != "GET", answer.status < 300 { try catchUp(headers) }
        return answer
    }

    /// Brings every node up to date with the owner's change: an owner's request makes a node load it. Otherwise that
    /// would take up to a second.
    private func catchUp(_ headers: [String: String]) throws {
        for node in nodes {
            _ = try eventually { try !node.send("GET", "/v1/apps", headers: headers, body: nil).isOfNodeBehind }
        }
    }

    public func get(_ target: String, headers: [String: String] = [:]) throws -> HTTPResponse {
        try send("GET", target, headers: headers)
    }

    public func send(
        _ method: String, _ target: String, json: JSONValue, headers: [String: String] = [:]
    ) throws -> HTTPResponse {
        let type = ["Content-Type": "application/json"]
        return try send(method, target, headers: type.merging(headers) { $1 }, body: json.encoded)
    }

    public func post(_ target: String, _ json: JSONValue, headers: [String: String] = [:]) throws -> HTTPResponse {
        try send("POST", target, json: json, headers: headers)
    }

    public func put(_ target: String, _ json: JSONValue, headers: [String: String] = [:]) throws -> HTTPResponse {
        try send("PUT", target, json: json, headers: headers)
    }
}
