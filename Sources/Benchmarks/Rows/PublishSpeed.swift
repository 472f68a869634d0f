import Foundation

/// The time from the PUT of a recipe until a poll on every worker has returned it, with 1,000 live recipes.
///
/// 64 connections are spread over four workers by the kernel (a worker without a connection happens once in some 25
/// million runs). One connection after the other polls until its response has the new message. The response to the PUT
/// arrives in between.
enum PublishSpeed {
    private static let workers = 4

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let publishes = Publishes(bench, recipes: 1_000, workers: workers)
        let name = "publish seen on \(workers) workers, 1,000 recipes"
        let limit = Limit.atMost(100, aim: 20)
        return [
            PublishRow("\(name), median", limit: limit) { publishes.times(of: $0).median },
            PublishRow("\(name), max of \(Publishes.count)", limit: limit) { publishes.times(of: $0).last },
        ].map { row in
            row.measure = { try publishes.run($0) }
            return row
        }
    }
}

private final class PublishRow: Benchmark {
    let name: String
    let unit: String? = "ms"
    let limit: Limit?
    var measure: (Int) throws -> Void = { _ in }
    private let figure: (Int) -> Double?

    init(_ name: String, limit: Limit, figure: @escaping (Int) -> Double?) {
        self.name = name
        self.limit = limit
        self.figure = figure
    }

    func prepare() throws {}

    func sample(round: Int) throws -> Sample? {
        try measure(round)
        return Sample(quantity: figure(round))
    }
}

/// The publishes of each round, done by the first of the rows that share them.
private final class Publishes {
    static let count = 20
    private static let patience: Int64 = 30_000_000_000
    private let bench: Workbench
    private let recipes: Int
    private let workers: Int
    private var times: [Int: [Double]] = [:]
    private var connections: [LoopbackClient] = []

    init(_ bench: Workbench, recipes: Int, workers: Int) {
        self.bench = bench
        self.recipes = recipes
        self.workers = workers
    }

    /// The times of a round in milliseconds, ascending.
    func times(of round: Int) -> [Double] { times[round] ?? [] }

    func run(_ round: Int) throws {
        guard times[round] == nil else { return }
        let server = try server()
        let owner = try LoopbackClient(port: server.port)
        connections = try (0..<64).map { _ in try LoopbackClient(port: server.port) }
        times[round] = try (0..<Self.count).map { _ in try publish(owner) }.sorted()
    }

    private func server() throws -> BellwetherServer {
        try bench.server("publishes") {
            let folder = "\(bench.directory)/publishes"
            try SampleApp(recipes: recipes).write(to: folder, from: bench.app)
            return try BellwetherServer(on: folder, workers: workers, bench: bench)
        }
    }

    private func publish(_ owner: LoopbackClient) throws -> Double {
        try Interruption.check()
        let recipe = LoadedRecipe(version: LoadTag.next("v"), isFirst: true)
        let start = MonotonicClock.now
        try owner.send(recipe.put)
        for (number, connection) in connections.enumerated() {
            while try !hasSeen(recipe, on: connection, number) {
                guard MonotonicClock.now - start < Self.patience else {
                    throw Failure("a publish is not seen after 30 s")
                }
                // A loop without pauses would occupy the processor that the publish needs.
                usleep(500)
            }
        }
        let end = MonotonicClock.now
        let answer = try owner.answer()
        guard [200, 201].contains(answer.status) else { throw Failure("publish: \(answer.status) \(answer.text)") }
        return Double(end - start) / 1_000_000
    }

    private func hasSeen(_ recipe: LoadedRecipe, on connection: LoopbackClient, _ number: Int) throws -> Bool {
        let answer = try connection.get(Population(size: 64).path(number))
        guard answer.status == 200 else { throw Failure("poll: \(answer.status) \(answer.text.prefix(500))") }
        return answer.text.contains("Version \(recipe.version)\"")
    }
}
