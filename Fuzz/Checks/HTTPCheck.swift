internal import HTTPWire

/// The HTTP codec. The same requests and the same fault must result however the bytes are split, and all parts of a
/// request must be readable.
///
/// The first three bytes choose the split of the rest and the limit of the content.
public enum HTTPCheck: FuzzCheck {
    public static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome {
        guard bytes.count > 3 else { return .refused }
        let wire = Array(bytes.dropFirst(3))
        let bodyLimit = Int(bytes[2]) * 16
        var whole = WireReading(bodyLimit: bodyLimit)
        try whole.feed(wire, seed: nil)
        var cut = WireReading(bodyLimit: bodyLimit)
        try cut.feed(wire, seed: UInt64(bytes[0]) << 8 | UInt64(bytes[1]))
        try require(whole.lines == cut.lines, "cut differently, read differently: \(whole.lines), \(cut.lines)")
        readLeaves(wire[...])
        return whole.hasFailed ? .refused : .taken
    }

    private static let router = Router<Int>([
        (.get, "/v1/apps/{app}/messages", 1), (.post, "/v1/apps/{app}/recipes/validate", 2),
        (.put, "/v1/apps/{app}/recipes/{slug}", 3), (.get, "/v1/apps/main/{other}", 4), (.post, "/v1/features/", 5),
    ])

    /// The small parsers for parts of a target and for fields.
    private static func readLeaves(_ bytes: ArraySlice<UInt8>) {
        _ = try? QueryItems.parse(bytes)
        _ = router.match(.get, bytes)
        _ = router.match(.head, [0x2f] + bytes)
        _ = EntityTag.matches(ifNoneMatch: bytes, etag: "\"a\"")
        _ = EntityTag.matches(ifMatch: bytes, etag: "\"a\"")
    }
}

/// All results of a parser for some bytes.
private struct WireReading {
    private(set) var lines: [String] = []
    private(set) var hasFailed = false
    private var parser: RequestParser
    private var buffer = ReceiveBuffer()
    private let bodyLimit: Int

    init(bodyLimit: Int) {
        var limits = WireLimits()
        limits.headBytes = 600
        limits.headerCount = 12
        limits.targetBytes = 80
        limits.chunkExtensionBytes = 64
        parser = RequestParser(limits)
        self.bodyLimit = bodyLimit
    }

    mutating func feed(_ bytes: [UInt8], seed: UInt64?) throws(Violation) {
        var random = seed
        var start = 0
        while start < bytes.count && !hasFailed {
            let end = min(start + Self.step(&random, bytes.count), bytes.count)
            buffer.append(bytes[start..<end])
            try run()
            // A connection does the same between reads.
            buffer.trim()
            start = end
        }
        if !hasFailed { lines.append("rest \(buffer.count > 0 || !parser.isAtStart)") }
    }

    /// The size of the next piece: small with a seed, everything without.
    private static func step(_ random: inout UInt64?, _ all: Int) -> Int {
        guard let state = random else { return all }
        let next = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        random = next
        return Int(next >> 60) + 1
    }

    private mutating func run() throws(Violation) {
        while !hasFailed {
            switch parser.next(&buffer) {
            case .needsMore: return
            case .fault(let fault): try fail(fault)
            case .request(let request):
                try require(request.body.count <= bodyLimit, "content over the limit")
                try require(parser.isAtStart, "a request, and the parser is within one")
                let line = try Self.describe(request)
                lines.append(line)
                try require(try Self.describe(request.detached) == line, "detached, a request is another")
            case .head(let request):
                lines.append("head " + (try Self.describe(request)))
                do throws(WireFault) {
                    _ = try parser.admit(bodyLimit: bodyLimit, &buffer)
                } catch {
                    try fail(error)
                }
            }
        }
    }

    private mutating func fail(_ fault: WireFault) throws(Violation) {
        lines.append("\(fault.status) \(fault.code)")
        hasFailed = true
        guard case .fault(fault) = parser.next(&buffer) else { throw Violation("a fault does not stay") }
    }

    private static func describe(_ request: Request) throws(Violation) -> String {
        var text = "\(request.method) \(Array(request.path)) \(request.query.map { Array($0) } ?? [])"
        for header in KnownHeader.allCases {
            let value = request.header(header).map { Array($0) }
            let line = request.header(named: "\(header.name)").map { Array($0) }
            try require(value == line, "the slot and the line of \(header.name) differ")
            text += " \(value ?? [])"
        }
        return text + " \(Array(request.body)) \(request.isHTTP10) \(ResponseContext(request).keepsAlive)"
    }
}
