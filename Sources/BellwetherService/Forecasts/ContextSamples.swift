internal import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
internal import Synchronization

/// For each app a bounded sample of the contexts that polled lately: attributes only, nobody's id. In memory; a restart
/// begins anew.
///
/// Each poll is as likely to be in it as any other: while there is room all are taken, later one in 64, in the place of
/// any. So it is uniform over polls (a client that polls twice as often stands for two), and the older a poll, the
/// rarer: at a million polls half of the sample comes from the last 440,000. Nothing is older than a week.
public final class ContextSamples: Sendable {
    /// Of one app.
    public static let capacity = 10_000
    static let seconds: Int64 = 7 * 86_400
    /// What a poll brings may be as large as a body; such a context is left out.
    static let contextBytes = 4096
    /// Once the sample is full one poll in so many is taken, on average.
    static let pace = 64

    private let apps = Mutex<[String: ContextSample]>([:])
    private let capacity: Int
    /// A number below a bound above 0.
    private let random: @Sendable (Int) -> Int

    public init(capacity: Int = ContextSamples.capacity, random: (@Sendable (Int) -> Int)? = nil) {
        self.capacity = capacity
        self.random = random ?? SampleNumbers().next(below:)
    }

    /// Takes a poll's context. Answers how many polls further the next is to be offered: at irregular distances, so
    /// that no rhythm of clients is in step with them.
    public func offer(_ context: TargetingContext, of app: String, at now: Timestamp) -> Int {
        let context = context.withoutIdentifiers
        guard context.attributes.fits(Self.contextBytes) else { return 1 }
        return apps.withLock { apps in
            apps[app, default: ContextSample()].add(context, at: now, capacity: capacity, random)
            let isFull = apps[app, default: ContextSample()].count >= capacity
            return isFull ? 1 + random(2 * Self.pace - 1) : 1
        }
    }

    /// Those of the last week, and when the oldest of them polled.
    public func sample(of app: String, at now: Timestamp) -> (contexts: [TargetingContext], since: Timestamp?) {
        apps.withLock { apps in
            apps[app]?.removeExpired(at: now)
            return (apps[app]?.contexts ?? [], apps[app]?.oldest)
        }
    }

    /// Forgets apps that are gone.
    public func keep(only names: some Collection<String>) {
        let names = Set(names.map { ByteKey(text: $0) })
        apps.withLock { apps in apps = apps.filter { names.contains(ByteKey(text: $0.key)) } }
    }
}

/// One app's.
private struct ContextSample {
    private struct Entry {
        let context: TargetingContext
        let at: Timestamp
    }

    private static let secondsBetweenSweeps: Int64 = 3600

    private var entries: [Entry] = []
    private var sweptAt: Timestamp?

    var count: Int { entries.count }
    var contexts: [TargetingContext] { entries.map(\.context) }
    var oldest: Timestamp? { entries.map(\.at).min() }

    mutating func add(_ context: TargetingContext, at now: Timestamp, capacity: Int, _ random: (Int) -> Int) {
        if sweptAt.map({ $0.adding(seconds: Self.secondsBetweenSweeps) <= now }) ?? true { removeExpired(at: now) }
        let entry = Entry(context: context, at: now)
        if entries.count < capacity {
            entries.append(entry)
        } else {
            entries[random(entries.count)] = entry
        }
    }

    mutating func removeExpired(at now: Timestamp) {
        sweptAt = now
        let start = now.adding(seconds: -ContextSamples.seconds)
        entries.removeAll { $0.at < start }
    }
}

extension [String: JSONValue] {
    /// Whether it has about so many bytes at most. Looks no further than that.
    fileprivate func fits(_ bytes: Int) -> Bool {
        var left = bytes
        for (name, value) in self {
            left -= name.utf8.count
            guard value.take(from: &left) else { return false }
        }
        return left >= 0
    }
}

extension JSONValue {
    fileprivate func take(from left: inout Int) -> Bool {
        // What a value takes by itself.
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
