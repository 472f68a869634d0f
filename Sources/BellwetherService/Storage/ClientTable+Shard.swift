internal import BellwetherBase
import BellwetherCore
import Synchronization

/// One part of the table. Polls take one lock, that of the content; who enters a record packs it under another before,
/// so that no poll waits for that.
final class ClientShard: Sendable {
    let content: Mutex<Content>
    /// Each shard has names of its own: look-ups count references to a name, and would meet at those of all shards.
    private let names = Mutex(PackedNames())

    init(bound: Int, absentBound: Int) {
        content = Mutex(
            Content(known: SecondChanceTable(bound: bound, names: []), absent: SecondChanceTable(bound: absentBound)))
    }

    /// A client's record, and the names that it has numbers of.
    func pack(_ client: StoredClient, for key: ClientKey) -> PackedClient {
        names.withLock { names in
            let record = client.record(for: key, names: &names)
            return PackedClient(record: record, version: client.version, names: names.texts)
        }
    }

    struct Content {
        var known: SecondChanceTable
        var absent: SecondChanceTable
        var loads = LoadsUnderWay()

        enum Found {
            case known(SecondChanceTable.Held)
            case absent
            case unknown
        }

        mutating func find(_ key: ClientKey) -> Found {
            if let record = known.record(of: key) { return .known(record) }
            return absent.record(of: key) == nil ? .unknown : .absent
        }

        /// 0 for a client that is known to be absent, nil for one that is not held. The client has a second chance.
        mutating func version(of key: ClientKey) -> UInt64? {
            if let held = known.record(of: key) { return version(in: held.record) }
            return absent.record(of: key) == nil ? nil : 0
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

        /// Answers the record that is held, where it is to be preferred to the one that was read.
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
    let names: [String]
}

/// The loads of a shard that have begun and not ended, by the hash of their client: two clients of one hash make each
/// other's loads outdated now and then, which costs a look into the store and nothing else.
struct LoadsUnderWay {
    private var loads: [Int: (count: Int, isOutdated: Bool)] = [:]

    mutating func begin(_ hash: Int) { loads[hash, default: (0, false)].count += 1 }

    /// Whether what was read may be older than a commit.
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
