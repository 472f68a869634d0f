import HTTPWire

/// Fuzzes the HTTP codec: the same requests and the same fault must come out however the bytes are cut, nothing may
/// crash, and what a request offers to be read must be readable.
///
/// The first three bytes choose how the rest is cut and how much content is allowed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    guard size > 3 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data + 3, count: size - 3))
    let bodyLimit = Int(data[2]) * 16
    let whole = Reading(bytes, seed: nil, bodyLimit: bodyLimit)
    let cut = Reading(bytes, seed: UInt64(data[0]) << 8 | UInt64(data[1]), bodyLimit: bodyLimit)
    precondition(whole.lines == cut.lines, "cut differently, read differently")
    readLeaves(bytes[...])
    return 0
}

/// All that a parser says about some bytes.
private struct Reading {
    private(set) var lines: [String] = []
    private var parser: RequestParser
    private var buffer = ReceiveBuffer()
    private var hasFailed = false
    private let bodyLimit: Int

    init(_ bytes: [UInt8], seed: UInt64?, bodyLimit: Int) {
        var limits = WireLimits()
        limits.headBytes = 600
        limits.headerCount = 12
        limits.targetBytes = 80
        limits.chunkExtensionBytes = 64
        parser = RequestParser(limits)
        self.bodyLimit = bodyLimit
        var random = seed
        var start = 0
        while start < bytes.count && !hasFailed {
            let end = min(start + Self.step(&random, bytes.count), bytes.count)
            buffer.append(bytes[start..<end])
            run()
            // As a connection does between reads.
            buffer.trim()
            start = end
        }
        if !hasFailed { lines.append("rest \(buffer.count > 0 || !parser.isAtStart)") }
    }

    /// Mostly small pieces; everything at once without a seed.
    private static func step(_ random: inout UInt64?, _ all: Int) -> Int {
        guard let state = random else { return all }
        let next = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        random = next
        return Int(next >> 60) + 1
    }

    private mutating func run() {
        while !hasFailed {
            switch parser.next(&buffer) {
            case .needsMore: return
            case .fault(let fault): fail(fault)
            case .request(let request):
                precondition(request.body.count <= bodyLimit)
                precondition(parser.isAtStart)
                lines.append(Self.describe(request))
                precondition(Self.describe(request.detached) == lines.last)
            case .head(let request):
                lines.append("head " + Self.describe(request))
                do throws(WireFault) {
                    _ = try parser.admit(bodyLimit: bodyLimit, &buffer)
                } catch {
                    fail(error)
                }
            }
        }
    }

    private mutating func fail(_ fault: WireFault) {
        lines.append("\(fault.status) \(fault.code)")
        hasFailed = true
        guard case .fault(fault) = parser.next(&buffer) else { preconditionFailure("a fault does not stay") }
    }

    private static func describe(_ request: Request) -> String {
        var text = "\(request.method) \(Array(request.path)) \(request.query.map { Array($0) } ?? [])"
        for header in KnownHeader.allCases {
            let value = request.header(header)
            // The slots and the lines must say the same.
            precondition(value.map { Array($0) } == request.header(named: "\(header.name)").map { Array($0) })
            text += " \(value.map { Array($0) } ?? [])"
        }
        return text + " \(Array(request.body)) \(request.isHTTP10) \(ReplyContext(request).keepsAlive)"
    }
}

private let router = Router<Int>([
    (.get, "/v1/apps/{app}/messages", 1), (.post, "/v1/apps/{app}/recipes/validate", 2),
    (.put, "/v1/apps/{app}/recipes/{slug}", 3), (.get, "/v1/apps/main/{other}", 4), (.post, "/v1/features/", 5),
])

/// The small readers that see parts of a target and of fields.
private func readLeaves(_ bytes: ArraySlice<UInt8>) {
    _ = try? QueryItems.parse(bytes)
    _ = router.match(.get, bytes)
    _ = router.match(.head, [0x2f] + bytes)
    _ = EntityTag.matches(ifNoneMatch: bytes, etag: "\"a\"")
    _ = EntityTag.matches(ifMatch: bytes, etag: "\"a\"")
}
