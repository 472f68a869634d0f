import BellwetherBase
import Testing

struct PackedTests {
    @Test(
        arguments: [
            (0, [0]), (1, [1]), (127, [127]), (128, [0x80, 1]), (300, [0xAC, 2]),
            (.max, [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
        ] as [(UInt64, [UInt8])])
    func unsignedIntegersTakeSevenBitsAByte(value: UInt64, bytes: [UInt8]) {
        var writer = PackedWriter()
        writer.unsigned(value)
        #expect(writer.bytes == bytes)
        var reader = PackedReader(bytes)
        #expect(reader.unsigned() == value)
        #expect(reader.isAtEnd)
    }

    @Test(arguments: [(0, 1), (-1, 1), (63, 1), (-64, 1), (64, 2), (.max, 10), (.min, 10)] as [(Int64, Int)])
    func signedIntegersOfSmallMagnitudeAreShort(value: Int64, length: Int) {
        var writer = PackedWriter()
        writer.signed(value)
        #expect(writer.bytes.count == length)
        var reader = PackedReader(writer.bytes)
        #expect(reader.signed() == value)
    }

    @Test func whatIsWrittenIsReadBackInOrder() {
        var writer = PackedWriter()
        writer.string("")
        writer.string("homepage_viewed é 🧭")
        writer.bool(true)
        writer.bytes([1, 2, 3])
        writer.unsigned(7)
        var reader = PackedReader(writer.bytes)
        #expect(reader.string() == "")
        #expect(reader.string() == "homepage_viewed é 🧭")
        #expect(reader.bool() == true)
        #expect(reader.bytes().map(Array.init) == [1, 2, 3])
        #expect(reader.unsigned() == 7)
        #expect(reader.isAtEnd)
    }

    @Test(
        arguments: [
            [], [0x80], [0x80, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 1],
        ] as [[UInt8]])
    func whatNoWriterMakesIsNoInteger(bytes: [UInt8]) {
        var reader = PackedReader(bytes)
        #expect(reader.unsigned() == nil)
        #expect(reader.signed() == nil)
        #expect(reader.count() == nil)
    }

    @Test func aLengthBeyondTheBytesIsNotBelieved() {
        var writer = PackedWriter()
        writer.unsigned(.max)
        writer.unsigned(1)
        var reader = PackedReader(writer.bytes)
        #expect(reader.string() == nil)
        #expect(reader.bytes() == nil)
        #expect(reader.unsigned() == .max, "a failed read stays where it was")
    }

    @Test func brokenTextIsNil() {
        var reader = PackedReader([2, 0xC3, 0x28])
        #expect(reader.string() == nil)
        #expect(reader.bytes().map(Array.init) == [0xC3, 0x28])
    }

    @Test func valuesOutsideOfTheirRangeAreNil() {
        var reader = PackedReader([5, 5, 2])
        #expect(reader.unsigned(in: 0...4) == nil)
        #expect(reader.unsigned(in: 0...5) == 5)
        #expect(reader.signed(in: 0...4) == nil)
        #expect(reader.signed(in: -3...0) == -3)
        #expect(reader.bool() == nil)
    }

    @Test func aSliceIsReadFromItsOwnStart() {
        let bytes: [UInt8] = [9, 9, 1, 65, 9]
        var reader = PackedReader(bytes[2..<4])
        #expect(reader.string() == "A")
        #expect(reader.isAtEnd)
    }
}
