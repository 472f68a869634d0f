/// The daemon's cost for one poll, measured by polling as fast as it responds.
struct PollProbe {
    struct Point {
        /// Processor time of the daemon, in microseconds; the median of the rounds.
        let cpu: Double
        /// Resident memory before and after the polls, in megabytes.
        let resident: (before: Double, after: Double)
    }

    private let bench: Workbench
    private let rounds: Int

    init(_ bench: Workbench, rounds: Int) {
        self.bench = bench
        self.rounds = rounds
    }

    func point(_ server: BellwetherServer, _ clients: Population, offering key: String) throws -> Point {
        let answer = try LoopbackClient(port: server.port).get(clients.path(0))
        guard answer.status == 200, answer.text.contains(#""key":"\#(key)""#) else {
            throw Failure("\(key) should be offered: \(answer.status) \(answer.text.prefix(500))")
        }
        let before = try ProcessUsage.resident(of: server.pid)
        let costs = try (0..<rounds).map { _ in try cost(server, clients) }.sorted()
        let after = try ProcessUsage.resident(of: server.pid)
        return Point(cpu: costs.median ?? 0, resident: (before, after))
    }

    private func cost(_ server: BellwetherServer, _ clients: Population) throws -> Double {
        let polls = try PollSource(clients).stream("polls", .closed, connections: bench.connections)
        return try LoadGenerator.sample(of: polls, on: server, seconds: bench.seconds, bench).cpu ?? 0
    }
}

/// A table in Markdown, as in the documentation.
struct MarkdownTable {
    private var rows: [[String]]

    init(_ titles: [String]) { rows = [titles, titles.map { _ in "---:" }] }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    var text: String { rows.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n") }
}

extension Int {
    /// The number in decimal, with a comma before each group of three digits, the same in every locale.
    var grouped: String {
        self < 1_000 ? "\(self)" : (self / 1_000).grouped + "," + "\(self % 1_000 + 1_000)".dropFirst()
    }
}
