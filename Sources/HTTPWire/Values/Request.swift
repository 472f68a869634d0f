/// A received request: a value over the bytes in which it arrived.
///
/// It shares the worker's receive buffer. Code that keeps a request after `respond` keeps `detached`. Otherwise the
/// whole buffer is kept, and copied when the worker next receives bytes.
public struct Request: Sendable {
    var storage: [UInt8]
    /// The start of the head in `storage`.
    var base: Int
    var head: RequestHead
    var bodyStorage: [UInt8]
    var bodyRange: Range<Int>

    /// The other end of the connection.
    public var peer = PeerAddress.unknown
    /// Whether the request came over TLS to this server.
    public var isEncrypted = false
    /// The names in the client's certificate, which the server has verified: DNS names, addresses of e-mail, URIs, and
    /// the common name. Empty without a certificate.
    public var clientNames: [String] = []
    /// The id of this request in logs. It is sent as X-Request-Id unless the client sent a well-formed one.
    package var generatedID = RequestID()

    public var method: HTTPMethod { head.method }
    public var isHTTP10: Bool { head.isHTTP10 }

    /// The path as sent, still percent-encoded; `*` for `OPTIONS *`.
    public var path: ArraySlice<UInt8> { slice(head.path) }

    /// The bytes after the first question mark, as sent; nil without one.
    public var query: ArraySlice<UInt8>? { head.query.isPresent ? slice(head.query) : nil }

    /// The content with the transfer coding removed.
    public var body: ArraySlice<UInt8> { bodyStorage[bodyRange] }

    /// The field's value without blanks around it. The lines of a list field are joined by ", ".
    public func header(_ name: KnownHeader) -> ArraySlice<UInt8>? {
        let range = head[name]
        guard range.isPresent else { return nil }
        guard head.isRepeated(name) else { return slice(range) }
        return joined { storage[$0].span.equals(folded: name.name) }
    }

    /// Whether a list field has several lines.
    public func isRepeated(_ name: KnownHeader) -> Bool { head.isRepeated(name) }

    /// The value of any field, by its name in any case. Several lines are joined by ", ".
    public func header(named name: String) -> ArraySlice<UInt8>? {
        let wanted = Array(name.utf8)
        return joined { range in
            range.count == wanted.count
                && zip(storage[range], wanted).allSatisfy { $0.lowercased == $1.lowercased }
        }
    }

    /// The client's X-Request-Id if it is well-formed (1…128 of `[A-Za-z0-9._-]`), otherwise the generated id.
    public var identifier: String {
        clientIdentifier.map { String(decoding: $0, as: UTF8.self) } ?? generatedID.text
    }

    /// The same request with a copy of its own bytes only. A large body is already outside the receive buffer, and is
    /// not copied.
    public var detached: Request {
        guard bodyRange.count < ReceiveBuffer.workersCapacity else { return self }
        var copy = self
        copy.storage = Array(storage[base..<(base + head.length)])
        copy.base = 0
        copy.bodyStorage = Array(body)
        copy.bodyRange = 0..<copy.bodyStorage.count
        return copy
    }

    /// The same request with its own bytes, and with the decoded body.
    public func decoded(_ body: [UInt8]) -> Request {
        var copy = self
        copy.storage = Array(storage[base..<(base + head.length)])
        copy.base = 0
        copy.head[.contentEncoding] = ByteRange()
        copy.bodyStorage = body
        copy.bodyRange = body.indices
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

extension Request {
    /// Creates a request in memory, for tests and for responding without a socket. The same parser reads it and refuses
    /// the same faults.
    public init(
        _ method: HTTPMethod, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) throws(WireFault) {
        var text = "\(method.name) \(target) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.name.lowercased() == "host" }) { text += "Host: localhost\r\n" }
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        var buffer = ReceiveBuffer(Array((text + "\r\n").utf8))
        var parser = RequestParser()
        switch parser.next(&buffer) {
        case .request(let request), .head(let request): self = request
        case .fault(let fault): throw fault
        case .needsMore: throw .fieldLine
        }
        bodyStorage = body
        bodyRange = 0..<body.count
    }
}

extension Request {
    /// The values of all field lines with a wanted name, joined by ", " if there are several (RFC 9110 5.3).
    ///
    /// The lines were checked when the head was parsed: each contains a colon and ends with CRLF.
    func joined(where isWanted: (Range<Int>) -> Bool) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        var lines = storage[head.fields.range(from: base)]
        while let end = lines.firstIndex(of: 0x0a) {
            let line = lines[lines.startIndex..<(end - 1)]
            lines = lines[(end + 1)...]
            guard let colon = line.firstIndex(of: 0x3a), isWanted(line.startIndex..<colon) else { continue }
            let value = line[(colon + 1)...].trimmed
            if let first = found {
                found = first + [0x2c, 0x20] + value
            } else {
                found = value
            }
        }
        return found
    }
}

extension Request {
    /// A digest of the request in 128 bits: the method, the target as it was sent, the values of some fields, and the
    /// body. The hash has a random seed for each process, so a client cannot find two different requests with the same
    /// digest.
    public func digest(with fields: KnownHeader...) -> (UInt64, UInt64) {
        var hasher = Hasher()
        hasher.combine(method)
        combine(target, to: &hasher)
        for field in fields { combine(field, to: &hasher) }
        if !bodyRange.isEmpty { combineBody(to: &hasher) }
        return Self.finished(hasher)
    }

    private func combineBody(to hasher: inout Hasher) {
        bodyStorage.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[bodyRange])) }
    }

    /// A digest without one parameter of the query (the client), whose value is returned as it was sent. The values of
    /// the fields are part of the digest.
    ///
    /// The order of parameters is part of the digest only for parameters named `ordered`. If `matters` returns false
    /// for a parameter, it is left out and counted. This requires that it cannot contain a fault: it has a `=`, and no
    /// byte that may be encoded.
    public func split(
        apartFrom parameter: StaticString, ordered: StaticString, with fields: KnownHeader...,
        matters: (Span<UInt8>) -> Bool
    ) -> SplitQuery {
        var hasher = Hasher()
        combine(head.path, to: &hasher)
        var parts = SplitQuery()
        var unordered: (UInt64, UInt64) = (0, 0)
        forEachParameter { name, whole in
            if isName(name, parameter) {
                parts.isRepeated = parts.value != nil
                parts.value = storage[min(name.upperBound + 1, whole.upperBound)..<whole.upperBound]
            } else if isPlain(name), name.upperBound < whole.upperBound, !isName(name, ordered) {
                if !matters(storage.span.extracting(name)), isPlain((name.upperBound + 1)..<whole.upperBound) {
                    parts.ignored += 1
                } else {
                    var own = Hasher()
                    combine(whole, to: &own)
                    let digest = Self.finished(own)
                    unordered = (unordered.0 &+ digest.0, unordered.1 &+ digest.1)
                }
            } else {
                combine(whole, to: &hasher)
                hasher.combine(UInt8(ascii: "&"))
            }
        }
        hasher.combine(unordered.0)
        hasher.combine(unordered.1)
        for field in fields { combine(field, to: &hasher) }
        parts.digest = Self.finished(hasher)
        return parts
    }

    /// Whether all bytes are unreserved (RFC 3986, 2.3), so that no part of the text needs decoding.
    private func isPlain(_ range: Range<Int>) -> Bool {
        let bytes = storage.span
        for index in range {
            switch bytes[index] {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: continue
            default: return false
            }
        }
        return !range.isEmpty
    }

    /// Whether a name is the parameter's, as it was sent or after percent-decoding.
    private func isName(_ range: Range<Int>, _ parameter: StaticString) -> Bool {
        let length = parameter.utf8CodeUnitCount
        if range.count == length { return storage.span.extracting(range).equals(parameter) }
        guard range.count > length, storage[range].contains(UInt8(ascii: "%")) else { return false }
        return PercentDecoding.text(storage[range], plus: .space).map { Array($0.utf8).span.equals(parameter) } ?? false
    }

    /// Calls `body` with the ranges of each parameter's name, and of the whole parameter.
    private func forEachParameter(_ body: (_ name: Range<Int>, _ whole: Range<Int>) -> Void) {
        guard head.query.isPresent else { return }
        let query = head.query.range(from: base)
        let bytes = storage.span
        var start = query.lowerBound
        while start < query.upperBound {
            var (name, end) = (-1, start)
            while end < query.upperBound, bytes[end] != 0x26 {
                if name < 0, bytes[end] == 0x3d { name = end }
                end += 1
            }
            body(start..<(name < 0 ? end : name), start..<end)
            start = end + 1
        }
    }

    /// The path and the query.
    private var target: ByteRange {
        guard head.query.isPresent else { return head.path }
        let start = Int(head.path.offset)
        return ByteRange(start..<Int(head.query.offset + head.query.length))
    }

    private func combine(_ field: KnownHeader, to hasher: inout Hasher) {
        guard !head.isRepeated(field) else {
            // The other lines of the head are no part of it, because they may differ in each request.
            let list = Array(header(field) ?? [])
            hasher.combine(UInt32(truncatingIfNeeded: list.count))
            return list.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        let range = head[field]
        hasher.combine(range.length)
        if range.isPresent { combine(range, to: &hasher) }
    }

    private func combine(_ range: ByteRange, to hasher: inout Hasher) { combine(range.range(from: base), to: &hasher) }

    private func combine(_ range: Range<Int>, to hasher: inout Hasher) {
        storage.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private static func finished(_ hasher: Hasher) -> (UInt64, UInt64) {
        var (first, second) = (hasher, hasher)
        second.combine(true)
        first.combine(false)
        return (UInt64(bitPattern: Int64(first.finalize())), UInt64(bitPattern: Int64(second.finalize())))
    }
}

/// A query with one of its parameters separated from the rest.
public struct SplitQuery {
    /// The value as it was sent; nil if the parameter is missing.
    public fileprivate(set) var value: ArraySlice<UInt8>?
    public fileprivate(set) var isRepeated = false
    public fileprivate(set) var digest: (UInt64, UInt64) = (0, 0)
    /// The number of parameters that do not matter and are not part of the digest.
    public fileprivate(set) var ignored = 0
}
