import BellwetherBase
import BellwetherService
import Foundation

/// The command `bellwether export --format parquet` over a log of a million records, which a daemon has open: how long
/// it takes, the most memory that it has, and what repeated polls of another daemon lose on the same processor.
enum ExportSpeed {
    private static let records = 1_000_000
    private static let perRequest = 100

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            QuantityRow("export of 1,000,000 records as Parquet", unit: "s", limit: .atMost(10, aim: 6)) { _ in
                try run(bench).seconds
            },
            QuantityRow(
                "memory of an export of 1,000,000 records", unit: "MB", limit: .atMost(128, aim: 64),
                isMeasuredOnce: true
            ) { _ in try run(bench).megabytes },
        ]
    }

    private static func run(_ bench: Workbench) throws -> (seconds: Double, megabytes: Double) {
        let begin = DispatchTime.now().uptimeNanoseconds
        let export = try start(bench)
        var peak = 0.0
        // The memory of a process that has ended cannot be read.
        while let megabytes = try? ProcessUsage.peak(of: export.pid) {
            peak = megabytes
            usleep(2_000)
        }
        _ = try export.finish(within: 60)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        let size = try FileManager.default.attributesOfItem(atPath: file(bench))[.size] as? Int ?? 0
        guard size > 1_000_000 else { throw Failure("the export has \(size) bytes") }
        return (seconds, peak)
    }

    /// Starts an export on the processor of the servers.
    static func start(_ bench: Workbench) throws -> Child {
        let folder = try filled(bench)
        let now = Timestamp(seconds: Int64(Date.now.timeIntervalSince1970))
        return try Child(
            [
                bench.program, "export", "--data", "\(folder)/data", "--app", SampleApp.name, "--format", "parquet",
                "--from", now.adding(seconds: -Timestamp.secondsPerDay).day, "--to", now.day, "--output", file(bench),
            ], core: bench.serverCore, log: "\(folder)/export")
    }

    private static func file(_ bench: Workbench) -> String { "\(bench.directory)/export/events.parquet" }

    /// The folder of a daemon that has a million records of telemetry.
    private static func filled(_ bench: Workbench) throws -> String {
        let folder = "\(bench.directory)/export"
        _ = try bench.server("export") {
            try SampleApp(recipes: 10).write(to: folder, from: bench.app)
            let server = try BellwetherServer(on: folder, settings: ["TELEMETRY_BEHAVIOR": "true"], bench: bench)
            let connections = try (0..<16).map { _ in try LoopbackClient(port: server.port) }
            let requests = Load.events(perRequest, clients: 100_000).writer()
            for start in stride(from: 0, to: records / perRequest, by: connections.count) {
                try Interruption.check()
                for (place, connection) in connections.enumerated() {
                    var request: [UInt8] = []
                    requests(start + place, &request)
                    try connection.send(request)
                }
                for connection in connections {
                    let answer = try connection.answer()
                    guard answer.status == 200, answer.text.contains(#""accepted":\#(perRequest)"#) else {
                        throw Failure("events: \(answer.status) \(answer.text.prefix(500))")
                    }
                }
            }
            return server
        }
        return folder
    }
}
