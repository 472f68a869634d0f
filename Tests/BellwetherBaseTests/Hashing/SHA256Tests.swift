import BellwetherBase
import Testing

@Suite struct SHA256Tests {
    /// FIPS 180-4's examples: one block, several blocks, a long message; the empty text; NIST's example of 896 bits.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                + "nopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `The published examples have the published digests`(text: String, digest: String) {
        #expect(hex(SHA256.hash(Array(text.utf8))) == digest)
    }

    @Test func `A text in pieces has the digest of the whole`() {
        let text = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let whole = Array(SHA256.hash(text))
        for cut in text.indices {
            var hash = SHA256()
            hash.update(Array(text[..<cut]))
            hash.update([])
            hash.update(Array(text[cut...]))
            #expect(Array(hash.finalize()) == whole)
        }
    }

    @Test func `A copy goes on by itself`() {
        var hash = SHA256()
        hash.update(Array("a".utf8))
        var other = hash
        hash.update(Array("bc".utf8))
        other.update(Array("x".utf8))
        #expect(Array(hash.finalize()) == Array(SHA256.hash(Array("abc".utf8))))
        #expect(Array(other.finalize()) == Array(SHA256.hash(Array("ax".utf8))))
    }

    @Test func `A digest's words are its bytes, the most significant first`() {
        let digest = SHA256.hash(Array("abc".utf8))
        #expect(digest.words.0 == 0xba78_16bf_8f01_cfea && digest.words.1 == 0x4141_40de_5dae_2223)
        #expect(digest.words.2 == 0xb003_61a3_9617_7a9c && digest.words.3 == 0xb410_ff61_f200_15ad)
        #expect(digest.count == SHA256.byteCount)
        #expect(Array(digest.prefix(3)) == [0xba, 0x78, 0x16])
    }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
