internal import HTTPWire

/// The query of a request for a collection (Kinto API 1.x, "Filtering", "Sorting", "Selecting fields").
///
/// An unknown filter is refused: without it, the response would have more records than requested. Other parameters that
/// begin with an underscore are ignored, as in Kinto: they only give caches different keys.
struct RecordQuery: Hashable {
    /// Only records newer than this time, with tombstones; nil for all records, without tombstones.
    private(set) var since: Int64?
    private(set) var limit: Int?
    /// Whether the oldest record comes first.
    private(set) var isAscending = false
    /// The selected fields; nil for all. `id`, `last_modified` and `deleted` are always present.
    private(set) var fields: [String]?
    /// The time that the reader expects to be the collection's newest. It makes a distinct URL, and does not change the
    /// content.
    private(set) var expected: Int64?

    init(_ call: Call) throws(KintoError) {
        let items: [QueryItem]
        do throws(APIError) {
            items = try call.query()
        } catch {
            throw .parameter("query", "it is not percent-encoded UTF-8")
        }
        try self.init(items: items)
    }

    init(items: [QueryItem]) throws(KintoError) {
        for item in items {
            let (name, value) = (item.name, item.value)
            switch name {
            case "_since", "gt_last_modified": since = max(since ?? 0, try Self.time(value, name))
            case "_limit":
                guard let count = Int(value), count > 0 else { throw .parameter(name, "a number from 1") }
                limit = count
            case "_sort":
                guard ["last_modified", "-last_modified"].contains(value) else {
                    throw .parameter(name, "records are sorted by last_modified or -last_modified")
                }
                isAscending = value == "last_modified"
            case "_fields": fields = value.split(separator: ",").map(String.init)
            case "_expected": expected = try? Self.time(value, name)
            case "_to", "_before": throw .parameter(name, "only what is newer can be asked for")
            default:
                guard name.hasPrefix("_") else { throw .parameter(name, "records are not filtered by this") }
            }
        }
    }

    /// The time in milliseconds, with or without the quotation marks of an entity tag.
    private static func time(_ text: String, _ name: String) throws(KintoError) -> Int64 {
        var digits = text.utf8[...]
        if digits.count > 1, digits.first == 0x22, digits.last == 0x22 { digits = digits.dropFirst().dropLast() }
        guard (1...19).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let time = Int64(String(decoding: digits, as: UTF8.self))
        else { throw .parameter(name, "a time in milliseconds, such as \"1790000000000\"") }
        return time
    }
}
