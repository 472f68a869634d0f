import BellwetherBase
import Testing

@Suite struct HMACTests {
    /// A test case of RFC 4231, section 4. Case 5 publishes the first 16 bytes only.
    struct Vector: Sendable, CustomTestStringConvertible {
        let number: Int
        let key: [UInt8]
        let text: [UInt8]
        let code: String

        var testDescription: String { "case \(number)" }

        init(_ number: Int, key: [UInt8], text: [UInt8], code: String) {
            (self.number, self.key, self.text, self.code) = (number, key, text, code)
        }

        init(_ number: Int, key: [UInt8], text: String, code: String) {
            self.init(number, key: key, text: Array(text.utf8), code: code)
        }
    }

    private static func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }

    private static let vectors = [
        Vector(
            1, key: repeated(0x0b, 20), text: "Hi There",
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            2, key: Array("Jefe".utf8), text: "what do ya want for nothing?",
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            3, key: repeated(0xaa, 20), text: repeated(0xdd, 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            4, key: Array(1...25), text: repeated(0xcd, 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(
            5, key: repeated(0x0c, 20), text: "Test With Truncation", code: "a3b6167473100ee06e0c796c2955552b"),
        Vector(
            6, key: repeated(0xaa, 131), text: "Test Using Larger Than Block-Size Key - Hash Key First",
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Vector(
            7, key: repeated(0xaa, 131),
            text: "This is a test using a larger than block-size key and a larger than block-size data. "
                + "The key needs to be hashed before being used by the HMAC algorithm.",
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test(arguments: vectors)
    func `The published cases have the published codes`(_ vector: Vector) {
        let code = HMAC.authenticationCode(for: vector.text, key: vector.key)
        #expect(hex(code).hasPrefix(vector.code))
    }

    @Test func `A key of a block's length is used as it is, a longer one by its digest`() {
        let text = Array("text".utf8)
        let (block, longer) = (Self.repeated(7, 64), Self.repeated(7, 65))
        let code = Array(HMAC.authenticationCode(for: text, key: block))
        #expect(code != Array(HMAC.authenticationCode(for: text, key: Array(SHA256.hash(block)))))
        #expect(
            Array(HMAC.authenticationCode(for: text, key: longer))
                == Array(HMAC.authenticationCode(for: text, key: Array(SHA256.hash(longer)))))
    }
}
