/// A row that is measured by loading a server: requests a second, p99, and the server's processor time for one request.
final class LoadBenchmark: Benchmark {
    let name: String
    let comparisons: [Comparison]
    private let bench: Workbench
    private let status: Int
    private let rowsPerRequest: Double?
    private let beside: (() throws -> Child)?
    private let setUp: () throws -> (any RunningServer, Load)
    private var target: (server: any RunningServer, load: Load)?

    /// - Parameters:
    /// - status: the required status of every response.
    /// - beside: starts a process that runs beside the load for the whole time.
    /// - setUp: starts the server, fills it with data and returns it with its load.
    init(
        _ name: String, on bench: Workbench, expecting status: Int, rowsPerRequest: Double? = nil,
        comparedWith comparisons: [Comparison] = [], beside: (() throws -> Child)? = nil,
        setUp: @escaping () throws -> (any RunningServer, Load)
    ) {
        self.name = name
        self.comparisons = comparisons
        self.bench = bench
        self.status = status
        self.rowsPerRequest = rowsPerRequest
        self.beside = beside
        self.setUp = setUp
    }

    var unit: String? { "% of its processor" }

    /// Runs the same load for a second, which warms the server up.
    func prepare() throws {
        target = try setUp()
        _ = try measure(seconds: 1)
    }

    func sample(round: Int) throws -> Sample? {
        let process = try beside?()
        defer { process?.stop() }
        let sample = try measure(seconds: bench.seconds)
        if let process, process.hasEnded { throw Failure("\(name): the process beside it has ended") }
        return sample
    }

    private func measure(seconds: Int) throws -> Sample? {
        guard let (server, load) = target else { return nil }
        let requests = Stream(
            name, .closed, connections: bench.connections, expecting: [status], request: load.writer())
        var sample = try LoadGenerator.sample(of: requests, on: server, seconds: seconds, bench)
        sample.rows = rowsPerRequest.flatMap { rows in sample.rate.map { rows * $0 } }
        return sample
    }
}
