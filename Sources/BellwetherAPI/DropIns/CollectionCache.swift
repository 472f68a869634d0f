internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Responses about collections, made once for each snapshot: millions of phones request the same few. Belongs to one
/// thread.
///
/// The records newer than any given time are a prefix of the list. So even invented times make no more responses than
/// there are records. The cache is bounded in number and bytes; a full cache starts empty again.
final class CollectionCache {
    enum Form: Hashable { case records, changeset }

    struct Source: Hashable {
        let collection: Identifier
        /// Nil means all apps.
        let app: Identifier?
    }

    /// The key of a cached response.
    private struct Key: Hashable {
        let source: Source
        let form: Form
        /// The number of the newest records, including tombstones; nil for all records except tombstones.
        let newest: Int?
    }

    final class Content {
        let body: Response.Body
        /// The number of records of all pages, without tombstones.
        let count: Int
        /// The last record of the page; nil if no page follows.
        let last: RecordPosition?
        private lazy var compressed = Compression.gzip(body.joined)

        init(_ body: Response.Body, count: Int, last: RecordPosition? = nil) {
            (self.body, self.count, self.last) = (body, count, last)
        }

        /// The bytes that the cached content takes: its pieces, and at most the compressed text. The records themselves
        /// belong to the snapshot.
        var size: Int {
            guard case .pieces(let pieces) = body else { return body.count }
            return body.count + 32 * pieces.count
        }

        /// The compressed body; nil if the body is too short for compression.
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

    /// The list; nil if none of the source's apps has the collection.
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
            let page = Self.page(of: records, query)
            return Content(
                .bytes(JSONValue.object(["data": .array(page.records.map { .object(query.selected($0)) })]).encoded),
                count: records.count { !$0.isDeleted }, last: page.last)
        }
        let key = Key(source: source, form: form, newest: newest)
        if let known = contents[key] { return known }
        let content = Content(
            .pieces(Self.pieces(form, source.collection, list.timestamp, records)),
            count: records.count { !$0.isDeleted })
        contents.keep(content, size: content.size, for: key)
        return content
    }

    /// The bytes of the records, with the bytes before, between and after them.
    private static func pieces(
        _ form: Form, _ collection: Identifier, _ timestamp: Int64, _ records: [PublishedRecord]
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

    /// The metadata that readers of a changeset require. Nothing is signed: Nimbus' clients require the members, but
    /// most builds do not check the signature.
    static func metadata(_ collection: Identifier, _ timestamp: Int64) -> JSONObject {
        [
            "id": .string(collection), "bucket": "main", "last_modified": .integer(timestamp),
            "signature": ["signature": "", "x5u": ""], "signatures": [],
        ]
    }

    private static func page(
        of records: [PublishedRecord], _ query: RecordQuery
    ) -> (records: ArraySlice<PublishedRecord>, last: RecordPosition?) {
        let ordered = query.isAscending ? records.reversed() : records
        let rest = query.position?.rest(of: ordered, isAscending: query.isAscending) ?? ordered[...]
        let page = rest.prefix(query.limit ?? .max)
        return (page, page.count < rest.count ? page.last.map { RecordPosition($0) } : nil)
    }
}

extension RecordQuery {
    /// Whether the query has no order, no page and no selection.
    fileprivate var isPlain: Bool { limit == nil && position == nil && fields == nil && !isAscending }

    /// The selected members of a record.
    func selected(_ record: PublishedRecord) -> JSONObject {
        guard let fields else { return record.members }
        let kept = Set(fields).union(["id", "last_modified", "deleted"])
        return JSONObject(record.members.filter { kept.contains($0.key) })
    }
}
