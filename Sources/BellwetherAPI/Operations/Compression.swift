internal import Gzip
internal import HTTPWire

/// Compresses responses with gzip if the client accepts it and the body is long enough
/// (docs/reference/http-api.md#compression).
enum Compression {
    /// Below this size, headers and time cost more than compression saves.
    static let minimumBytes = 1024
    /// The fastest level: responses are small and made anew.
    static let level: Int32 = 1

    /// Changes the body and its `Content-Encoding`. The entity tag becomes weak, because a strong tag identifies the
    /// exact bytes.
    ///
    /// A 304 has the tag of the body that the client has: a weak tag, if the client has a compressed body.
    static func apply(to response: inout Response, for request: Request, keeping responses: CompressedResponses) {
        if response.status == 304 { return weaken(&response, for: request, responses) }
        guard !response.isEncoded, response.body.count > minimumBytes else { return }
        response.add(line: "Vary: Accept-Encoding")
        guard responses.areAccepted(by: request.header(.acceptEncoding)),
            let body = responses.gzip(response, path: request.path)
        else { return }
        response.weakenEntityTag()
        response.body = .bytes(body)
        response.add("Content-Encoding", "gzip")
    }

    private static func weaken(_ response: inout Response, for request: Request, _ responses: CompressedResponses) {
        guard !response.isEncoded, let known = request.header(.ifNoneMatch), known.starts(with: [0x57, 0x2F]),
            responses.areAccepted(by: request.header(.acceptEncoding))
        else { return }
        response.weakenEntityTag()
        response.add("Vary", "Accept-Encoding")
    }

    /// Whether gzip is listed, or covered by `*`, with a weight other than 0 (RFC 9110 12.5.3).
    static func isAccepted(_ header: ArraySlice<UInt8>?) -> Bool {
        guard let header else { return false }
        var answer = false
        for item in String(decoding: header, as: UTF8.self).lowercased().split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let coding = parts.first, coding == "gzip" || coding == "*" else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if coding == "gzip" { return weight > 0 }
            answer = weight > 0
        }
        return answer
    }

    static func gzip(_ input: [UInt8]) -> [UInt8]? { Deflation.gzip(input, level: level) }
}

extension Response {
    mutating func weakenEntityTag() {
        guard let start = startOfStrongTag else { return }
        headers.insert(contentsOf: Array("W/".utf8), at: start)
    }

    /// The strong entity tag, with its quotes.
    var strongEntityTag: ArraySlice<UInt8>? {
        startOfStrongTag.map { headers[$0...].prefix { $0 != 0x0D } }
    }

    private var startOfStrongTag: Int? {
        let name = Self.entityTagField
        guard headers.count > name.count else { return nil }
        return (0..<(headers.count - name.count)).first { start in
            headers[start] == name[0] && headers[start...].starts(with: name)
        }.map { $0 + name.count - 1 }
    }

    private static let entityTagField = Array("ETag: \"".utf8)
}

extension Response.Body {
    var joined: [UInt8] {
        switch self {
        case .empty: []
        case .bytes(let bytes): bytes
        case .pieces(let pieces): Array(pieces.joined())
        }
    }
}

/// Recently compressed bodies, by path and entity tag. Many clients get the same response, and its compression costs
/// more than all other work for it. Belongs to one thread.
final class CompressedResponses {
    private struct Key: Hashable {
        let path: String
        let tag: String
    }

    private var bodies: BoundedCache<Key, [UInt8]>
    private var lastHeader: (bytes: ArraySlice<UInt8>, isAccepted: Bool)?

    init(capacity: Int, bytes: Int) { bodies = BoundedCache(capacity: capacity, bytes: bytes) }

    /// Whether the client accepts gzip. Clients of one kind send the same `Accept-Encoding`, so the last one is cached.
    func areAccepted(by header: ArraySlice<UInt8>?) -> Bool {
        guard let header else { return false }
        if let lastHeader, lastHeader.bytes == header { return lastHeader.isAccepted }
        let isAccepted = Compression.isAccepted(header)
        lastHeader = (Array(header)[...], isAccepted)
        return isAccepted
    }

    /// The compressed body of the response. A body without a strong entity tag is compressed each time.
    func gzip(_ response: Response, path: ArraySlice<UInt8>) -> [UInt8]? {
        guard let tag = response.strongEntityTag else { return Compression.gzip(response.body.joined) }
        let key = Key(path: String(decoding: path, as: UTF8.self), tag: String(decoding: tag, as: UTF8.self))
        if let known = bodies[key] { return known }
        guard let body = Compression.gzip(response.body.joined) else { return nil }
        bodies.keep(body, size: body.count + path.count + tag.count, for: key)
        return body
    }
}
