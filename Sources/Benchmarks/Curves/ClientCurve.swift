/// Polls that the daemon has to decide, with 100 live messages and a growing number of clients. Each client is known to
/// the daemon by one event.
struct ClientCurve {
    private let probe: PollProbe
    private let bench: Workbench

    init(_ bench: Workbench, rounds: Int) {
        self.bench = bench
        probe = PollProbe(bench, rounds: rounds)
    }

    func table(upTo most: Int) throws -> String {
        let folder = "\(bench.directory)/clients"
        try SampleApp(recipes: 100).write(to: folder, from: bench.app)
        let server = try BellwetherServer(on: folder, bench: bench)
        defer { server.stop() }
        var table = MarkdownTable(["known clients", "µs", "×", "resident MB", "after the polls"])
        var first: Double?
        var known = 0
        for count in [1_000, 10_000, 100_000, 1_000_000] where count <= most {
            Progress.report("\(count) clients")
            let clients = Population(size: count)
            try clients.introduce(to: server.port, from: known)
            known = count
            let point = try probe.point(server, clients, offering: SampleApp.eligibleKey)
            if first == nil { first = point.cpu }
            let ratio = point.cpu / (first ?? point.cpu)
            table.add([
                count.grouped, point.cpu.figure(places: 2), ratio.figure(places: 2),
                point.resident.before.figure(places: 0), point.resident.after.figure(places: 0),
            ])
        }
        return table.text
    }
}
