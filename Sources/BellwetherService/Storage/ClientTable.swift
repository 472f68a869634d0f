internal import BellwetherBase
import BellwetherCore
internal import BellwetherJSON
import Synchronization

/// The bounded table of client states in memory, which a poll reads instead of the store.
///
/// A state is stored packed, with numbers for names, and decoded at each look-up, so that a million clients fit.
/// Clients that are known to be absent are in a smaller table of their own, so a flood of new ids evicts no real client
/// (ARCHITECTURE.md#the-three-memories). The table is thread-safe; no call blocks longer than a few hundred
/// nanoseconds.
///
/// Three rules keep it correct beside a writer. Only durable states are entered. An older version never replaces a
/// newer one. A loaded state is not entered if a commit of the client happened since the load began, even if the
/// committed entry was evicted again.
public final class ClientTable: Sendable {
    /// The default maximum number of clients, at some 200 bytes each.
    public static let defaultBound = 1_000_000
    public static let defaultAbsentBound = 65_536
    /// The bytes of the table for each client that it may hold. Clients with long histories leave room for fewer. A
    /// shard has at least a mebibyte.
    static let bytesPerClient = 1024

    private let shards: [ClientShard]

    /// The bounds are for the whole table, with at least one client for each shard; a small table has one shard. The
    /// bound in bytes is `bytesPerClient` for each client.
    public init(bound: Int = ClientTable.defaultBound, absentBound: Int = ClientTable.defaultAbsentBound) {
        let count = bound >= 4096 ? 64 : 1
        shards = (0..<count).map { _ in
            ClientShard(bound: max(1, bound / count), absentBound: max(1, absentBound / count))
        }
    }

    /// The client in the table. Packed bytes that cannot be read count as not loaded, so that the load reports the
    /// fault.
    public func lookUp(_ client: ClientReference) -> ClientLookup {
        let key = ClientKey(client)
        switch shard(of: key).content.withLock({ $0.find(key) }) {
        case .absent(let settled): return .absent(settled)
        case .unknown: return .notLoaded
        case .known(let held): return CachedClient(held).map(ClientLookup.known) ?? .notLoaded
        }
    }

    /// The version of the client's row; 0 for a client without one. Nil if the table does not hold the client.
    public func version(of client: ClientReference) -> UInt64? {
        let key = ClientKey(client)
        return shard(of: key).content.withLock { $0.version(of: key) }
    }

    /// Notes that the enrollments of the client's row are settled, if the row still has this version.
    func settle(_ client: ClientReference, at version: UInt64, _ settled: SettledEnrollments) {
        let key = ClientKey(client)
        shard(of: key).content.withLock { $0.settle(key, at: version, settled) }
    }

    /// The client's row in the table, for a writer. An inner nil means that the client has no row; an outer nil means
    /// that the table does not hold the client.
    func row(of client: ClientReference) -> StoredRow?? {
        let key = ClientKey(client)
        switch shard(of: key).content.withLock({ $0.find(key) }) {
        case .absent: return .some(nil)
        case .unknown: return nil
        case .known(let held):
            guard let stored = StoredClient(in: held.record, names: held.names) else { return nil }
            return StoredRow(version: stored.version, value: .client(stored.state))
        }
    }

    /// Enters a state that has just become durable. The client is no longer absent, and loads under way are outdated.
    public func commit(_ client: ClientReference, _ stored: StoredClient) {
        let key = ClientKey(client)
        let shard = shard(of: key)
        let packed = shard.pack(stored, for: key)
        shard.content.withLock { $0.commit(key, packed) }
    }

    /// Drops the entry of a client, so that it is read again.
    public func forget(_ client: ClientReference) {
        let key = ClientKey(client)
        shard(of: key).content.withLock { $0.forget(key) }
    }

    /// Drops the entry of a client if it has that version.
    func forget(_ client: ClientReference, at version: UInt64) {
        let key = ClientKey(client)
        shard(of: key).content.withLock { if $0.version(of: key) == version { $0.forget(key) } }
    }

    /// Drops the entry of a client whose row has just been deleted. The client is absent, and loads under way are
    /// outdated.
    public func erase(_ client: ClientReference) {
        let key = ClientKey(client)
        shard(of: key).content.withLock { $0.erase(key) }
    }

    /// Begins a load, before the row is read. Exactly one of `finish` and `abandon` has to follow.
    public func beginLoad(_ client: ClientReference) -> ClientLoad {
        let key = ClientKey(client)
        shard(of: key).content.withLock { $0.loads.begin(key.hash) }
        return ClientLoad(key: key)
    }

    /// Enters the row that a load has read, unless a newer one is known; a row of nil marks the client as absent.
    /// Returns the newest row that is known.
    public func finish(_ load: ClientLoad, _ row: StoredClient?) -> StoredClient? {
        let key = load.key
        let shard = shard(of: key)
        let packed = row.map { shard.pack($0, for: key) }
        let (newer, names) = shard.content.withLock { ($0.finishLoad(key, packed), $0.known.names) }
        return newer.flatMap { StoredClient(in: $0, names: names) } ?? row
    }

    /// Ends a load whose read failed.
    public func abandon(_ load: ClientLoad) {
        shard(of: load.key).content.withLock { _ = $0.loads.end(load.key.hash) }
    }

    /// The number of clients that are held, and the number that are marked as absent.
    public var occupancy: (known: Int, absent: Int) {
        shards.reduce(into: (0, 0)) { sum, shard in
            let (known, absent) = shard.content.withLock { ($0.known.count, $0.absent.count) }
            sum = (sum.0 + known, sum.1 + absent)
        }
    }

    private func shard(of key: ClientKey) -> ClientShard {
        shards[key.shard(of: shards.count)]
    }
}

/// A load under way; see `ClientTable.beginLoad`.
public struct ClientLoad: Sendable {
    let key: ClientKey
}

/// The key of a client in the table: its hash, and the beginning of its record.
struct ClientKey: Sendable {
    let client: ClientReference
    let hash: Int

    init(_ client: ClientReference) {
        self.client = client
        // The hash is seeded by the process, so ids that were chosen to collide do not collide.
        hash = client.hashValue
    }

    /// The bytes of the key, without numbers for names.
    var bytes: [UInt8] {
        var writer = PackedWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Each part follows its length or its number, so that no key is the prefix of another.
    func write(to writer: inout PackedWriter) {
        writer.name(client.app)
        writer.string(client.id.text)
    }

    /// Whether the record belongs to this client.
    func begins(_ record: [UInt8], names: [Identifier]?) -> Bool {
        var reader = PackedReader(record[...], names: names)
        return reader.skipName(client.app) && reader.skipString(client.id.text)
    }

    /// Reads the part of a record after the key.
    static func reader(behindKeyOf record: [UInt8], names: [Identifier]?) -> PackedReader {
        var reader = PackedReader(record[...], names: names)
        reader.skipName()
        reader.skipString()
        return reader
    }

    /// The upper bits select the shard, the lower ones the slot in it.
    func shard(of count: Int) -> Int { Int(truncatingIfNeeded: UInt(bitPattern: hash) >> 48) % count }
}

/// One part of the table. A poll takes only the lock of the content. A record is packed under another lock before it is
/// entered, so that no poll waits for the packing.
final class ClientShard: Sendable {
    let content: Mutex<Content>
    /// Each shard has its own names. Look-ups count references to a name, and would contend for names that all shards
    /// share.
    private let names = Mutex(PackedNames())

    init(bound: Int, absentBound: Int) {
        func bytes(_ bound: Int) -> Int { max(1 << 20, bound * ClientTable.bytesPerClient) }
        content = Mutex(
            Content(
                known: SecondChanceTable(bound: bound, bytes: bytes(bound), names: []),
                absent: SecondChanceTable(bound: absentBound, bytes: bytes(absentBound))))
    }

    /// A client's record, and the names that its numbers mean.
    func pack(_ client: StoredClient, for key: ClientKey) -> PackedClient {
        names.withLock { names in
            let record = client.record(for: key, names: &names)
            return PackedClient(record: record, version: client.version, names: names.all)
        }
    }

    struct Content {
        var known: SecondChanceTable
        var absent: SecondChanceTable
        var loads = LoadsUnderWay()

        enum Found {
            case known(SecondChanceTable.Held)
            case absent(SettledEnrollments)
            case unknown
        }

        mutating func find(_ key: ClientKey) -> Found {
            if let record = known.record(of: key) { return .known(record) }
            return absent.record(of: key).map { .absent($0.settled) } ?? .unknown
        }

        /// The version: 0 for a client that is known to be absent, nil for a client that is not held. The client gets a
        /// second chance.
        mutating func version(of key: ClientKey) -> UInt64? {
            if let held = known.record(of: key) { return version(in: held.record) }
            return absent.record(of: key) == nil ? nil : 0
        }

        mutating func settle(_ key: ClientKey, at version: UInt64, _ settled: SettledEnrollments) {
            guard self.version(of: key) == version else { return }
            if version == 0 { absent.settle(key, settled) } else { known.settle(key, settled) }
        }

        private func version(in record: [UInt8]) -> UInt64 { StoredClient.version(in: record, names: known.names) }

        mutating func commit(_ key: ClientKey, _ packed: PackedClient) {
            loads.outdate(key.hash)
            absent.remove(key)
            if let held = known.peek(key), self.version(in: held) > packed.version { return }
            enter(key, packed)
        }

        private mutating func enter(_ key: ClientKey, _ packed: PackedClient) {
            known.learn(packed.names)
            known.set(key, packed.record)
        }

        mutating func forget(_ key: ClientKey) {
            loads.outdate(key.hash)
            absent.remove(key)
            known.remove(key)
        }

        mutating func erase(_ key: ClientKey) {
            forget(key)
            absent.set(key, key.bytes)
        }

        /// Ends a load. Returns the record that is held if it is at least as new as the one that was read.
        mutating func finishLoad(_ key: ClientKey, _ packed: PackedClient?) -> [UInt8]? {
            let isOutdated = loads.end(key.hash)
            if let held = known.peek(key), self.version(in: held) >= packed?.version ?? 0 {
                return held
            }
            guard !isOutdated else { return nil }
            if let packed {
                absent.remove(key)
                enter(key, packed)
            } else {
                absent.set(key, key.bytes)
            }
            return nil
        }
    }
}

/// A client's record before it is entered.
struct PackedClient: Sendable {
    let record: [UInt8]
    let version: UInt64
    let names: [Identifier]
}

/// The loads of a shard that have begun and not ended, by the hash of their client. Two clients with the same hash can
/// make each other's loads outdated. This costs a read of the store and nothing else.
struct LoadsUnderWay {
    private var loads: [Int: (count: Int, isOutdated: Bool)] = [:]

    mutating func begin(_ hash: Int) { loads[hash, default: (0, false)].count += 1 }

    /// Ends a load. Returns whether the value that was read may be older than a commit.
    mutating func end(_ hash: Int) -> Bool {
        guard let load = loads[hash] else { return true }
        loads[hash] = load.count > 1 ? (load.count - 1, load.isOutdated) : nil
        return load.isOutdated
    }

    mutating func outdate(_ hash: Int) {
        guard !loads.isEmpty else { return }
        loads[hash]?.isOutdated = true
    }
}
