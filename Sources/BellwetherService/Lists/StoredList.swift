public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// A list of an app, without its ids (docs/reference/audiences.md#lists).
public struct StoredList: Sendable, Hashable {
    /// The maximum number of ids of a list.
    public static let maximumCount = 5_000_000
    /// The maximum number of lists of an app.
    public static let maximumNumber = 100

    public let subject: ListSubject
    public var revision: Int
    public var count: Int
    /// The time and the author of the revision.
    public var at: Timestamp
    public var author: String
    /// A number that grows with each write of the ids, also with an erasure, which makes no revision. A list that is
    /// deleted and made again never has an earlier stamp.
    public var stamp: Int64

    init(of subject: ListSubject, revision: Int, count: Int, at: Timestamp, author: String, after stamp: Int64) {
        (self.subject, self.revision, self.count) = (subject, revision, count)
        (self.at, self.author) = (at, author)
        self.stamp = max(stamp + 1, at.milliseconds)
    }

    /// The list after an erasure of one of its ids.
    var erased: StoredList {
        var list = self
        list.count -= 1
        list.stamp += 1
        return list
    }

    public var json: JSONObject {
        [
            "of": .string(subject.rawValue), "revision": .integer(Int64(revision)), "count": .integer(Int64(count)),
            "at": .integer(at.milliseconds), "by": .string(author), "stamp": .integer(stamp),
        ]
    }

    public init?(_ json: JSONObject) {
        guard let subject = json["of"]?.string.flatMap(ListSubject.init(rawValue:)),
            let revision = json["revision"]?.integer, let count = json["count"]?.integer,
            let at = json["at"]?.integer, let author = json["by"]?.string, let stamp = json["stamp"]?.integer
        else { return nil }
        (self.subject, self.revision, self.count) = (subject, Int(revision), Int(count))
        (self.at, self.author, self.stamp) = (Timestamp(milliseconds: at), author, stamp)
    }

    /// The revision as a document, for preconditions. An erasure leaves its entity tag as it is.
    public var version: DocumentVersion {
        let text: JSONValue = ["of": .string(subject.rawValue), "at": .integer(at.milliseconds)]
        let document = StoredDocument(
            revision: revision, source: .api, text: text.encoded, publishedAt: at, author: author)
        return DocumentVersion(document: document, state: .live)
    }
}

/// One bucket of a list's ids, as a store keeps it: 16 bytes an id.
public struct ListBucket: Sendable, Hashable {
    public let entries: [ListEntry]

    public init(_ entries: [ListEntry]) { self.entries = entries }

    private static let entryBytes = 16

    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * Self.entryBytes)
        for entry in entries {
            for word in [entry.high, entry.low] {
                for shift in stride(from: 56, through: 0, by: -8) {
                    bytes.append(UInt8(truncatingIfNeeded: word >> shift))
                }
            }
        }
        return bytes
    }

    /// Nil for bytes that are no entries.
    public init?(encoded bytes: [UInt8]) {
        guard bytes.count % Self.entryBytes == 0 else { return nil }
        entries = stride(from: 0, to: bytes.count, by: Self.entryBytes).map { place in
            ListEntry(high: Self.word(bytes, at: place), low: Self.word(bytes, at: place + 8))
        }
    }

    private static func word(_ bytes: [UInt8], at place: Int) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<8 { word = word << 8 | UInt64(bytes[place + offset]) }
        return word
    }
}

/// The key under which ids of lists are hashed. An installation has one.
public struct ListKey: Sendable, Hashable {
    public let hash: SipHash

    init(random generator: inout some RandomNumberGenerator) {
        hash = SipHash(
            UInt64.random(in: .min ... .max, using: &generator), UInt64.random(in: .min ... .max, using: &generator))
    }

    public var json: JSONObject { ["key": .string(Digest.hex(hash.key))] }

    public init?(_ json: JSONObject) {
        guard let hash = json["key"]?.string.flatMap(Digest.bytes(hex:)).flatMap({ SipHash(key: $0) }) else {
            return nil
        }
        self.hash = hash
    }
}

/// A list in memory, with its ids.
public struct LoadedList: Sendable {
    public let stored: StoredList
    public let entries: ListEntries
    /// The versions of the rows of the buckets; 0 for a row that has to be read again if the list changes.
    let bucketVersions: [UInt64]

    init(_ stored: StoredList, _ entries: ListEntries, bucketVersions: [UInt64]? = nil) {
        (self.stored, self.entries) = (stored, entries)
        self.bucketVersions = bucketVersions ?? Array(repeating: 0, count: ListEntries.bucketCount)
    }

    static func bucketNames(of name: Identifier, in app: Identifier) -> [RowName] {
        (0..<ListEntries.bucketCount).map { .listBucket(app: app, list: name, $0) }
    }
}

extension AudienceLists {
    /// The lists as expressions read them; nil if there are none.
    static func reading(_ lists: [Identifier: LoadedList], _ key: ListKey?) -> AudienceLists? {
        guard !lists.isEmpty, let key else { return nil }
        let sets = lists.reduce(into: [:]) { $0[$1.key.text] = List(of: $1.value.stored.subject, $1.value.entries) }
        return AudienceLists(sets, key.hash)
    }
}
