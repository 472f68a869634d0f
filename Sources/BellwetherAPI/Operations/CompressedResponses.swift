internal import HTTPWire

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
