/// Polls that the daemon has to decide, with a growing number of live messages. The messages stand in front of the
/// eligible one, and are not eligible because of an attribute, a count of events or a missing event; or behind it,
/// where no poll has to read them; or on other surfaces.
struct MessageCurve {
    private static let clients = Population(size: 10_000)
    private let probe: PollProbe
    private let bench: Workbench

    init(_ bench: Workbench, rounds: Int) {
        self.bench = bench
        probe = PollProbe(bench, rounds: rounds)
    }

    func table(upTo most: Int) throws -> String {
        var table = MarkdownTable(
            ["live messages"] + CurveApp.Placement.allCases.flatMap { ["\($0.title), µs", "×"] } + [
                "resident MB", "after the polls",
            ])
        var first: [Double] = []
        for count in [10, 100, 1_000, 10_000] where count <= most {
            var cells: [String] = []
            var resident = (before: 0.0, after: 0.0)
            for (column, placement) in CurveApp.Placement.allCases.enumerated() {
                let point = try measure(count, placement)
                if first.count == column { first.append(point.cpu) }
                cells += [point.cpu.figure(places: 2), (point.cpu / first[column]).figure(places: 2)]
                resident = (
                    max(resident.before, point.resident.before), max(resident.after, point.resident.after)
                )
            }
            table.add([count.grouped] + cells + [resident.before, resident.after].map { $0.figure(places: 0) })
        }
        return table.text
    }

    private func measure(_ count: Int, _ placement: CurveApp.Placement) throws -> PollProbe.Point {
        Progress.report("\(count) messages, \(placement.title)")
        let folder = "\(bench.directory)/messages-\(count)-\(placement)"
        try CurveApp(messages: count, placement: placement).write(to: folder, from: bench.app)
        let server = try BellwetherServer(on: folder, bench: bench)
        defer { server.stop() }
        try Self.clients.introduce(to: server.port)
        return try probe.point(server, Self.clients, offering: CurveApp.eligible(of: count, placement))
    }
}
