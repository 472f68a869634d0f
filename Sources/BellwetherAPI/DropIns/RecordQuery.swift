internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The query of a request for a collection (Kinto API 1.x, "Filtering", "Sorting", "Paginating", "Selecting fields").
///
/// A parameter of Kinto is supported or refused: a response that ignored it would be another one than requested. Other
/// parameters that begin with an underscore are ignored, as in Kinto: they only give caches different keys.
struct RecordQuery: Hashable {
    /// Only records newer than this time, with tombstones; nil for all records, without tombstones.
    private(set) var since: Int64?
    private(set) var limit: Int?
    /// The last record of the page before.
    private(set) var position: RecordPosition?
    /// Whether the oldest record comes first.
    private(set) var isAscending = false
    /// The selected fields; nil for all. `id`, `last_modified` and `deleted` are always present.
    private(set) var fields: [String]?
    /// The time that the reader expects to be the collection's newest. It makes a distinct URL, and does not change the
    /// content.
    private(set) var expected: Int64?

    /// The parameters of Kinto that a route supports.
    enum Supported {
        case list, changeset, record

        fileprivate var names: Set<String> {
            switch self {
            case .list:
                ["_since", "gt_last_modified", "_limit", "_token", "_sort", "_fields", "_expected"]
            case .changeset: ["_since", "gt_last_modified", "_expected"]
            case .record: ["_fields"]
            }
        }
    }

    /// The parameters of Kinto that begin with an underscore.
    private static let known: Set<String> = [
        "_since", "_to", "_before", "_limit", "_token", "_sort", "_fields", "_expected",
    ]

    init(_ call: Call, _ supported: Supported) throws(KintoError) {
        try self.init(items: Self.items(of: call), supported)
    }

    static func items(of call: Call) throws(KintoError) -> [QueryItem] {
        do throws(APIError) {
            return try call.query()
        } catch {
            throw .parameter("query", "it is not percent-encoded UTF-8")
        }
    }

    init(items: [QueryItem], _ supported: Supported = .list) throws(KintoError) {
        for item in items {
            let (name, value) = (item.name, item.value)
            guard supported.names.contains(name) || !Self.known.contains(name) else {
                throw .parameter(name, "this is not supported here")
            }
            switch name {
            case "gt_last_modified" where !supported.names.contains(name):
                throw .parameter(name, "records are not filtered by this")
            case "_since", "gt_last_modified": since = max(since ?? 0, try Self.time(value, name))
            case "_limit":
                guard let count = Int(value), count > 0 else { throw .parameter(name, "a number from 1") }
                limit = count
            case "_token":
                guard let last = RecordPosition(token: value) else {
                    throw .parameter(name, "this is no token of a Next-Page")
                }
                position = last
            case "_sort":
                guard ["last_modified", "-last_modified"].contains(value) else {
                    throw .parameter(name, "records are sorted by last_modified or -last_modified")
                }
                isAscending = value == "last_modified"
            case "_fields":
                guard !value.contains(".") else { throw .parameter(name, "members of members are not selected") }
                fields = value.split(separator: ",").map(String.init)
            case "_expected": expected = try? Self.time(value, name)
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

/// The position of a record in a list. It says where the next page begins, also after the record is gone.
struct RecordPosition: Hashable {
    private let time: Int64
    private let id: Identifier

    init(_ record: PublishedRecord) { (time, id) = (record.lastModified, record.stored.id) }

    /// Nil if the text is not a token.
    init?(token: String) {
        guard let bytes = Base64.decode(token), let text = String(validating: bytes, as: UTF8.self),
            let space = text.utf8.firstIndex(of: UInt8(ascii: " ")), let time = Int64(text[..<space]), time >= 0
        else { return nil }
        (self.time, id) = (time, Identifier(text[text.index(after: space)...]))
    }

    var token: String { Base64.encode(Array("\(time) \(id)".utf8)[...]) }

    /// The records after the position, in the order of the list.
    func rest(of records: [PublishedRecord], isAscending: Bool) -> ArraySlice<PublishedRecord> {
        let own = records.firstIndex { $0.lastModified == time && $0.stored.id == id }
        if let own { return records[(own + 1)...] }
        let next = records.firstIndex { isAscending ? $0.lastModified > time : $0.lastModified < time }
        return records[(next ?? records.endIndex)...]
    }
}
