/// Good clients beside bad company: polls at the constant rate of ``ConstantRate``, with the daemon's memory before and
/// after. The quiet rate is the one that it is held against.
enum HostileRows {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        HostileCompany.allCases.map { HostileRow($0, bench.saturation) }
    }
}

private final class HostileRow: Benchmark {
    let name: String
    private let company: HostileCompany
    private let saturation: Saturation
    private var note = ""

    init(_ company: HostileCompany, _ saturation: Saturation) {
        name = "polls asked anew, half rate, beside \(company.name)"
        self.company = company
        self.saturation = saturation
    }

    let comparisons = [Comparison(base: ConstantRate.quiet, figure: \.p99, limit: .atMost(3))]
    var unit: String? { "MB resident\(note)" }

    func prepare() throws {}

    func sample(round: Int) throws -> Sample? {
        let bench = saturation.bench
        let server = try LoadedServer.server(bench)
        try bench.takeLoadCore()
        let rate = try saturation.rate(round: round) / 2
        let polls = try saturation.polls(.rate(rate))
        let before = try Presence(server)
        let hostility = try company.make(port: server.port)
        let (_, seconds) = try saturation.run([polls], against: hostility)
        let after = try withExtendedLifetime(hostility) { try Presence(server) }
        note = """
             (from \(before.resident.figure(places: 0))), \(after.open) open, \(after.accepted - before.accepted) came, \
            \(polls.failed) failed
            """
        return Sample(rate: Double(polls.answered) / seconds, p99: polls.p99, quantity: after.resident)
    }

    /// Who is there, by the daemon's own count, and how large it is.
    private struct Presence {
        let resident: Double
        let open: Int
        let accepted: Int

        init(_ server: BellwetherServer) throws {
            resident = try ProcessUsage.resident(of: server.pid)
            let metrics = try LoopbackClient(port: server.port).get("/metrics").text
            let value = { (name: String) in
                metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") }
                    .flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
            }
            open = value("bellwether_connections")
            accepted = value("bellwether_connections_accepted_total")
        }
    }
}
