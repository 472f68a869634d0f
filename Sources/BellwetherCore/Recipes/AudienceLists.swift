public import BellwetherBase
public import BellwetherJSON
internal import JEXL

/// The subjects of a list's ids.
public enum ListSubject: String, Sendable, Hashable, CaseIterable {
    case clients, users
}

/// An id of a list: 128 bits of a keyed hash. The id cannot be read back
/// (docs/decisions/0143-a-list-keeps-hashes-of-its-ids.md).
public struct ListEntry: Sendable, Hashable, Comparable, BitwiseCopyable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// The entry of an id, as its bytes.
    public init(_ id: ArraySlice<UInt8>, _ hash: SipHash) {
        let (low, high) = hash.hash(id)
        self.init(high: high, low: low)
    }

    public init(_ id: Identifier, _ hash: SipHash) { self.init(Array(id.utf8)[...], hash) }

    public static func < (left: ListEntry, right: ListEntry) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// The bucket that contains the entry.
    var bucket: Int { Int(high >> 56) }
}

/// The ids of a list: a set of entries, in buckets by their first byte. A bucket is sorted. Copies share their buckets,
/// so that a change copies those that it changes.
public struct ListEntries: Sendable, Hashable {
    public static let bucketCount = 256

    public private(set) var buckets: [[ListEntry]]
    public private(set) var count: Int

    /// An empty set.
    public init() {
        buckets = Array(repeating: [], count: Self.bucketCount)
        count = 0
    }

    /// A set of buckets, each sorted and without duplicates.
    public init(sorted buckets: [[ListEntry]]) {
        self.buckets = buckets
        count = buckets.reduce(0) { $0 + $1.count }
    }

    /// The index of the bucket that may contain an entry.
    public static func bucket(of entry: ListEntry) -> Int { entry.bucket }

    /// A binary search in one bucket.
    public func contains(_ entry: ListEntry) -> Bool {
        let bucket = buckets[entry.bucket]
        let place = Self.place(of: entry, in: bucket)
        return place < bucket.count && bucket[place] == entry
    }

    /// The first place whose entry is not less.
    private static func place(of entry: ListEntry, in bucket: [ListEntry]) -> Int {
        var (low, high) = (0, bucket.count)
        while low < high {
            let middle = (low + high) / 2
            if bucket[middle] < entry { low = middle + 1 } else { high = middle }
        }
        return low
    }

    public mutating func formUnion(_ others: ListEntries) {
        for (index, added) in others.buckets.enumerated() where !added.isEmpty {
            let bucket = buckets[index]
            let news = added.filter { entry in
                let place = Self.place(of: entry, in: bucket)
                return place == bucket.count || bucket[place] != entry
            }
            guard !news.isEmpty else { continue }
            buckets[index] = (bucket + news).sorted()
            count += news.count
        }
    }

    public mutating func subtract(_ others: ListEntries) {
        for (index, removed) in others.buckets.enumerated() where !removed.isEmpty && !buckets[index].isEmpty {
            let gone = Set(removed)
            let rest = buckets[index].filter { !gone.contains($0) }
            guard rest.count < buckets[index].count else { continue }
            count -= buckets[index].count - rest.count
            buckets[index] = rest
        }
    }

    /// How many entries of a bucket another set has, too.
    public func commonCount(with other: ListEntries, in bucket: Int) -> Int {
        let (left, right) = (buckets[bucket], other.buckets[bucket])
        var (first, second, count) = (0, 0, 0)
        while first < left.count, second < right.count {
            if left[first] == right[second] {
                (first, second, count) = (first + 1, second + 1, count + 1)
            } else if left[first] < right[second] {
                first += 1
            } else {
                second += 1
            }
        }
        return count
    }

    /// The buckets that differ from another set's.
    public func changedBuckets(from other: ListEntries) -> [Int] {
        buckets.indices.filter { buckets[$0] != other.buckets[$0] }
    }
}

/// Collects ids for a set of entries, one after another.
public struct ListEntriesBuilder: Sendable {
    private var buckets: [[ListEntry]] = Array(repeating: [], count: ListEntries.bucketCount)
    /// How many ids were added, duplicates included.
    public private(set) var count = 0
    /// Whether there are more distinct ids than the bound. Then ids are only counted.
    public private(set) var isTooMuch = false
    private let bound: Int
    /// The entries in memory, of which some may be duplicates.
    private var held = 0

    public init(atMost bound: Int) { self.bound = bound }

    public mutating func add(_ entry: ListEntry) {
        count += 1
        guard !isTooMuch else { return }
        let index = entry.bucket
        let capacity = buckets[index].capacity
        // Arrays double: a large list would need almost twice its memory.
        if buckets[index].count == capacity { buckets[index].reserveCapacity(capacity + capacity / 4 + 8) }
        buckets[index].append(entry)
        held += 1
        if held > bound + bound / 4 { removeDuplicates() }
    }

    private mutating func removeDuplicates() {
        for index in buckets.indices where buckets[index].count > 1 {
            buckets[index].sort()
            buckets[index] = Self.unique(buckets[index])
        }
        held = buckets.reduce(0) { $0 + $1.count }
        isTooMuch = held > bound
    }

    private static func unique(_ sorted: [ListEntry]) -> [ListEntry] {
        var unique: [ListEntry] = []
        unique.reserveCapacity(sorted.count)
        for entry in sorted where unique.last != entry { unique.append(entry) }
        return unique
    }

    /// The distinct ids. Their number may be above the bound. The builder is empty afterwards, so that the ids are in
    /// memory once.
    public mutating func finish() -> ListEntries {
        removeDuplicates()
        defer { (buckets, held) = (Array(repeating: [], count: ListEntries.bucketCount), 0) }
        return ListEntries(sorted: buckets)
    }
}

/// The lists of an app, as expressions read them (docs/reference/audiences.md#lists). All workers share one object.
public final class AudienceLists: Sendable {
    public struct List: Sendable {
        public let subject: ListSubject
        public let entries: ListEntries

        public init(of subject: ListSubject, _ entries: ListEntries) {
            (self.subject, self.entries) = (subject, entries)
        }
    }

    private let hash: SipHash
    private let lists: [String: List]
    /// The lists that a hypothetical client is in; nil for real clients.
    private let supposed: Set<String>?

    public init(_ lists: [String: List], _ hash: SipHash, supposed: Set<String>? = nil) {
        (self.lists, self.hash, self.supposed) = (lists, hash, supposed)
    }

    /// The same lists for a hypothetical client that is in some of them, and in no other one.
    public func supposing(_ names: Set<String>) -> AudienceLists { AudienceLists(lists, hash, supposed: names) }

    /// The names of the lists.
    public var names: Set<String> { Set(lists.keys) }

    /// Whether a list contains the client, or the user that it was identified with; nil if there is no such list.
    public func contains(_ name: String, clientID: Identifier?, userID: Identifier?) -> Bool? {
        guard let list = lists[name] else { return nil }
        if let supposed { return supposed.contains(name) }
        let id =
            switch list.subject {
            case .clients: clientID
            case .users: userID
            }
        return id.map { list.entries.contains(ListEntry($0, hash)) } ?? false
    }
}

extension AudienceLists {
    /// Whether a list may have the name.
    public static func isName(_ name: Identifier) -> Bool { AudienceScope.isName(name.text) }

    /// The rule of names, for messages.
    public static let rule =
        "the name of a list has 1 to 64 of the characters a-z, 0-9 and _, begins with no digit, and is none of true, "
        + "false, null and in"
}
