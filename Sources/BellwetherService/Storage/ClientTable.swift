import BellwetherCore
import Synchronization

/// The bounded table of client states in memory: what a poll reads instead of the store.
///
/// A state is held packed, with numbers for names, and decoded at each look-up, so that a million clients fit. Clients
/// that are known to be absent stand in a smaller table of their own: a flood of new ids evicts no real client
/// (ARCHITECTURE.md#the-three-memories). Thread-safe; nothing blocks longer than a few hundred nanoseconds.
///
/// Three rules keep it true beside a writer: only what is durable is entered; an older version never replaces a newer
/// one; and what a load has read is not entered when a commit of that client happened since the load began, however
/// soon the committed entry was evicted again.
public final class ClientTable: Sendable {
    /// How many clients are held by default, at some 200 bytes each.
    public static let defaultBound = 1_000_000
    public static let defaultAbsentBound = 65_536

    private let shards: [ClientShard]

    /// The bounds are for the whole table and at least one a shard; few shards serve a small table.
    public init(bound: Int = ClientTable.defaultBound, absentBound: Int = ClientTable.defaultAbsentBound) {
        let count = bound >= 4096 ? 64 : 1
        shards = (0..<count).map { _ in
            ClientShard(bound: max(1, bound / count), absentBound: max(1, absentBound / count))
        }
    }

    /// The client as far as the table knows it. Packed bytes that cannot be read count as not loaded: the load tells.
    public func lookUp(_ client: ClientReference) -> ClientLookup {
        let key = ClientKey(client)
        switch shard(of: key).content.withLock({ $0.find(key) }) {
        case .absent: return .absent
        case .unknown: return .notLoaded
        case .known(let held): return CachedClient(held).map(ClientLookup.known) ?? .notLoaded
        }
    }

    /// The version of the client's row; 0 for a client without one. Nil: the table does not hold the client.
    public func version(of client: ClientReference) -> UInt64? {
        let key = ClientKey(client)
        return shard(of: key).content.withLock { $0.version(of: key) }
    }

    /// The client's row as the table holds it, for a writer; an inner nil: the client has none. Nil: the table does not
    /// hold the client.
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

    /// Drops what is held of a client, so that it is read again.
    public func forget(_ client: ClientReference) {
        let key = ClientKey(client)
        shard(of: key).content.withLock { $0.forget(key) }
    }

    /// Drops what is held of a client whose row has just been deleted: it is absent, and loads under way are outdated.
    public func erase(_ client: ClientReference) {
        let key = ClientKey(client)
        shard(of: key).content.withLock { $0.erase(key) }
    }

    /// To be called before the row is read; then exactly one of `finish` and `abandon`.
    public func beginLoad(_ client: ClientReference) -> ClientLoad {
        let key = ClientKey(client)
        shard(of: key).content.withLock { $0.loads.begin(key.hash) }
        return ClientLoad(key: key)
    }

    /// Enters what a load has read, unless something newer is known; nil as a row marks the client as absent.
    /// The answer is the newest that is known.
    public func finish(_ load: ClientLoad, _ row: StoredClient?) -> StoredClient? {
        let key = load.key
        let shard = shard(of: key)
        let packed = row.map { shard.pack($0, for: key) }
        let (newer, names) = shard.content.withLock { ($0.finishLoad(key, packed), $0.known.names) }
        return newer.flatMap { StoredClient(in: $0, names: names) } ?? row
    }

    /// Ends a load that could not read.
    public func abandon(_ load: ClientLoad) {
        shard(of: load.key).content.withLock { _ = $0.loads.end(load.key.hash) }
    }

    /// How many clients are held, and how many are marked as absent.
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
