public import BellwetherJSON
public import Foundation
internal import Synchronization

/// The real program, serving on a port of its own from a data directory of its own. It goes with the value.
///
/// Where `Scripts/test-nodes` runs the tests it is several programs over one database, which are asked in turn: so what
/// holds of one daemon is tried of many.
public final class Daemon: Sendable {
    public let data: TemporaryDirectory
    private let nodes: [RunningDaemon]
    private let turn = Atomic<Int>(0)

    /// `arguments` come after `serve --port 0 --data …`. A data directory that served before is served on. `openFiles`
    /// bounds them as `ulimit -n` does.
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

    /// The port of the first node, whose signals, log and process numbers are used, too.
    public var port: Int { nodes[0].port }

    private var process: ChildProcess { nodes[0].process }

    private var next: RunningDaemon {
        nodes[turn.wrappingAdd(1, ordering: .relaxed).oldValue % nodes.count]
    }

    /// Whether Scripts/sanitize runs the tests: the program then does things of its own.
    public static var isSanitized: Bool {
        let variables = ProcessInfo.processInfo.environment
        return variables["ASAN_OPTIONS"] != nil || variables["TSAN_OPTIONS"] != nil
    }

    /// The most memory that it ever had, in bytes (proc(5), VmHWM); nil under a sanitizer, which keeps what is freed.
    public func peakMemory() throws -> Int? {
        guard !Self.isSanitized else { return nil }
        let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { throw Failure("no VmHWM of \(process.pid)") }
        return kilobytes * 1024
    }

    /// The text that it wrote to standard error.
    public var logText: String { nodes.map(\.logText).joined() }

    /// How often it has read its settings and folders anew: the log says so each time, when every worker has them.
    public var reloads: Int { logText.split(separator: "\n").count { $0.hasSuffix("] reloaded") } }

    public var pid: pid_t { process.pid }

    public func signal(_ number: Int32) { for node in nodes { node.process.signal(number) } }

    /// Waits for the end that a signal has begun; its exit status, or the negative number of the signal.
    public func wait() throws -> Int32 { try nodes.map { try $0.process.wait() }[0] }

    /// Ends it at once, as a crash or the kernel would.
    public func kill() throws {
        signal(SIGKILL)
        _ = try wait()
    }

    /// The text on standard output beside the line with its address; once it has ended.
    public func furtherOutput() -> String? { nodes[0].output.readLine(seconds: 10) }

    public func connect() throws -> HTTPConnection { try HTTPConnection(port: next.port) }

    /// One request on a connection of its own.
    public func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> HTTPResponse {
        var answer = try next.send(method, target, headers: headers, body: body)
        guard nodes.count > 1 else { return answer }
        // On a busy machine a node may be behind: clients ask again then.
        _ = try eventually {
            guard answer.isOfNodeBehind else { return true }
            answer = try next.send(method, target, headers: headers, body: body)
            return !answer.isOfNodeBehind
        }
        if method != "GET", answer.status < 300 { try catchUp(headers) }
        return answer
    }

    /// Every node has what an owner has changed: each loads it when an owner asks. Else it would take up to a second.
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
