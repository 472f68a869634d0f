internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Responses about collections, made once a snapshot: millions of phones ask for the same few. Belongs to one thread.
///
/// For each time that a reader names, the newer records are one of the beginnings of the list, so that not even made-up
/// times make more responses than there are records. Bounded in number and bytes: when it is full it starts anew.
final class CollectionCache {
    enum Form: Hashable { case records, changeset }

    struct Source: Hashable {
        let collection: String
        /// Nil: all apps.
        let app: String?
    }

    /// The key of a cached response.
    private struct Key: Hashable {
        let source: Source
        let form: Form
        /// How many of the newest, tombstones included; nil: all that is no tombstone.
        let newest: Int?
    }

    final class Content {
        let body: Response.Body
        /// How many records there are, tombstones left out.
        let count: Int
        private lazy var compressed = Compression.gzip(body.joined)

        init(_ body: Response.Body, count: Int) {
            self.body = body
            self.count = count
        }

        /// The bytes that it costs to keep: its pieces, and the compressed text at most. The records themselves are the
        /// snapshot's.
        var size: Int {
            guard case .pieces(let pieces) = body else { return body.count }
            return body.count + 32 * pieces.count
        }

        /// Nil where it does not pay.
        var gzip: [UInt8]? { body.count > Compression.minimumBytes ? compressed : nil }
    }

    private var lists: BoundedCache<Source, RecordList>
    private var contents: BoundedCache<Key, Content>

    init(capacity: Int, bytes: Int) {
        lists = BoundedCache(capacity: capacity, bytes: bytes)
        contents = BoundedCache(capacity: capacity, bytes: bytes)
    }

    func removeAll() {
        lists.removeAll()
        contents.removeAll()
    }

    /// Nil: none of the apps that count names the collection.
    func list(_ source: Source, in snapshot: Snapshot) -> RecordList? {
        if let list = lists[source] { return list }
        guard let list = snapshot.collections[source.collection]?.list(of: source.app) else { return nil }
        lists.keep(list, size: list.records.count * MemoryLayout<PublishedRecord>.stride, for: source)
        return list
    }

    func content(_ form: Form, _ source: Source, _ list: RecordList, _ query: RecordQuery) -> Content {
        let newest = query.since.map { list.count(newerThan: $0) }
        let records = newest.map { Array(list.records.prefix($0)) } ?? list.records.filter { !$0.isDeleted }
        guard form == .changeset || query.isPlain else {
            return Content(.bytes(Self.chosen(records, query)), count: records.count { !$0.isDeleted })
        }
        let key = Key(source: source, form: form, newest: newest)
        if let known = contents[key] { return known }
        let content = Content(
            .pieces(Self.pieces(form, source.collection, list.timestamp, records)),
            count: records.count { !$0.isDeleted })
        contents.keep(content, size: content.size, for: key)
        return content
    }

    /// The records' own bytes, with what belongs between them.
    private static func pieces(
        _ form: Form, _ collection: String, _ timestamp: Int64, _ records: [PublishedRecord]
    ) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        pieces.reserveCapacity(2 * records.count + 2)
        switch form {
        case .records: pieces.append(Array("{\"data\":[".utf8))
        case .changeset:
            let metadata = JSONValue.object(metadata(collection, timestamp)).text
            pieces.append(Array("{\"metadata\":\(metadata),\"timestamp\":\(timestamp),\"changes\":[".utf8))
        }
        for (position, record) in records.enumerated() {
            if position > 0 { pieces.append([UInt8(ascii: ",")]) }
            pieces.append(record.bytes)
        }
        pieces.append(Array("]}".utf8))
        return pieces
    }

    /// The metadata that readers of a changeset require. Nothing is signed: Nimbus' clients need the members, and check
    /// them only where they are built to.
    static func metadata(_ collection: String, _ timestamp: Int64) -> JSONObject {
        [
            "id": .string(collection), "bucket": "main", "last_modified": .integer(timestamp),
            "signature": ["signature": "", "x5u": ""], "signatures": [],
        ]
    }

    private static func chosen(_ records: [PublishedRecord], _ query: RecordQuery) -> [UInt8] {
        let ordered = query.isAscending ? records.reversed() : records
        let values = ordered.prefix(query.limit ?? .max).map { record -> JSONValue in
            guard let fields = query.fields else { return .object(record.members) }
            let kept = Set(fields).union(["id", "last_modified", "deleted"])
            return .object(JSONObject(record.members.filter { kept.contains($0.key) }))
        }
        return JSONValue.object(["data": .array(values)]).encoded
    }
}

extension RecordQuery {
    /// Neither order nor selection is asked for.
    fileprivate var isPlain: Bool { limit == nil && fields == nil && !isAscending }
}
