import Testing

@testable import BellwetherBase

/// The results of OpenSSL (`openssl mac -macopt size:16 SIPHASH`) for the bytes 0, 1, 2, … under the key 0 … 15.
@Suite struct SipHashTests {
    @Test(
        arguments: [
            (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
            (2, "8177228da4a45dc7fca38bdef60affe4"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
            (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (63, "5150d1772f50834a503e069a973fbd7c"),
        ])
    func `It is the hash of the reference`(_ count: Int, _ wanted: String) throws {
        let hash = try #require(SipHash(key: Array(0..<16)))
        let text = [0xFF] + (0..<count).map { UInt8($0) }
        let (low, high) = hash.hash(text[1...])
        let bytes = [low, high].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
        let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(digits.joined() == wanted)
    }

    @Test func `A key has 16 bytes, and can be read back`() {
        #expect(SipHash(key: Array(0..<15)) == nil)
        #expect(SipHash(key: Array(0..<16))?.key == Array(0..<16))
    }
}
