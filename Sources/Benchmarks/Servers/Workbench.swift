import Foundation

/// The resources that rows share: the settings of the run, the processors, the work directory and the running servers.
final class Workbench {
    let directory: String
    let references: String
    let app: String
    let program: String
    let connections: Int
    let seconds: Int
    /// The processors of the server and of the load generator.
    let serverCore = 0
    let loadCore: Int
    let heading: String
    private var hasLoadCore = false
    private var servers: [String: any RunningServer] = [:]

    init(_ command: BenchmarkOptions) throws {
        let files = FileManager.default
        let path = { (path: String) in URL(fileURLWithPath: path).path }
        directory = path(command.work)
        references = path(command.references)
        app = path(command.app)
        program = path(command.server)
        connections = command.connections
        seconds = command.seconds
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        loadCore = cores > 1 ? 1 : 0
        heading = """
            \(command.rounds) rounds of \(seconds) s, \(connections) keep-alive connections, \(cores) processors: server on \
            \(serverCore), load on \(loadCore). Medians; ratios round by round.
            """
        try? files.removeItem(atPath: directory)
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
        Self.raiseDescriptorLimit()
    }

    /// Stops all servers and removes the work directory.
    func close() {
        for server in servers.values { server.stop() }
        servers = [:]
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// A server that several rows load. The first caller starts it.
    func server<Server: RunningServer>(_ name: String, start: () throws -> Server) throws -> Server {
        if let running = servers[name] as? Server { return running }
        let server = try start()
        servers[name] = server
        return server
    }

    /// Ends a server before the end of the run.
    func stop(_ name: String) {
        servers.removeValue(forKey: name)?.stop()
    }

    /// Binds this thread to the load generator's processor, for load that this thread sends.
    func takeLoadCore() throws {
        guard !hasLoadCore else { return }
        try take(core: loadCore)
        hasLoadCore = true
    }

    /// Binds this thread to a processor.
    func take(core: Int) throws {
        // The measuring thread is the main thread, and its id is the process id.
        let command = ["taskset", "-pc", "\(core)", "\(getpid())"]
        _ = try Child(command, core: core, log: "\(directory)/taskset").finish(within: 10)
    }

    /// The path of a reference program; nil if it is not built.
    func reference(_ name: String) -> String? {
        let path = "\(references)/\(name)"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// A running server on loopback.
protocol RunningServer: AnyObject {
    var pid: pid_t { get }
    var port: Int { get }
    func stop()
}
