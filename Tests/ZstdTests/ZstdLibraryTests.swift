import Testing

@testable import Zstd

/// libzstd, which is loaded at run time.
@Suite struct ZstdLibraryTests {
    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    @Test func `What is compressed is a frame, and smaller`() throws {
        let library = try #require(ZstdLibrary.shared)
        let text = Array(String(repeating: "Some text. ", count: 20_000).utf8)
        let frame = try #require(library.compress(text))
        #expect(Array(frame.prefix(4)) == Self.magic)
        #expect(frame.count < text.count / 100)
        #expect(library.compress(text) == frame)
        #expect(library.compress(text, level: 19) != frame)
    }

    @Test func `No bytes are a frame too`() throws {
        let frame = try #require(ZstdLibrary.shared?.compress([]))
        #expect(Array(frame.prefix(4)) == Self.magic)
    }

    @Test func `A library that does not exist, or that is another, is nil`() {
        #expect(ZstdLibrary(name: "libzstd-of-no-system.so.1") == nil)
        #expect(ZstdLibrary(name: "libc.so.6") == nil)
    }
}
