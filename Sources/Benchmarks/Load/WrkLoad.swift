import Foundation

/// One run of wrk with a script of this project, and its report.
struct WrkLoad {
    let requests: Double
    let seconds: Double
    /// All bytes received for one request, including the head.
    let bytesPerRequest: Double
    /// The 99th percentile of the latency, in milliseconds.
    let p99: Double
    /// The number of responses by status, if they were counted.
    let statuses: [Int: Int]

    var rate: Double { requests / seconds }

    /// Runs a script. Throws on socket errors, on any status from 400 on, and if there was no response.
    init(_ load: Load, port: Int, seconds: Int, counting: Bool, bench: Workbench) throws {
        let environment = ["env", "BENCH_SCRIPTS=\(bench.scripts)"] + (counting ? ["BENCH_COUNT=1"] : [])
        let command =
            environment + [
                "wrk", "-t1", "-c\(bench.connections)", "-d\(seconds)s", "--timeout", "5s",
                "-s", "\(bench.scripts)/\(load.script)", "http://127.0.0.1:\(port)", "--",
            ]
        let child = try Child(command + load.arguments(), core: bench.loadCore, log: "\(bench.directory)/wrk")
        let text = try child.finish(within: Double(seconds) + 30)
        guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix("bench ") }) else {
            throw Failure("wrk printed no report: \(text)\(child.complaint)")
        }
        var values: [String: Int] = [:]
        for field in line.split(separator: " ").dropFirst() {
            let parts = field.split(separator: "=")
            guard parts.count == 2, let value = Int(parts[1]) else { continue }
            values[String(parts[0])] = value
        }
        let requests = values["requests", default: 0]
        guard requests > 0, values["socket_errors"] == 0, values["error_statuses"] == 0 else {
            throw Failure("\(load.script): \(line)")
        }
        self.requests = Double(requests)
        self.seconds = Double(values["microseconds", default: 0]) / 1_000_000
        bytesPerRequest = Double(values["bytes", default: 0]) / Double(requests)
        p99 = Double(values["p99", default: 0]) / 1_000
        statuses = Dictionary(
            uniqueKeysWithValues: values.compactMap { name, count in
                name.hasPrefix("status_") ? Int(name.dropFirst(7)).map { ($0, count) } : nil
            })
    }
}

/// The load that wrk sends: a script of the folder `Bench` and its arguments. The arguments are made for each run, so
/// that ids are new.
struct Load {
    let script: String
    let arguments: () -> [String]
}
