import Foundation
import TestSupport

/// The number of system calls of each kind that a running daemon made with all its threads, counted by strace.
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
    private var table: String { folder.path + "/table" }

    init(of pid: pid_t) throws {
        folder = try TemporaryDirectory()
        strace = try RunningCommand(["strace", "-c", "-f", "-o", folder.path + "/table", "-p", "\(pid)"])
        let command = strace
        try waitUntil("strace is attached") {
            guard !command.hasEnded else {
                throw Failure(command.errors.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            return command.errors.contains("attached")
        }
    }

    /// Detaches and returns the calls of each kind, from lines such as ` 40.39    0.000021           1        14
    /// read`.
    func end() throws -> [String: Int] {
        strace.signal(SIGINT)
        _ = try strace.wait()
        var counts: [String: Int] = [:]
        for line in try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 5, Double(words[0]) != nil, let name = words.last, name != "total" else { continue }
            guard let count = Int(words[3]) else { throw Failure("strace said: \(line)") }
            counts[String(name)] = count
        }
        return counts
    }
}
