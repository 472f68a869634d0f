import Testing

@testable import Parquet

/// Runs and bit-packed values.
@Suite struct RunLengthEncoderTests {
    private func encoded(_ values: [UInt32], bitWidth: Int) -> [UInt8] {
        var encoder = RunLengthEncoder(bitWidth: bitWidth)
        for value in values { encoder.append(value) }
        return encoder.finish()
    }

    @Test(arguments: 1...18)
    func `Runs of 1 to 20 values are what they were in each width`(_ bitWidth: Int) throws {
        let largest = UInt32(1) << UInt32(bitWidth) - 1
        for first in 1...20 {
            for second in [1, 6, 7, 8, 9, 16, 20] {
                var values = [UInt32](repeating: largest, count: first) + [UInt32](repeating: 0, count: second)
                values += (0..<UInt32(first)).map { $0 * 7 & largest } + [UInt32](repeating: largest, count: second)
                let bytes = encoded(values, bitWidth: bitWidth)
                #expect(try HybridDecoder.decode(bytes, bitWidth: bitWidth, count: values.count) == values)
            }
        }
    }

    @Test func `The bytes are those of the format's example`() {
        // 0 to 7 in three bits, from the specification of the encoding.
        #expect(encoded([0, 1, 2, 3, 4, 5, 6, 7], bitWidth: 3) == [3, 0b10001000, 0b11000110, 0b11111010])
        #expect(encoded([UInt32](repeating: 1, count: 100), bitWidth: 1) == [200, 1, 1])
        #expect(encoded([UInt32](repeating: 700, count: 8), bitWidth: 10) == [16, 0xBC, 2])
        #expect(encoded([], bitWidth: 5) == [])
    }

    @Test(arguments: [503, 504, 505, 1007, 1008, 1009, 4000])
    func `Bit-packed runs have a head of one byte`(_ count: Int) throws {
        let values = (0..<UInt32(count)).map { $0 % 4 }
        let bytes = encoded(values, bitWidth: 2)
        #expect(try HybridDecoder.decode(bytes, bitWidth: 2, count: count) == values)
        let packed = (count + 7) / 8
        #expect(bytes.count == packed * 2 + (packed + 62) / 63)
    }

    @Test func `Counts are the same as single values`() {
        var counted = RunLengthEncoder(bitWidth: 1)
        for (value, count) in [(1, 3), (0, 30), (1, 1), (1, 20), (0, 0), (1, 2), (0, 5)] as [(UInt32, Int)] {
            counted.append(value, count: count)
        }
        let values = [1, 1, 1] + [UInt32](repeating: 0, count: 30) + [UInt32](repeating: 1, count: 23)
        #expect(counted.finish() == encoded(values + [0, 0, 0, 0, 0], bitWidth: 1))
    }

    @Test func `An encoder that has finished begins again`() {
        var encoder = RunLengthEncoder(bitWidth: 1)
        encoder.append(1, count: 9)
        #expect(encoder.finish() == [18, 1])
        encoder.append(1, count: 9)
        #expect(encoder.finish() == [18, 1])
        #expect(encoder.finish() == [])
    }

    @Test func `A width is at least 1`() {
        #expect([1, 2, 3, 4, 5, 8, 9, 15_000].map(RunLengthEncoder.bitWidth) == [1, 1, 2, 2, 3, 3, 4, 14])
    }
}
