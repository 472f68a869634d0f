internal import BellwetherJSON

/// A map from clients to bytes, bounded in number and bytes. It evicts by the clock rule: a hand moves around the
/// entries, spares each entry once that was looked up since its last pass, and evicts the first one that was not. A
/// record that alone exceeds the bound is not held.
///
/// New entries have no second chance yet, so that clients that are written once and never seen again leave first. The
/// entries are in one array, and an index with open addressing finds them. This costs some 60 bytes for each client
/// beside its record.
struct SecondChanceTable {
    private struct Entry {
        /// The record, which begins with the key.
        var record: [UInt8]
        /// The settled enrollments of this record. A new record has none.
        var settled = SettledEnrollments.none
        var hash: Int32
        /// Whether the entry was looked up since the last pass of the hand.
        var isReferenced = false

        /// The bytes of the record, with those of an array, its slot and its index.
        var bytes: Int { record.count + 96 }
    }

    private let bound: Int
    private let byteBound: Int
    /// The bytes of all entries.
    private(set) var bytes = 0
    private var entries: [Entry] = []
    /// Position in `entries` plus one; 0 is free. The count is a power of two, and at most two thirds are taken.
    private var index: [UInt32] = Array(repeating: 0, count: 16)
    private var hand = 0
    /// The names whose numbers are in records; nil if names are written out.
    private(set) var names: [Identifier]?

    init(bound: Int, bytes: Int = .max, names: [Identifier]? = nil) {
        self.bound = min(bound, 1 << 30)
        byteBound = bytes
        self.names = names
    }

    var count: Int { entries.count }

    /// A record, and the names whose numbers it contains.
    struct Held {
        let record: [UInt8]
        let settled: SettledEnrollments
        let names: [Identifier]?
    }

    /// The record of a client, which has a second chance from now on.
    mutating func record(of key: ClientKey) -> Held? {
        guard let slot = slot(of: key) else { return nil }
        let position = Int(index[slot]) - 1
        entries[position].isReferenced = true
        return Held(record: entries[position].record, settled: entries[position].settled, names: names)
    }

    /// Sets the field of the client's entry.
    mutating func settle(_ key: ClientKey, _ settled: SettledEnrollments) {
        if let slot = slot(of: key) { entries[Int(index[slot]) - 1].settled = settled }
    }

    /// The record of a client, without a second chance for it.
    func peek(_ key: ClientKey) -> [UInt8]? {
        slot(of: key).map { entries[Int(index[$0]) - 1].record }
    }

    /// Notes the names whose numbers are in later records. Names are only added: the longer list is the later one, and
    /// begins with the other.
    mutating func learn(_ names: [Identifier]) {
        if names.count > self.names?.count ?? 0 { self.names = names }
    }

    /// Replaces the client's record or enters it. If the table is full, it evicts others.
    mutating func set(_ key: ClientKey, _ record: [UInt8]) {
        var entry = Entry(record: record, hash: Int32(truncatingIfNeeded: key.hash))
        guard entry.bytes <= byteBound else { return remove(key) }
        if let slot = slot(of: key) {
            let position = Int(index[slot]) - 1
            entry.isReferenced = entries[position].isReferenced
            bytes += entry.bytes - entries[position].bytes
            entries[position] = entry
            while bytes > byteBound { remove(position: nextVictim()) }
            return
        }
        while entries.count >= bound || bytes + entry.bytes > byteBound {
            let victim = nextVictim()
            if bytes - entries[victim].bytes + entry.bytes <= byteBound { return replace(victim, with: entry) }
            remove(position: victim)
        }
        bytes += entry.bytes
        entries.append(entry)
        growIfNeeded()
        enter(position: entries.count - 1)
    }

    /// Replaces an entry. The hand reaches all other entries before the new one.
    private mutating func replace(_ position: Int, with entry: Entry) {
        free(slotOf: position)
        bytes += entry.bytes - entries[position].bytes
        entries[position] = entry
        enter(position: position)
    }

    mutating func remove(_ key: ClientKey) {
        if let slot = slot(of: key) { remove(position: Int(index[slot]) - 1) }
    }

    /// Removes an entry. The last entry moves to its position.
    private mutating func remove(position: Int) {
        free(slotOf: position)
        bytes -= entries[position].bytes
        let last = entries.count - 1
        if position != last {
            free(slotOf: last)
            entries[position] = entries[last]
            enter(position: position)
        }
        entries.removeLast()
    }

    private mutating func nextVictim() -> Int {
        while true {
            if hand >= entries.count { hand = 0 }
            defer { hand += 1 }
            guard entries[hand].isReferenced else { return hand }
            entries[hand].isReferenced = false
        }
    }
}

/// The index uses linear probing. A removal moves the entries behind it back, so that no tombstones accumulate.
extension SecondChanceTable {
    private var mask: Int { index.count - 1 }

    private func home(_ hash: Int32) -> Int { Int(hash) & mask }

    private func slot(of key: ClientKey) -> Int? {
        let hash = Int32(truncatingIfNeeded: key.hash)
        var slot = home(hash)
        while index[slot] != 0 {
            let position = Int(index[slot]) - 1
            if entries[position].hash == hash, key.begins(entries[position].record, names: names) { return slot }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func enter(position: Int) {
        var slot = home(entries[position].hash)
        while index[slot] != 0 { slot = (slot + 1) & mask }
        index[slot] = UInt32(position + 1)
    }

    private mutating func free(slotOf position: Int) {
        var slot = home(entries[position].hash)
        while Int(index[slot]) != position + 1 { slot = (slot + 1) & mask }
        free(slot)
    }

    private mutating func free(_ freed: Int) {
        var hole = freed
        var slot = (freed + 1) & mask
        while index[slot] != 0 {
            let home = home(entries[Int(index[slot]) - 1].hash)
            // The entry may move back only as far as its home.
            if (slot - home) & mask >= (slot - hole) & mask {
                index[hole] = index[slot]
                hole = slot
            }
            slot = (slot + 1) & mask
        }
        index[hole] = 0
    }

    private mutating func growIfNeeded() {
        guard entries.count * 3 > index.count * 2 else { return }
        index = Array(repeating: 0, count: index.count * 2)
        for position in 0..<(entries.count - 1) { enter(position: position) }
    }
}
