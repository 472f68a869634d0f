/// A name for a request that costs next to nothing to make: a random prefix of the worker and a count.
///
/// Unique within a fleet as far as 64 random bits are; written as 16 and 8 or more hexadecimal digits.
public struct RequestID: Sendable, Hashable {
    public var prefix: UInt64
    public var serial: UInt64

    public init(prefix: UInt64 = 0, serial: UInt64 = 0) {
        self.prefix = prefix
        self.serial = serial
    }

    public var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func append(to output: inout [UInt8]) {
        Self.append(prefix, digits: 16, to: &output)
        output.append(UInt8(ascii: "-"))
        Self.append(serial, digits: serial >> 32 == 0 ? 8 : 16, to: &output)
    }

    private static func append(_ value: UInt64, digits: Int, to output: inout [UInt8]) {
        for position in stride(from: (digits - 1) * 4, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(position)) & 15
            output.append(digit < 10 ? digit + 0x30 : digit + 0x57)
        }
    }
}
