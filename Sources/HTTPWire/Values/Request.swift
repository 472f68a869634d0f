/// A request as it was received: a value over the bytes it came in.
///
/// It shares the worker's receive buffer. To keep a request beyond `respond` (in a parked continuation), keep
/// `detached`, or better only the values that are needed: otherwise the whole buffer is kept.
public struct Request: Sendable {
    var storage: [UInt8]
    /// Where the head starts in `storage`.
    var base: Int
    var head: RequestHead
    var bodyStorage: [UInt8]
    var bodyRange: Range<Int>

    /// The other end of the connection.
    public var peer = PeerAddress.unknown
    /// The id of this request in logs. It is sent back as X-Request-Id unless the client sent a well-formed one.
    package var generatedID = RequestID()

    public var method: HTTPMethod { head.method }
    public var isHTTP10: Bool { head.isHTTP10 }

    /// The path as sent, still percent-encoded; `*` for `OPTIONS *`.
    public var path: ArraySlice<UInt8> { slice(head.path) }

    /// What follows the first question mark, as sent; nil without one.
    public var query: ArraySlice<UInt8>? { head.query.isPresent ? slice(head.query) : nil }

    /// The content with the transfer coding removed.
    public var body: ArraySlice<UInt8> { bodyStorage[bodyRange] }

    /// The field's value without blanks around it; list fields sent in several lines are joined by ", ".
    public func header(_ name: KnownHeader) -> ArraySlice<UInt8>? {
        let place = head[name]
        guard place.isPresent else { return nil }
        guard head.isRepeated(name) else { return slice(place) }
        return joined { storage[$0].span.equals(folded: name.name) }
    }

    /// Any field, by its name in any case; several lines are joined by ", ".
    public func header(named name: String) -> ArraySlice<UInt8>? {
        let wanted = Array(name.utf8)
        return joined { place in
            place.count == wanted.count
                && zip(storage[place], wanted).allSatisfy { $0.lowercased == $1.lowercased }
        }
    }

    /// The client's X-Request-Id if it is well-formed (1…128 of `[A-Za-z0-9._-]`), otherwise the one made here.
    public var identifier: String {
        clientIdentifier.map { String(decoding: $0, as: UTF8.self) } ?? generatedID.text
    }

    /// The same request over its own bytes only.
    public var detached: Request {
        var copy = self
        copy.storage = Array(storage[base..<(base + head.length)])
        copy.base = 0
        copy.bodyStorage = Array(body)
        copy.bodyRange = 0..<copy.bodyStorage.count
        return copy
    }

    var clientIdentifier: ArraySlice<UInt8>? {
        guard let value = header(.requestID), (1...128).contains(value.count),
            value.allSatisfy({ $0.isIdentifierByte })
        else { return nil }
        return value
    }

    private func slice(_ range: ByteRange) -> ArraySlice<UInt8> { storage[range.range(from: base)] }
}
