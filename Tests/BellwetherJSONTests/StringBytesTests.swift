import Testing

@testable import BellwetherJSON

/// The code for devices before iOS 26 gives the same results
/// (docs/decisions/archive/0082-dependencies-are-pinned-and-devices-have-a-minimum.md).
@Suite struct StringBytesTests {
    /// The first bytes, last bytes and limits of UTF-8 sequences, and bytes that occur in none.
    private static let bytes: [UInt8] = [0x00, 0x41, 0x80, 0xBD, 0xBF, 0xC1, 0xC3, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xFF]

    private static let texts = [
        "", "a", "launches", "fifteen bytes !", "more than fifteen bytes", "ümläut", "e\u{301}", "日本語", "👩‍👩‍👧",
        String(repeating: "long ", count: 100), "\u{0}", "\u{FFFD}",
    ]

    @Test func `Bytes are UTF-8 or not, whichever way they are read`() {
        for one in Self.bytes {
            for two in Self.bytes {
                for three in Self.bytes {
                    expectOneReading([one, two, three])
                    for four in [0x41, 0x80, 0xBF] as [UInt8] { expectOneReading([one, two, three, four]) }
                }
            }
        }
        for text in Self.texts { expectOneReading(Array(text.utf8)[...]) }
    }

    private func expectOneReading(_ bytes: ArraySlice<UInt8>) {
        let (usual, before) = (String(utf8: bytes.span), String(repairing: bytes.span))
        #expect(usual.map { Array($0.utf8) } == before.map { Array($0.utf8) }, "\(bytes)")
        #expect(before == nil || before.map { Array($0.utf8)[...] } == bytes, "\(bytes)")
    }

    @Test(arguments: texts) func `The bytes of a text are the same, whichever way they are lent`(_ text: String) {
        func copy(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
        #expect(text.withBytes(copy) == Array(text.utf8))
        #expect(text.withStoredBytes(copy) == Array(text.utf8))
    }

    @Test func `What is thrown over the bytes of a text comes out`() {
        struct Fault: Error, Equatable {}
        func fail(_ bytes: Span<UInt8>) throws(Fault) { throw Fault() }
        #expect(throws: Fault()) { try "text".withBytes(fail) }
        #expect(throws: Fault()) { try "text".withStoredBytes(fail) }
    }
}
