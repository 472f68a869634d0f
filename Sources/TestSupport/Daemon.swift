public import BellwetherJSON
public import Foundation

/// The real program, serving on a port of its own from a data directory of its own. It goes with the value.
public final class Daemon: Sendable {
    public let port: Int
    public let data: TemporaryDirectory
    private let process: ChildProcess
    /// The log of this run of the program: a restarted one has another.
    private let log: String
    private let output: ClosingPipe

    /// `arguments` come after `serve --port 0 --data …`. A data directory that served before is served on. `openFiles`
    /// bounds them as `ulimit -n` does.
    public init(
        _ arguments: [String] = ["--dev"], data: TemporaryDirectory? = nil, environment: [String: String] = [:],
        openFiles: Int? = nil
    ) throws {
        let data = try data ?? TemporaryDirectory()
        self.data = data
        log = data.path + "/log-\(UUID().uuidString)"
        output = try ClosingPipe()
        var streams = ChildProcess.Streams()
        streams.output = .descriptor(output.writing)
        streams.errors = log
        let command = [BellwetherProgram.path, "serve", "--port", "0", "--data", data.path + "/data"]
        let limit = openFiles.map { ["/usr/bin/prlimit", "--nofile=\($0)"] } ?? []
        process = try ChildProcess(limit + command + arguments, environment: environment, streams: streams)
        output.closeWriting()
        let line = output.readLine(seconds: 60)
        let prefix = "listening on http://127.0.0.1:"
        guard let line, line.hasPrefix(prefix), let port = Int(line.dropFirst(prefix.count)) else {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw Failure("the daemon said \(line ?? "nothing"); its log: \(text)")
        }
        self.port = port
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
    public var logText: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// How often it has read its settings and folders anew: the log says so each time, when every worker has them.
    public var reloads: Int { logText.split(separator: "\n").count { $0.hasSuffix("] reloaded") } }

    public var pid: pid_t { process.pid }

    public func signal(_ number: Int32) { process.signal(number) }

    /// Waits for the end that a signal has begun; its exit status, or the negative number of the signal.
    public func wait() throws -> Int32 { try process.wait() }

    /// Ends it at once, as a crash or the kernel would.
    public func kill() throws {
        process.signal(SIGKILL)
        _ = try process.wait()
    }

    /// The text on standard output beside the line with its address; once it has ended.
    public func furtherOutput() -> String? { output.readLine(seconds: 10) }

    public func connect() throws -> HTTPConnection { try HTTPConnection(port: port) }

    /// One request on a connection of its own.
    public func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> HTTPResponse {
        let connection = try connect()
        try connection.send(method, target, headers: headers, body: body)
        return try connection.receive(isHead: method == "HEAD")
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
