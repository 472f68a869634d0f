internal import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
internal import Synchronization

/// For each app a bounded sample of the contexts that polled lately: attributes only, without ids. In memory; a restart
/// begins anew.
///
/// Each poll is as likely to be in it as any other: while there is room all are taken, later one in 64, in place of
/// any. So it is uniform over polls (a client that polls twice as often stands for two), and the older a poll, the
/// rarer: at a million polls half of the sample comes from the last 440,000. Nothing is older than a week.
public final class ContextSamples: Sendable {
    /// The bound of contexts of one app.
    public static let capacity = 10_000
    static let seconds: Int64 = 7 * 86_400
    /// The bound of a context's bytes. A poll may bring as much as a body; a larger context is left out.
    static let contextBytes = 4096
    /// The bound of bytes of all apps together. Beyond it a context replaces another of its app.
    static let byteBound = 64 << 20
    /// Once the sample is full one poll in so many is taken, on average.
    static let pace = 64

    private struct State {
        private(set) var apps: [String: ContextSample] = [:]
        /// The bytes of all contexts.
        private(set) var bytes = 0

        mutating func change<Value>(_ app: String, _ body: (inout ContextSample) -> Value) -> Value {
            let before = apps[app]?.bytes ?? 0
            defer { bytes += (apps[app]?.bytes ?? 0) - before }
            return body(&apps[app, default: ContextSample()])
        }

        mutating func forget(where isGone: (String) -> Bool) {
            apps = apps.filter { !isGone($0.key) }
            bytes = apps.values.reduce(0) { $0 + $1.bytes }
        }
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let byteBound: Int
    /// A number below a bound above 0.
    private let random: @Sendable (Int) -> Int

    public convenience init(capacity: Int = ContextSamples.capacity, random: (@Sendable (Int) -> Int)? = nil) {
        self.init(capacity: capacity, bytes: Self.byteBound, random: random)
    }

    init(capacity: Int, bytes: Int, random: (@Sendable (Int) -> Int)?) {
        (self.capacity, byteBound) = (capacity, bytes)
        self.random = random ?? SampleNumbers().next(below:)
    }

    /// Takes a poll's context. Answers how many polls further the next is to be offered: at irregular distances, so
    /// that no rhythm of clients is in step with them.
    public func offer(_ context: TargetingContext, of app: String, at now: Timestamp) -> Int {
        let context = context.withoutIdentifiers
        guard let bytes = context.attributes.size(upTo: Self.contextBytes) else { return 1 }
        return state.withLock { state in
            let room = max(0, byteBound - state.bytes)
            let isFull = state.change(app) {
                $0.add(context, bytes, at: now, Room(count: capacity, bytes: room), random)
            }
            return isFull ? 1 + random(2 * Self.pace - 1) : 1
        }
    }

    /// Those of the last week, and when the oldest of them polled.
    public func sample(of app: String, at now: Timestamp) -> (contexts: [TargetingContext], since: Timestamp?) {
        state.withLock { state in
            guard state.apps[app] != nil else { return ([], nil) }
            return state.change(app) { sample in
                sample.removeExpired(at: now)
                return (sample.contexts, sample.oldest)
            }
        }
    }

    /// Forgets apps that are gone.
    public func keep(only names: some Collection<String>) {
        let names = Set(names.map { ByteKey(text: $0) })
        state.withLock { $0.forget { !names.contains(ByteKey(text: $0)) } }
    }
}

/// The room in an app's sample: contexts in all, and bytes more than it has.
private struct Room {
    let count: Int
    let bytes: Int
}

/// One app's.
private struct ContextSample {
    private struct Entry {
        let context: TargetingContext
        let bytes: Int
        let at: Timestamp
    }

    private static let secondsBetweenSweeps: Int64 = 3600

    private var entries: [Entry] = []
    private(set) var bytes = 0
    private var sweptAt: Timestamp?

    var contexts: [TargetingContext] { entries.map(\.context) }
    var oldest: Timestamp? { entries.map(\.at).min() }

    /// True: there is room for no further one.
    mutating func add(
        _ context: TargetingContext, _ size: Int, at now: Timestamp, _ room: Room, _ random: (Int) -> Int
    ) -> Bool {
        if sweptAt.map({ $0.adding(seconds: Self.secondsBetweenSweeps) <= now }) ?? true { removeExpired(at: now) }
        let entry = Entry(context: context, bytes: size, at: now)
        if entries.count < room.count, size <= room.bytes {
            entries.append(entry)
            bytes += size
            return entries.count >= room.count
        }
        guard !entries.isEmpty else { return true }
        let index = random(entries.count)
        guard size - entries[index].bytes <= room.bytes else { return true }
        bytes += size - entries[index].bytes
        entries[index] = entry
        return true
    }

    mutating func removeExpired(at now: Timestamp) {
        sweptAt = now
        let start = now.adding(seconds: -ContextSamples.seconds)
        entries.removeAll { $0.at < start }
        bytes = entries.reduce(0) { $0 + $1.bytes }
    }
}

extension [String: JSONValue] {
    /// About how many bytes it has. Nil: more than so many; it looks no further than that.
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
        // The bytes of a value by itself.
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
