import BellwetherBase
import Foundation
import TestSupport
import Testing

@Suite struct Base64Tests {
    /// RFC 4648 10.
    @Test(
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(_ text: String, _ encoded: String) {
        #expect(Base64.encode(Array(text.utf8)[...]) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
        #expect(Base64.decode(String(encoded.prefix { $0 != "=" })) == Array(text.utf8))
    }

    @Test func itReadsBackAlsoFromTheMiddleOfAnArray() {
        var generator = SeededGenerator(seed: 1)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(Data(base64Encoded: Base64.encode(([1, 2] + bytes).dropFirst(2))) == Data(bytes))
            #expect(Base64.decode(Base64.encode(bytes[...])) == bytes)
        }
    }

    @Test(arguments: ["A", "AAAAA", "Zm9=", "Zg=", "Zg===", "=", "Zh==", "Zm9v!", "Zm 9v", "Zm9vYg==Zg==", "Zm9-", "é"])
    func otherTextsAreRefused(_ text: String) { #expect(Base64.decode(text) == nil) }
}
