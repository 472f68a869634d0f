/// The meaning of a plus sign. It is literal in a path, and in queries of clients that do not encode it. In a
/// form-encoded query it is a space.
public enum PlusSign: Sendable { case literal, space }

/// The query of a target as `name=value` pairs in the order of the target.
public struct QueryItems {
    /// The decoded pairs; `%` escapes are UTF-8. A pair without `=` has the empty value. Empty pairs (`&&`) are
    /// skipped.
    public static func parse(_ raw: ArraySlice<UInt8>, plus: PlusSign = .space) throws(QueryError) -> [QueryItem] {
        var items: [QueryItem] = []
        for pair in raw.split(separator: 0x26) {
            let equals = pair.firstIndex(of: 0x3d) ?? pair.endIndex
            guard let name = PercentDecoding.text(pair[..<equals], plus: plus) else {
                throw QueryError(item: items.count, name: nil)
            }
            let rest = equals < pair.endIndex ? pair[(equals + 1)...] : []
            guard let value = PercentDecoding.text(rest, plus: plus) else {
                throw QueryError(item: items.count, name: name)
            }
            items.append(QueryItem(name: name, value: value, hasRawPlus: plus == .space && rest.contains(0x2b)))
        }
        return items
    }
}

/// One pair of a query, decoded.
public struct QueryItem: Sendable, Hashable {
    public let name: String
    public let value: String
    /// Whether the value was sent with a `+`, which was decoded as a space.
    public let hasRawPlus: Bool

    public init(name: String, value: String, hasRawPlus: Bool = false) {
        self.name = name
        self.value = value
        self.hasRawPlus = hasRawPlus
    }
}

/// A pair of a query that is not percent-encoded UTF-8.
public struct QueryError: Error, Sendable, Hashable {
    /// The pair's index, from 0.
    public let item: Int
    /// The pair's name; nil if it could not be read.
    public let name: String?

    /// A sentence for people.
    public var message: String {
        guard let name else { return "the name of query item \(item + 1) is not percent-encoded UTF-8" }
        return "the value of query item \"\(name)\" is not percent-encoded UTF-8"
    }
}
