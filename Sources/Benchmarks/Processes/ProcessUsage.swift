import Foundation

/// The processor time and memory that a process has used, from proc(5).
enum ProcessUsage {
    /// Processor time of all its threads so far, user and system, in microseconds. The kernel counts in ticks of 10 ms.
    static func cpu(of pid: pid_t) throws -> Double {
        let text = try read("/proc/\(pid)/stat")
        // The second field is the program's name in parentheses, which may contain any character; the fields are
        // counted from behind it.
        guard let end = text.lastIndex(of: ")") else { throw Failure("/proc/\(pid)/stat reads \(text)") }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw Failure("/proc/\(pid)/stat reads \(text)")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK))) * 1_000_000
    }

    /// Resident memory, in megabytes of 1,000,000 bytes.
    static func resident(of pid: pid_t) throws -> Double { try memory("VmRSS", of: pid) }

    /// The most resident memory that the process has had, in megabytes.
    static func peak(of pid: pid_t) throws -> Double { try memory("VmHWM", of: pid) }

    private static func memory(_ name: String, of pid: pid_t) throws -> Double {
        let text = try read("/proc/\(pid)/status")
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Double($0)
            })
        else { throw Failure("/proc/\(pid)/status has no \(name)") }
        return kibibytes * 1_024 / 1_000_000
    }

    private static func read(_ path: String) throws -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Failure("\(path) cannot be read: has the process ended?")
        }
        return text
    }
}
