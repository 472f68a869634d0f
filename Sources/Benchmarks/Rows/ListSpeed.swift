import Dispatch

/// A list of 5,000,000 ids: the time until the response to its upload, and the growth of the daemon's largest memory.
enum ListSpeed {
    private static let count = 5_000_000

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let name = "PUT of a list of 5,000,000 ids"
        return [
            QuantityRow(name, unit: "s", limit: .atMost(30), isMeasuredOnce: true) { _ in
                try measure("list-time", bench) { _ in Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
            },
            QuantityRow("memory of a \(name)", unit: "MB", limit: .atMost(100), isMeasuredOnce: true) { _ in
                try measure("list-memory", bench) { try ProcessUsage.peak(of: $0.pid) }
            },
        ]
    }

    /// By how much a figure grows while a list is uploaded.
    private static func measure(
        _ name: String, _ bench: Workbench, _ figure: (BellwetherServer) throws -> Double
    ) throws -> Double {
        let server = try bench.server(name) { try BellwetherServer(named: name, recipes: 0, bench: bench) }
        defer { bench.stop(name) }
        let client = try LoopbackClient(port: server.port)
        let body = lines(count) { "customer-\($0)" }
        let before = try figure(server)
        try client.put(list: "customers", body)
        return try figure(server) - before
    }

    static func lines(_ count: Int, id: (_ number: Int) -> String) -> [UInt8] {
        var body: [UInt8] = []
        for number in 0..<count {
            body += id(number).utf8
            body.append(10)
        }
        return body
    }
}
