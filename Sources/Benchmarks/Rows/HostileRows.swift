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
        let rate = try saturation.rate() / 2
        let before = try ProcessUsage.resident(of: server.pid)
        let polls = try saturation.polls(.rate(rate))
        let hostility = try company.make(port: server.port)
        _ = try saturation.run([polls], against: hostility)
        let after = try ProcessUsage.resident(of: server.pid)
        note = " (from \(before.figure(places: 1))), \(polls.failed) failed"
        return withExtendedLifetime(hostility) {
            Sample(rate: Double(polls.answered) / Double(bench.seconds), p99: polls.p99, quantity: after)
        }
    }
}
