/// Polls, asked anew, against ever more live messages, where these stand: in front of the eligible one, all of them
/// closed to these clients: by an attribute, by an event that they had too seldom, by one that they never had; behind
/// it, which no poll needs to look at; and on other surfaces than the one that is asked for.
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
