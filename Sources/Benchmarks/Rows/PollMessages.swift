/// Polls of 100,000 known clients with caps, and 100 live messages of which the one at index 50 is eligible. A repeated
/// request is answered from memory; a new one has to be decided.
enum PollMessages {
    /// A fifth of the messages belong to experiments.
    static let again = "poll 200, asked again"
    static let anew = "poll 200, asked anew"
    /// The same polls without experiments.
    static let plain = "poll 200, asked anew, no experiments"
    /// Polls by clients whose context differs from their last poll: their enrollments are evaluated again.
    static let elsewhere = "poll 200, another context"
    /// The polls without experiments, where triggers read 50 segments, and one of these a list of 1,000,000 ids.
    static let inSegments = "poll 200, asked anew, 50 segments and a list"
    /// The repeated polls, while 10,000 clients have a stream.
    static let besideStreams = "poll 200, asked again, beside 10,000 streams"
    /// The repeated polls, while `bellwether export` writes a million records on the same processor.
    static let besideExport = "poll 200, asked again, beside an export"
    /// The repeated polls, each with a `traceparent` of its own.
    static let traced = "poll 200, asked again, with traceparent"
    static let clients = Population(size: 100_000)

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            row(again, bench, limit: .atMost(0.75, aim: 0.65), server: mixed("again")) {
                .replay((0..<clients.size).map { clients.path($0) })
            },
            row(anew, bench, server: mixed("anew")) {
                .replayAnew(clients.respelledPaths)
            },
            row(plain, bench, server: plainServer(named: "plain", of: .messages)) {
                .replayAnew(clients.respelledPaths)
            },
            row(elsewhere, bench, limit: nil, server: mixed("elsewhere")) {
                .replayAnew(clients.pathsOnOtherDays)
            },
            row(
                inSegments, bench, comparison: Comparison(base: plain, figure: \.cpu, limit: .atMost(1.1)),
                server: plainServer(named: "segments", of: .segments)
            ) {
                .replayAnew(clients.respelledPaths)
            },
            row(
                besideStreams, bench, comparison: Comparison(base: again, figure: \.rate, limit: .atLeast(0.95)),
                server: streaming
            ) {
                .replay((0..<clients.size).map { clients.path($0) })
            },
            row(
                besideExport, bench, comparison: Comparison(base: again, figure: \.rate, limit: .atLeast(0.9)),
                beside: exporting(bench), server: mixed("again")
            ) {
                .replay((0..<clients.size).map { clients.path($0) })
            },
            row(
                traced, bench, comparison: Comparison(base: again, figure: \.cpu, limit: .atMost(1.1)),
                server: mixed("again")
            ) {
                .replay((0..<clients.size).map { HTTPText.get(clients.path($0), traceparent: traceparent($0)) })
            },
        ]
    }

    private static func exporting(_ bench: Workbench) -> () throws -> Child {
        { try ExportSpeed.start(bench) }
    }

    private static func traceparent(_ number: Int) -> String {
        let id = String(number + 1, radix: 16)
        return "00-\(String(repeating: "0", count: 32 - id.utf8.count))\(id)-00f067aa0ba902b7-01"
    }

    private static func row(
        _ name: String, _ bench: Workbench, limit: Limit? = .atMost(1.8), comparison: Comparison? = nil,
        beside: (() throws -> Child)? = nil,
        server: @escaping (Workbench) throws -> BellwetherServer,
        load: @escaping () -> Load
    ) -> any Benchmark {
        let comparison = comparison ?? Comparison(base: EvhttpBare.found, figure: \.cpu, limit: limit)
        return LoadBenchmark(name, on: bench, expecting: 200, comparedWith: [comparison], beside: beside) {
            let server = try server(bench)
            let answer = try LoopbackClient(port: server.port).get(clients.path(0))
            let eligible = #""key":"\#(SampleApp.eligibleKey)""#
            guard answer.status == 200, answer.text.contains(eligible), answer.text.contains(#""display_count":1"#)
            else {
                throw Failure("the message at place \(SampleApp.eligibleIndex) should be offered: \(answer.text)")
            }
            return (server, load())
        }
    }

    /// A daemon for one kind of poll, because the row measures what the daemon caches for that kind. The first poll of
    /// a client enrolls it, and the second one finds its enrollments up to date.
    static func server(
        _ bench: Workbench, for polls: String, settings: [String: String] = [:]
    ) throws -> BellwetherServer {
        try bench.server(polls) {
            let server = try BellwetherServer(
                named: polls, recipes: 100, of: .mixed, settings: settings, bench: bench)
            try clients.introduce(to: server.port, displaying: SampleApp.eligibleKey)
            for _ in 0..<3 { try clients.poll(server.port) }
            return server
        }
    }

    private static func mixed(_ polls: String) -> (Workbench) throws -> BellwetherServer {
        { bench in try server(bench, for: polls) }
    }

    /// The connections with a stream, which stay open until the end of the run.
    nonisolated(unsafe) private static var streams: [LoopbackClient] = []

    private static func streaming(_ bench: Workbench) throws -> BellwetherServer {
        let server = try server(bench, for: "streaming", settings: ["LIMITS_CONNECTIONS": "11000"])
        while streams.count < 10_000 {
            let connection = try LoopbackClient(port: server.port)
            let answer = try connection.get(Population.streamPath(streams.count))
            guard answer.status == 200 else { throw Failure("stream: \(answer.status) \(answer.text)") }
            streams.append(connection)
        }
        return server
    }

    private static func plainServer(
        named name: String, of kind: SampleRecipe.Kind
    ) -> (Workbench) throws -> BellwetherServer {
        { bench in try plainServer(bench, named: name, of: kind) }
    }

    static func plainServer(
        _ bench: Workbench, named name: String = "plain", of kind: SampleRecipe.Kind = .messages
    ) throws -> BellwetherServer {
        try bench.server(name) {
            let server = try BellwetherServer(named: name, recipes: 100, of: kind, bench: bench)
            if case .segments = kind {
                let ids = ListSpeed.lines(1_000_000) { clients.id($0) }
                try LoopbackClient(port: server.port).put(list: SampleApp.list, ids)
            }
            try clients.introduce(to: server.port, displaying: SampleApp.eligibleKey)
            return server
        }
    }
}
