internal import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import Synchronization

/// For each app a bounded sample of the contexts of recent polls: attributes only, without ids. The sample is in
/// memory, so a restart empties it.
///
/// While there is room, every poll is added; later one poll in 64 replaces a random entry. So a client that polls twice
/// as often counts twice, and older polls are rarer: at a million polls half of the sample comes from the last 440,000.
/// No entry is older than a week.
public final class ContextSamples: Sendable {
    /// The maximum number of contexts of one app.
    public static let capacity = 10_000
    static let seconds: Int64 = 7 * 86_400
    /// The maximum bytes of a context. A poll may contain as much as a whole body; a larger context is left out.
    static let contextBytes = 4096
    /// The maximum bytes of all apps together. Beyond it a context replaces another one of its app.
    static let byteBound = 64 << 20
    /// Once the sample is full, one poll in this number is taken, on average.
    static let pace = 64

    private struct State {
        private(set) var apps: [Identifier: ContextSample] = [:]
        /// The bytes of all contexts.
        private(set) var bytes = 0

        mutating func change<Value>(_ app: Identifier, _ body: (inout ContextSample) -> Value) -> Value {
            let before = apps[app]?.bytes ?? 0
            defer { bytes += (apps[app]?.bytes ?? 0) - before }
            return body(&apps[app, default: ContextSample()])
        }

        mutating func forget(where isGone: (Identifier) -> Bool) {
            apps = apps.filter { !isGone($0.key) }
            bytes = apps.values.reduce(0) { $0 + $1.bytes }
        }
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let byteBound: Int
    /// Returns a random number below a positive bound.
    private let random: @Sendable (Int) -> Int

    public convenience init(capacity: Int = ContextSamples.capacity, random: (@Sendable (Int) -> Int)? = nil) {
        self.init(capacity: capacity, bytes: Self.byteBound, random: random)
    }

    init(capacity: Int, bytes: Int, random: (@Sendable (Int) -> Int)?) {
        (self.capacity, byteBound) = (capacity, bytes)
        self.random = random ?? SampleNumbers().next(below:)
    }

    /// Offers a poll's context to the sample. Returns the number of polls until the next offer. These numbers are
    /// random, so that they never match a rhythm of clients.
    public func offer(_ context: TargetingContext, of app: Identifier, at now: Timestamp) -> Int {
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

    /// The contexts of the last week, and the time of the oldest one.
    public func sample(of app: Identifier, at now: Timestamp) -> (contexts: [TargetingContext], since: Timestamp?) {
        state.withLock { state in
            guard state.apps[app] != nil else { return ([], nil) }
            return state.change(app) { sample in
                sample.removeExpired(at: now)
                return (sample.contexts, sample.oldest)
            }
        }
    }

    /// Removes the samples of apps that no longer exist.
    public func keep(only names: some Collection<Identifier>) {
        let names = Set(names)
        state.withLock { $0.forget { !names.contains($0) } }
    }
}

/// The room in an app's sample: the maximum number of contexts, and the bytes that may be added.
private struct Room {
    let count: Int
    let bytes: Int
}

/// The sample of one app.
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

    /// Adds a context. Returns true if the sample is full.
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
