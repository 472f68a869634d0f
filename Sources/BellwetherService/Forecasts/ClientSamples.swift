internal import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import Synchronization

/// For each app a bounded sample of the clients that polled in the last week: the attributes, event counters,
/// enrollments and displays of each after its newest poll, without ids. The sample is in memory, so a restart empties
/// it.
///
/// A client is in the sample if the hash of its id is at most the app's bound. At first all clients are. Each time the
/// sample has become too large, the bound is halved, and the clients above it leave. So each client has the same
/// probability, however often it polls, and the size of the sample tells how many clients poll
/// (docs/reference/http-api.md#forecasts).
public final class ClientSamples: Sendable {
    /// The maximum number of clients of one app.
    public static let capacity = 10_000
    /// The maximum bytes of all apps together. Beyond it the largest sample is halved.
    static let byteBound = 64 << 20

    private let apps = Mutex<[Identifier: AppSample]>([:])
    private let capacity: Int
    private let byteBound: Int

    public convenience init(capacity: Int = ClientSamples.capacity) {
        self.init(capacity: capacity, bytes: Self.byteBound)
    }

    init(capacity: Int, bytes: Int) { (self.capacity, byteBound) = (capacity, bytes) }

    /// The hash that decides whether a client is in the sample. It differs between processes.
    public static func hash(of client: ClientReference) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(client)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Adds a client, or replaces what the sample has of it. Returns the bound of hashes: no other client is added.
    ///
    /// - Parameter state: the client's state after the poll.
    public func offer(
        _ context: TargetingContext, _ state: ClientState, hash: UInt64, of app: Identifier, at now: Timestamp
    ) -> UInt64 {
        let client = SampledClient(context, state, at: now)
        return apps.withLock { apps in
            apps[app, default: AppSample(began: now)].removeExpired(at: now, capacity: capacity, bytes: byteBound)
            if let client { apps[app]?.add(client, hash, capacity: capacity) }
            while apps.values.reduce(0, { $0 + $1.bytes }) > byteBound,
                let largest = apps.max(by: { $0.value.bytes < $1.value.bytes })?.key
            {
                apps[largest]?.halve()
            }
            return apps[app]?.bound ?? 0
        }
    }

    /// The clients of the last week.
    public func sample(of app: Identifier, at now: Timestamp) -> ClientSample {
        apps.withLock { apps in
            apps[app]?.removeExpired(at: now, capacity: capacity, bytes: byteBound)
            return ClientSample(apps[app], at: now)
        }
    }

    /// Removes an erased client.
    public func remove(_ client: ClientReference) {
        apps.withLock { $0[client.app]?.remove(Self.hash(of: client)) }
    }

    /// Removes the samples of apps that no longer exist.
    public func keep(only names: some Collection<Identifier>) {
        let names = Set(names)
        apps.withLock { apps in apps = apps.filter { names.contains($0.key) } }
    }
}

/// The sample of one app, which changes.
struct AppSample {
    private static let secondsBetweenSweeps: Int64 = 3600

    /// The time since which every client below the bound enters.
    private(set) var began: Timestamp
    private var clients: [UInt64: SampledClient] = [:]
    private(set) var bytes = 0
    /// How often the sample was halved.
    private var halvings = 0
    private var sweptAt: Timestamp?

    init(began: Timestamp) { self.began = began }

    var all: [SampledClient] { Array(clients.values) }
    /// The largest hash of a client in the sample.
    var bound: UInt64 { .max >> UInt64(halvings) }
    var weight: Double { Double(sign: .plus, exponent: halvings, significand: 1) }

    mutating func add(_ client: SampledClient, _ hash: UInt64, capacity: Int) {
        guard hash <= bound else { return }
        bytes += client.bytes - (clients.updateValue(client, forKey: hash)?.bytes ?? 0)
        while clients.count > capacity { halve() }
    }

    mutating func remove(_ hash: UInt64) { bytes -= clients.removeValue(forKey: hash)?.bytes ?? 0 }

    mutating func halve() {
        halvings += 1
        let bound = bound
        keep { hash, _ in hash <= bound }
    }

    /// Removes the clients whose newest poll is older than a week, at most once an hour. A sample that has become much
    /// smaller than it may be begins anew with twice the bound: of the clients that enter then, those that poll rarely
    /// would be missing.
    mutating func removeExpired(at now: Timestamp, capacity: Int, bytes room: Int) {
        guard sweptAt.map({ $0.adding(seconds: Self.secondsBetweenSweeps) <= now }) ?? true else { return }
        sweptAt = now
        let start = now.adding(seconds: -Int64(ClientSample.maximumDays) * Timestamp.secondsPerDay)
        keep { $1.at >= start }
        guard halvings > 0, clients.count < capacity / 8, bytes < room / 8 else { return }
        halvings -= 1
        began = now
        keep { _, _ in false }
    }

    private mutating func keep(_ stays: (UInt64, SampledClient) -> Bool) {
        clients = clients.filter { stays($0.key, $0.value) }
        bytes = clients.values.reduce(0) { $0 + $1.bytes }
    }
}
