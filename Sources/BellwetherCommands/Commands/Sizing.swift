package import ArgumentParser
internal import BellwetherJSON

/// `bellwether sizing`: what a daemon needs for a number of clients (docs/performance.md#sizes).
package struct Sizing: ParsableCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Say how many polls a second, how much memory and how much disk clients need.",
        discussion: """
            For one daemon over its data directory. Polls a second are those of the busiest moment. The figures come from \
            measurements on two virtual processors, which docs/performance.md names; they are for a plan, so measure your \
            own machine. Responses that are kept to be sent again take further memory, which docs/reliability.md bounds.
            """)

    @Option(help: "Known clients. Default: 10,000, 100,000, 1,000,000 and 10,000,000.")
    var clients: Int?

    @Option(help: "Share of the clients that have the app open at the busiest moment.")
    var open = Share(0.05)

    @Option(help: "Seconds between two polls of a client (messages.next_poll_seconds).")
    var pollSeconds = 300

    @Option(help: "Events of a client a day that are recorded in the log.")
    var events = 5

    @Option(help: "Days for which the log is kept (telemetry.retention_days).")
    var days = 90

    @Flag(help: "One JSON object for each number of clients.")
    var json = false

    package init() {}

    package func validate() throws {
        let numbers = [
            ("--clients", clients ?? 1, 1...1_000_000_000), ("--poll-seconds", pollSeconds, 1...604_800),
            ("--events", events, 0...100_000), ("--days", days, 1...3650),
        ]
        for (name, number, range) in numbers where !range.contains(number) {
            throw ValidationError("\(name) is a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
    }

    package func run() throws {
        let rows = (clients.map { [$0] } ?? [10_000, 100_000, 1_000_000, 10_000_000]).map(need)
        guard !json else {
            for row in rows { try StandardOutput.writeLine(row.json.text) }
            return
        }
        let columns = ["clients", "polls/s", "processors", "connections", "memory", "disk/day", "disk"]
        try StandardOutput.writeLine(TextTable(columns: columns, rows: rows.map(\.texts)).text)
        try StandardOutput.writeLine("")
        for figure in SizingFigure.all {
            try StandardOutput.writeLine("\(figure.text): \(figure.what) (docs/performance.md: \(figure.source))")
        }
    }

    private func need(_ clients: Int) -> SizingNeed {
        SizingNeed(
            clients: Double(clients), open: open.value, pollSeconds: Double(pollSeconds), events: Double(events),
            days: Double(days))
    }
}

/// A measured figure. docs/performance.md has each of them.
struct SizingFigure {
    let value: Double
    let unit: String
    let what: String
    /// The row or the section with the measurement.
    let source: String

    static let program = SizingFigure(
        value: 42.5, unit: "MB", what: "the program, with 100 recipes and 1,000 connections",
        source: "memory, 100 recipes, 1000 connections")
    static let connection = SizingFigure(
        value: 4096, unit: "bytes", what: "the most that an idle connection may take",
        source: "memory of an idle connection")
    static let client = SizingFigure(
        value: 230, unit: "bytes", what: "a known client in memory", source: "memory of a known client")
    static let poll = SizingFigure(
        value: 41, unit: "µs", what: "processor time of a poll that is decided, without TLS",
        source: "poll 200, asked anew")
    static let handshake = SizingFigure(
        value: 745, unit: "µs", what: "a new connection over TLS with its first request; 713 µs with a ticket",
        source: "handshake and request")
    static let storedClient = SizingFigure(
        value: 113, unit: "bytes", what: "a client on the disk, with its index", source: "Sizes")
    static let event = SizingFigure(
        value: 222, unit: "bytes", what: "an event on the disk: its id, and its record in the log", source: "Sizes")

    static let all = [program, connection, client, poll, handshake, storedClient, event]

    var text: String { (value == value.rounded() ? Figure.count(Int(value)) : "\(value)") + " " + unit }
}

/// The processors, connections, memory and disk for a number of clients.
private struct SizingNeed {
    /// Setting `limits.idle_seconds`: an idle connection is closed after this.
    private static let idleSeconds = 60.0
    /// Setting `store.cached_clients`: further clients are read from the disk.
    private static let cachedClients = 1_000_000.0
    /// The connections of `SizingFigure.program`.
    private static let includedConnections = 1000.0

    let clients: Double
    let polls: Double
    let connections: Double
    let memory: Double
    let diskPerDay: Double
    let disk: Double

    init(clients: Double, open: Double, pollSeconds: Double, events: Double, days: Double) {
        self.clients = clients
        polls = clients * open / pollSeconds
        connections = polls * min(Self.idleSeconds, pollSeconds)
        memory =
            SizingFigure.program.value * 1e6 + min(clients, Self.cachedClients) * SizingFigure.client.value
            + max(0, connections - Self.includedConnections) * SizingFigure.connection.value
        diskPerDay = clients * events * SizingFigure.event.value
        disk = clients * SizingFigure.storedClient.value + diskPerDay * days
    }

    private var processors: Double { polls * SizingFigure.poll.value / 1e6 }

    var json: JSONValue {
        [
            "clients": .integer(Int64(clients)), "polls_per_second": .number(polls),
            "processors": .number(processors), "connections": .integer(Int64(connections.rounded())),
            "memory_bytes": .integer(Int64(memory)), "disk_bytes_per_day": .integer(Int64(diskPerDay)),
            "disk_bytes": .integer(Int64(disk)),
        ]
    }

    /// The cells of the table.
    var texts: JSONValue {
        [
            "clients": .string(Figure.count(Int(clients))), "polls/s": .string(Figure.decimal(polls, places: 1)),
            "processors": .string(Figure.decimal(processors, places: 3)),
            "connections": .string(Figure.count(Int(connections.rounded()))),
            "memory": .string(Self.bytes(memory)), "disk/day": .string(Self.bytes(diskPerDay)),
            "disk": .string(Self.bytes(disk)),
        ]
    }

    /// Decimal megabytes, gigabytes or terabytes.
    private static func bytes(_ bytes: Double) -> String {
        let (unit, name) = bytes < 1e9 ? (1e6, "MB") : bytes < 1e12 ? (1e9, "GB") : (1e12, "TB")
        return Figure.decimal(bytes / unit, places: 1) + " " + name
    }
}
