import Testing

@testable import HTTPWire

/// Numbers as hexadecimal digits.
@Suite struct HexadecimalTests {
    private func padded(_ value: some BinaryInteger, _ count: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: count - digits.count) + digits
    }

    @Test func `Every digit is written in every place`() {
        for shift in stride(from: 0, to: 32, by: 4) {
            for digit in 0..<16 as Range<UInt32> {
                let value = digit << UInt32(shift) | (0x1234_ABCD & ~(15 << UInt32(shift)))
                var bytes: [UInt8] = [0x3e]
                bytes.append(hexadecimal: value)
                #expect(String(decoding: bytes, as: UTF8.self) == ">" + padded(value, 8))
            }
        }
    }

    @Test(arguments: [0, 1, 0x0A, 0x09AF, 0x7FFF, 0xFFFF] as [UInt16])
    func `Four digits follow a hyphen`(_ value: UInt16) {
        var bytes: [UInt8] = []
        bytes.append(hyphenated: value)
        #expect(String(decoding: bytes, as: UTF8.self) == "-" + padded(value, 4))
    }

    @Test func `A request's id is a UUID of version 7`() {
        let id = RequestID(milliseconds: 0x0123_4567_89AB, prefix: 0x2AB_CDEF_0123, serial: 0x4567_89AB)
        #expect(id.text == "01234567-89ab-7aaf-8def-0123456789ab")
        #expect(RequestID().text == "00000000-0000-7000-8000-000000000000")
        let last = RequestID(milliseconds: .max, prefix: .max, serial: .max)
        #expect(last.text == "ffffffff-ffff-7fff-bfff-ffffffffffff")
    }
}
