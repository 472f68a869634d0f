/// A row that is measured by loading a server: requests a second, p99, and the server's processor time for one request.
final class LoadBenchmark: Benchmark {
    let name: String
    let comparisons: [Comparison]
    private let bench: Workbench
    private let status: Int
    private let rowsPerRequest: Double?
    private let setUp: () throws -> (any RunningServer, Load)
    private var target: (server: any RunningServer, load: Load)?
    private var bytesPerRequest = 0.0

    /// - Parameters:
    /// - status: the required status of every response.
    /// - setUp: starts the server, fills it with data and returns it with its load.
    init(
        _ name: String, on bench: Workbench, expecting status: Int, rowsPerRequest: Double? = nil,
        comparedWith comparisons: [Comparison] = [], setUp: @escaping () throws -> (any RunningServer, Load)
    ) {
        self.name = name
        self.comparisons = comparisons
        self.bench = bench
        self.status = status
        self.rowsPerRequest = rowsPerRequest
        self.setUp = setUp
    }

    /// Runs the same load for one second and counts each response's status. This warms the server up and checks what is
    /// measured.
    func prepare() throws {
        let (server, load) = try setUp()
        let run = try WrkLoad(load, port: server.port, seconds: 1, counting: true, bench: bench)
        guard Array(run.statuses.keys) == [status] else {
            throw Failure("\(name): every answer should be \(status), they were \(run.statuses)")
        }
        bytesPerRequest = run.bytesPerRequest
        target = (server, load)
    }

    func sample(round: Int) throws -> Sample? {
        guard let (server, load) = target else { return nil }
        let before = try ProcessUsage.cpu(of: server.pid)
        let run = try WrkLoad(load, port: server.port, seconds: bench.seconds, counting: false, bench: bench)
        let used = try ProcessUsage.cpu(of: server.pid) - before
        // The statuses are not counted here, but they show in the size: a 304 instead of a 200 differs far from the
        // counted run's mean.
        guard abs(run.bytesPerRequest / bytesPerRequest - 1) < 0.2 else {
            throw Failure("\(name): \(bytesPerRequest) bytes an answer became \(run.bytesPerRequest)")
        }
        return Sample(
            cpu: used / run.requests, rate: run.rate, p99: run.p99, rows: rowsPerRequest.map { $0 * run.rate })
    }
}
