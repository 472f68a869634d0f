internal import BellwetherAPI
internal import BellwetherCommands
internal import FoundationEssentials
internal import Glibc

/// The kernel's facts about this process, under the metric names that Prometheus' own clients use.
struct ProcessReading {
    private let usage: rusage
    /// The fields of `/proc/self/stat` after the program's name. The first is the state, field 3 in proc(5).
    private let fields: [Substring]

    init() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        self.usage = usage
        let text = Self.text("/proc/self/stat")
        // The name is in parentheses, and may contain any character.
        let behindName = text.lastIndex(of: ")").map { text[text.index(after: $0)...] } ?? ""
        fields = behindName.split(separator: " ")
    }

    var samples: [MetricSample] {
        var samples = [
            MetricSample(
                "bellwether_build_info", .gauge, "1; the version and the commit are labels.",
                labels: ["version": Version.text, "commit": Version.commit ?? "unknown"], value: 1),
            MetricSample(
                "process_cpu_seconds_total", .counter, "Processor time of the process, in user and system mode.",
                value: usage.ru_utime.seconds + usage.ru_stime.seconds),
        ]
        let gauges: [(String, String, Double?)] = [
            ("process_resident_memory_bytes", "Memory in use.", field(24).map { $0 * Double(getpagesize()) }),
            ("process_virtual_memory_bytes", "Addresses in use.", field(23)),
            ("process_open_fds", "Open files, sockets among them.", openFiles),
            ("process_max_fds", "Files that may be open.", fileLimit),
            ("process_start_time_seconds", "When the process began, since 1970.", startTime),
        ]
        for case (let name, let help, let value?) in gauges {
            samples.append(MetricSample(name, .gauge, help, value: value))
        }
        return samples
    }

    /// The field with a number in proc(5), where the state is field 3.
    private func field(_ number: Int) -> Double? {
        fields.indices.contains(number - 3) ? Double(fields[number - 3]) : nil
    }

    /// The start time: clock ticks after the machine's start, which is known to the second.
    private var startTime: Double? {
        let boot = Self.text("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard let boot, let start = Double(boot.dropFirst(6)), let ticks = field(22) else { return nil }
        return start + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The number of open files. Since Linux 6.2 it is the folder's size; on earlier versions the entries are counted.
    private var openFiles: Double? {
        var information = stat()
        guard stat("/proc/self/fd", &information) == 0 else { return nil }
        if information.st_size > 0 { return Double(information.st_size) }
        // One of the entries belongs to the listing itself.
        return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count - 1) }
    }

    private var fileLimit: Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
    }

    /// Reads a file to its end, because files of `/proc` have no size.
    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(decoding: FileDescriptor.readAll(descriptor), as: UTF8.self)
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
