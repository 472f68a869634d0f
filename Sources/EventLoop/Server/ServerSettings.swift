/// The address on which a server listens, and its limits.
public struct ServerSettings: Sendable, Hashable {
    /// An address, or a name that resolves to one.
    public var host = "127.0.0.1"
    /// The port. With 0 the system chooses a free port, the same for all workers.
    public var port = 0
    /// The number of threads. Each has its own loop, listener and connections.
    public var workers = 1
    /// The number of connections that the kernel keeps for a worker which has not accepted them yet.
    public var backlog = 1024
    public var limits = Limits()

    public init() {}

    public init(host: String, port: Int, workers: Int, limits: Limits = Limits()) {
        self.host = host
        self.port = port
        self.workers = workers
        self.limits = limits
    }
}
