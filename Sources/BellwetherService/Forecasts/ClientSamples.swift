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
    static let days = 7
    /// The maximum bytes of a client's attributes. A poll may contain as much as a whole body; a client with more is
    /// left out.
    static let contextBytes = 4096
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
            apps[app, default: AppSample(began: now)].removeExpired(at: now)
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
            apps[app]?.removeExpired(at: now)
            return ClientSample(apps[app], at: now)
        }
    }

    /// Removes the samples of apps that no longer exist.
    public func keep(only names: some Collection<Identifier>) {
        let names = Set(names)
        apps.withLock { apps in apps = apps.filter { names.contains($0.key) } }
    }
}

/// A client of the sample, as it was after its newest poll.
public struct SampledClient: Sendable {
    public let context: TargetingContext
    /// The time of the poll.
    public let at: Timestamp
    private let packed: [UInt8]
    fileprivate let bytes: Int

    /// Nil if the attributes are too large.
    fileprivate init?(_ context: TargetingContext, _ state: ClientState, at now: Timestamp) {
        let context = context.withoutIdentifiers
        guard let size = context.attributes.size(upTo: ClientSamples.contextBytes) else { return nil }
        (self.context, at) = (context, now)
        var sampled = ClientState()
        (sampled.behavior, sampled.enrollments, sampled.ledger) = (state.behavior, state.enrollments, state.ledger)
        packed = sampled.encoded()
        bytes = size + packed.count
    }

    /// The event counters, the enrollments and the displays. The other parts are empty.
    public var state: ClientState { ClientState(encoded: packed) ?? ClientState() }
}

/// The sample of an app at one time.
public struct ClientSample: Sendable {
    public let clients: [SampledClient]
    /// The number of clients that each of them stands for.
    public let weight: Double
    private let now: Timestamp
    private let began: Timestamp

    fileprivate init(_ sample: AppSample?, at now: Timestamp) {
        clients = sample?.all ?? []
        weight = sample?.weight ?? 1
        began = sample?.began ?? now
        self.now = now
    }

    /// The oldest poll; nil if there is no client.
    public var since: Timestamp? { clients.map(\.at).min() }

    /// The number of whole days that the sample has lasted, at most a week.
    private var days: Int {
        min(ClientSamples.days, Int((now.milliseconds - began.milliseconds) / (1000 * Timestamp.secondsPerDay)))
    }

    /// The number of the app's clients that polled in the last days; nil if the sample has not lasted as long, or has
    /// fewer clients than the minimum.
    public func clients(days: Int, _ minimum: Int) -> Int? {
        guard days <= self.days else { return nil }
        let start = now.adding(seconds: -Int64(days) * Timestamp.secondsPerDay)
        let count = clients.count { $0.at >= start }
        return count >= minimum ? Int(Double(count) * weight) : nil
    }
}

/// The sample of one app, which changes.
private struct AppSample {
    private static let secondsBetweenSweeps: Int64 = 3600

    let began: Timestamp
    private var clients: [UInt64: SampledClient] = [:]
    private(set) var bytes = 0
    /// How often the sample was halved.
    private var halvings = 0
    private var sweptAt: Timestamp?

    init(began: Timestamp) { self.began = began }

    var count: Int { clients.count }
    var all: [SampledClient] { Array(clients.values) }
    /// The largest hash of a client in the sample.
    var bound: UInt64 { .max >> UInt64(halvings) }
    var weight: Double { Double(sign: .plus, exponent: halvings, significand: 1) }

    mutating func add(_ client: SampledClient, _ hash: UInt64, capacity: Int) {
        guard hash <= bound else { return }
        bytes += client.bytes - (clients.updateValue(client, forKey: hash)?.bytes ?? 0)
        while clients.count > capacity { halve() }
    }

    mutating func halve() {
        halvings += 1
        let bound = bound
        keep { hash, _ in hash <= bound }
    }

    /// Removes the clients whose newest poll is older than a week, at most once an hour. The bound stays, because a
    /// client that was left out may poll, too.
    mutating func removeExpired(at now: Timestamp) {
        guard sweptAt.map({ $0.adding(seconds: Self.secondsBetweenSweeps) <= now }) ?? true else { return }
        sweptAt = now
        let start = now.adding(seconds: -Int64(ClientSamples.days) * Timestamp.secondsPerDay)
        keep { $1.at >= start }
    }

    private mutating func keep(_ stays: (UInt64, SampledClient) -> Bool) {
        clients = clients.filter { stays($0.key, $0.value) }
        bytes = clients.values.reduce(0) { $0 + $1.bytes }
    }
}

extension [String: JSONValue] {
    /// The approximate number of bytes; nil if it is more than the bound, where counting stops.
    fileprivate func size(upTo bytes: Int) -> Int? {
        var left = bytes
        for (name, value) in self {
            left -= name.utf8.count
            guard value.take(from: &left) else { return nil }
        }
        return left >= 0 ? bytes - left : nil
    }
}

extension JSONValue {
    fileprivate func take(from left: inout Int) -> Bool {
        // The bytes of a value without its content.
        left -= 16
        switch self {
        case .null, .bool, .integer, .unsigned, .number: break
        case .string(let text): left -= text.utf8.count
        case .array(let values):
            for value in values where !value.take(from: &left) { return false }
        case .object(let members):
            for (key, value) in members {
                left -= key.utf8.count
                guard value.take(from: &left) else { return false }
            }
        }
        return left >= 0
    }
}
