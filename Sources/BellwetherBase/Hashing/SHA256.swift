#if canImport(CryptoKit)
    internal import CryptoKit
#else
    internal import CCrypto
#endif

/// SHA-256 (FIPS 180-4), computed by the system's library: CryptoKit on Apple's systems, OpenSSL's libcrypto elsewhere.
/// A value without allocations. It can be copied at any point, and the copy continues from there.
public struct SHA256 {
    /// The size of a digest in bytes.
    public static let byteCount = 32
    /// The size of a block in bytes. HMAC pads its key to this size.
    static let blockByteCount = 64

    #if canImport(CryptoKit)
        private var context = CryptoKit.SHA256()

        public init() {}
    #else
        private var context = SHA256_CTX()

        public init() { SHA256_Init(&context) }
    #endif

    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    private mutating func update(_ bytes: UnsafeRawBufferPointer) {
        #if canImport(CryptoKit)
            context.update(bufferPointer: bytes)
        #else
            SHA256_Update(&context, bytes.baseAddress, bytes.count)
        #endif
    }

    /// The digest of all input. The value is consumed.
    public consuming func finalize() -> SHA256Digest {
        var words: SHA256Digest.Words = (0, 0, 0, 0)
        #if canImport(CryptoKit)
            let digest = context.finalize()
            withUnsafeMutableBytes(of: &words) { words in digest.withUnsafeBytes { words.copyMemory(from: $0) } }
        #else
            withUnsafeMutableBytes(of: &words) { _ = SHA256_Final($0.baseAddress, &context) }
        #endif
        return SHA256Digest(bigEndian: words)
    }

    public static func hash(_ bytes: [UInt8]) -> SHA256Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }
}

/// The 32 bytes of a digest in four words. Reading a few bits therefore needs no allocation.
public struct SHA256Digest: RandomAccessCollection, Sendable {
    public typealias Words = (UInt64, UInt64, UInt64, UInt64)

    /// The words, most significant first.
    public let words: Words

    fileprivate init(bigEndian words: Words) {
        self.words = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { SHA256.byteCount }

    public subscript(position: Int) -> UInt8 {
        precondition(indices.contains(position), "a digest has \(SHA256.byteCount) bytes")
        let word =
            switch position / 8 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64(position % 8)))
    }
}

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
