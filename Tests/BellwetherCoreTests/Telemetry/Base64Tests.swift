import Foundation
import TestSupport
import Testing

@testable import BellwetherCore

@Suite struct Base64Tests {
    /// RFC 4648 10.
    @Test(
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(_ text: String, _ encoded: String) {
        #expect(Base64.encode(Array(text.utf8)[...]) == encoded)
    }

    @Test func itReadsBackAlsoFromTheMiddleOfAnArray() {
        var generator = SeededGenerator(seed: 1)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(Data(base64Encoded: Base64.encode(([1, 2] + bytes).dropFirst(2))) == Data(bytes))
        }
    }
}
