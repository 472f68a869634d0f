import Testing

@testable import Parquet

/// Dictionaries of values, and the bounds of values.
@Suite struct ValueDictionaryTests {
    private func index(_ text: String, _ dictionary: inout ValueDictionary) -> UInt32? {
        Array(text.utf8).withUnsafeBytes { dictionary.index(of: $0) }
    }

    @Test func `A value has the index of its first use`() {
        var dictionary = ValueDictionary(isText: true)
        let texts = ["", "a", "\u{0}", "a\u{0}", "12345678", "123456789", "12345678\u{0}", "123456781234567"]
        for (number, text) in texts.enumerated() { #expect(index(text, &dictionary) == UInt32(number)) }
        for (number, text) in texts.enumerated().reversed() { #expect(index(text, &dictionary) == UInt32(number)) }
        #expect(dictionary.count == texts.count)
        var output: [UInt8] = []
        dictionary.append([1, 0, 1], to: &output)
        #expect(output == [1, 0, 0, 0, 0x61, 0, 0, 0, 0, 1, 0, 0, 0, 0x61])
    }

    @Test func `It takes 15,000 entries, and still finds them when it is full`() {
        var dictionary = ValueDictionary(isText: true)
        for number in 0..<15_000 { #expect(index("client-\(number)", &dictionary) == UInt32(number)) }
        #expect(index("another", &dictionary) == nil)
        for number in 0..<15_000 { #expect(index("client-\(number)", &dictionary) == UInt32(number)) }
        #expect(dictionary.count == 15_000)
    }

    @Test func `It takes a mebibyte`() {
        var dictionary = ValueDictionary(isText: true)
        let half = String(repeating: "x", count: 1 << 19)
        #expect(index(half, &dictionary) == 0)
        #expect(index(half + "y", &dictionary) == nil)
        #expect(index(half.dropLast(8) + "", &dictionary) == 1)
        #expect(index("", &dictionary) == nil)
        #expect(index(half, &dictionary) == 0)
        #expect(dictionary.bytes.count == 1 << 20)
    }

    @Test func `Texts whose hashes collide fill it early`() throws {
        // The table has 512 slots for so many entries, so that 9 bits of the hash are the place of a text.
        let texts = (0...).lazy.map { "\($0)" }
            .filter { text in Array(text.utf8).withUnsafeBytes { ValueDictionary.hash($0) } % 512 == 7 }
            .prefix(ValueDictionary.maxSteps + 1)
        var dictionary = ValueDictionary(isText: true)
        for (number, text) in texts.enumerated() {
            #expect(index(text, &dictionary) == (number < ValueDictionary.maxSteps ? UInt32(number) : nil))
        }
        #expect(index("another", &dictionary) == UInt32(ValueDictionary.maxSteps))
    }

    @Test func `Bounds are in the order of numbers, and of bytes without signs`() throws {
        var bounds = ValueBounds()
        #expect(bounds.encoded(as: .int64)?.min == nil)
        for number in [3, -1, 256] as [Int64] { bounds.include(number) }
        let numbers = try #require(bounds.encoded(as: .int32))
        #expect(numbers.min == [255, 255, 255, 255] && numbers.max == [0, 1, 0, 0])
        for text in ["b", "ü", "a\u{0}", "a"] { Array(text.utf8).withUnsafeBytes { bounds.include($0) } }
        let texts = try #require(bounds.encoded(as: .string))
        #expect(texts.min == Array("a".utf8) && texts.max == Array("ü".utf8))
    }

    @Test(arguments: [(64, true), (65, false)])
    func `Texts longer than 64 bytes have no bounds`(_ count: Int, _ isStated: Bool) {
        var bounds = ValueBounds()
        for text in ["a", String(repeating: "z", count: count)] {
            Array(text.utf8).withUnsafeBytes { bounds.include($0) }
        }
        #expect((bounds.encoded(as: .string) != nil) == isStated)
    }

    @Test func `A long text between the bounds is no reason to leave them out`() {
        var bounds = ValueBounds()
        for text in ["a", String(repeating: "b", count: 100), "c"] {
            Array(text.utf8).withUnsafeBytes { bounds.include($0) }
        }
        #expect(bounds.encoded(as: .string)?.max == Array("c".utf8))
    }

    @Test func `Bounds of doubles include both zeros and leave out what is no number`() throws {
        var bounds = ValueBounds()
        bounds.include(Double.nan)
        #expect(bounds.encoded(as: .double)?.min == nil)
        bounds.include(0.0)
        let zeros = try #require(bounds.encoded(as: .double))
        #expect(zeros.min == [0, 0, 0, 0, 0, 0, 0, 0x80] && zeros.max == [0, 0, 0, 0, 0, 0, 0, 0])
    }
}
