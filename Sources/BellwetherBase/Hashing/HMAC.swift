/// HMAC-SHA256 (RFC 2104): two SHA-256 over the text and the key, which is padded to a block in two ways.
public enum HMAC {
    public static func authenticationCode(for text: [UInt8], key: [UInt8]) -> SHA256Digest {
        // A key longer than a block is replaced by its digest.
        var block = key.count > SHA256.blockByteCount ? Array(SHA256.hash(key)) : key
        block += repeatElement(0, count: SHA256.blockByteCount - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(text)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(Array(inner.finalize()))
        return outer.finalize()
    }
}
