import Synchronization

/// One part of the table under one lock.
final class ClientShard: Sendable {
    let content: Mutex<Content>

    init(bound: Int, absentBound: Int) {
        content = Mutex(
            Content(known: SecondChanceTable(bound: bound), absent: SecondChanceTable(bound: absentBound)))
    }

    struct Content {
        var known: SecondChanceTable
        var absent: SecondChanceTable
        var loads = LoadsUnderWay()

        enum Found {
            case known(SecondChanceTable.Held)
            case absent(SecondChanceTable.Place)
            case unknown
        }

        mutating func find(_ key: ClientKey) -> Found {
            if let record = known.record(of: key) { return .known(record) }
            return absent.record(of: key).map { .absent($0.place) } ?? .unknown
        }

        mutating func isCurrent(_ mark: ClientMark) -> Bool {
            let place = SecondChanceTable.Place(position: mark.position, stamp: mark.stamp)
            return mark.isAbsent ? absent.isCurrent(place) : known.isCurrent(place)
        }

        /// Nothing where the state is another by now.
        mutating func settle(_ key: ClientKey, version: UInt64, _ settlement: Settlement) {
            guard let held = known.peek(key), StoredClient.version(in: held, of: key) == version else { return }
            known.note(settlement, for: key)
        }

        mutating func commit(_ key: ClientKey, _ record: [UInt8], version: UInt64) {
            loads.outdate(key.hash)
            absent.remove(key)
            if let held = known.peek(key), StoredClient.version(in: held, of: key) > version { return }
            known.set(key, record)
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
        mutating func finishLoad(_ key: ClientKey, _ record: [UInt8]?, version: UInt64) -> [UInt8]? {
            let isOutdated = loads.end(key.hash)
            if let held = known.peek(key), StoredClient.version(in: held, of: key) >= version { return held }
            guard !isOutdated else { return nil }
            if let record {
                absent.remove(key)
                known.set(key, record)
            } else {
                absent.set(key, key.bytes)
            }
            return nil
        }
    }
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
