import Foundation
import TestSupport

/// The number of system calls of each kind, counted by strace in that thread of a running daemon that made the most of
/// them: the worker that answers.
struct SystemCalls {
    private let counts: [String: Int]

    subscript(kind: String) -> Int { counts[kind] ?? 0 }

    var total: Int { counts.values.reduce(0, +) }

    /// The kinds, the most frequent first.
    var description: String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
            .joined(separator: ", ")
    }

    /// Counts from the time at which strace has attached until the work is done.
    init(of daemon: Daemon, while work: () throws -> Void) throws {
        let trace = try Trace(of: daemon.pid)
        try work()
        counts = try trace.end()
    }

    /// The reason why system calls cannot be counted here; nil if they can. It is tried once, on an idle process.
    static let obstacle: String? = {
        if Daemon.isSanitized { return "a sanitizer makes system calls of its own" }
        do {
            let idle = try RunningCommand(["sleep", "600"])
            let trace = try Trace(of: idle.pid)
            _ = try trace.end()
            return nil
        } catch { return "\(error)" }
    }()
}

/// A strace that is attached to all present and future threads of a process.
private struct Trace {
    private let strace: RunningCommand
    private let folder: TemporaryDirectory

    init(of pid: pid_t) throws {
        folder = try TemporaryDirectory()
        strace = try RunningCommand(["strace", "-ff", "-o", folder.path + "/thread", "-p", "\(pid)"])
        let command = strace
        try waitUntil("strace is attached") {
            guard !command.hasEnded else {
                throw Failure(command.errors.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            return command.errors.contains("attached")
        }
    }

    /// Detaches and returns the calls of the busiest thread by their kinds. Each thread has a file with lines such as
    /// `sendto(7, "HTTP/1.1"...`.
    func end() throws -> [String: Int] {
        strace.signal(SIGINT)
        _ = try strace.wait()
        let threads = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("thread.") }
            .map { name in
                let lines = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8).split(separator: "\n")
                let kinds = lines.compactMap { $0.prefixMatch(of: #/([a-z][a-z0-9_]*)\(/#)?.output.1 }
                return Dictionary(kinds.map { (String($0), 1) }, uniquingKeysWith: +)
            }
        func total(_ counts: [String: Int]) -> Int { counts.values.reduce(0, +) }
        return threads.max { total($0) < total($1) } ?? [:]
    }
}
