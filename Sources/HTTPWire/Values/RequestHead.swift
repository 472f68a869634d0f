/// A range of bytes, counted from the start of the head. An empty range at 0 means "absent". A head starts with its
/// method, so no other part can be there.
struct ByteRange: Sendable {
    var offset: UInt32 = 0
    var length: UInt32 = 0

    init() {}

    init(_ range: Range<Int>) {
        offset = UInt32(truncatingIfNeeded: range.lowerBound)
        length = UInt32(truncatingIfNeeded: range.count)
    }

    var isPresent: Bool { offset != 0 }

    func range(from base: Int) -> Range<Int> {
        let start = base + Int(offset)
        return start..<(start + Int(length))
    }
}

/// The parts of a head, as ranges of its bytes.
struct RequestHead: Sendable {
    var method = HTTPMethod.other
    var isHTTP10 = false
    /// Whether the field Connection asks for the end of the connection; see `keepsAlive`.
    var closes = false
    var asksKeepAlive = false
    var path = ByteRange()
    /// The query. It is absent without a question mark, and empty if nothing follows the question mark.
    var query = ByteRange()
    /// The field lines, without the empty line that ends them.
    var fields = ByteRange()
    /// The length from the first byte of the request line to the end of the empty line.
    var length = 0
    var fieldCount = 0
    var framing = Framing.none
    var expectation = Expectation.none
    /// A bit for each known list field that has several lines.
    var repeated: UInt32 = 0
    /// The value of each `KnownHeader`.
    private(set) var slots = InlineArray<21, ByteRange>(repeating: ByteRange())

    enum Framing: Sendable, Hashable {
        case none, chunked
        case length(Int)
    }

    enum Expectation: Sendable { case none, proceed, unknown }

    /// Whether the client wants the connection to stay open (RFC 9112 9.3).
    var keepsAlive: Bool { !closes && (!isHTTP10 || asksKeepAlive) }

    subscript(name: KnownHeader) -> ByteRange {
        get { slots[name.rawValue] }
        set { slots[name.rawValue] = newValue }
    }

    func isRepeated(_ name: KnownHeader) -> Bool { repeated >> UInt32(name.rawValue) & 1 == 1 }
    mutating func markRepeated(_ name: KnownHeader) { repeated |= 1 << UInt32(name.rawValue) }
}
