/// A request id that is cheap to create: the second, a random prefix of the worker, and a count.
///
/// It is written as a UUIDv7, like every id that the daemon creates (docs/reference/http-api.md#times-and-identifiers;
/// RFC 9562 5.7). Within a fleet it is unique up to collisions of 42 random bits in one second. On one worker it is
/// unique for 2³² requests per second.
public struct RequestID: Sendable, Hashable {
    /// The milliseconds since 1970-01-01T00:00:00Z, in whole seconds, because the clock gives only seconds.
    public var milliseconds: UInt64
    /// The prefix. Only its 42 lowest bits are used.
    public var prefix: UInt64
    public var serial: UInt32

    public init(milliseconds: UInt64 = 0, prefix: UInt64 = 0, serial: UInt32 = 0) {
        self.milliseconds = milliseconds
        self.prefix = prefix
        self.serial = serial
    }

    public var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func append(to output: inout [UInt8]) {
        output.append(hexadecimal: UInt32(truncatingIfNeeded: milliseconds >> 16))
        output.append(hyphenated: UInt16(truncatingIfNeeded: milliseconds))
        output.append(hyphenated: 0x7000 | UInt16(prefix >> 30 & 0xFFF))
        output.append(hyphenated: 0x8000 | UInt16(prefix >> 16 & 0x3FFF))
        output.append(hyphenated: UInt16(truncatingIfNeeded: prefix))
        output.append(hexadecimal: serial)
    }
}
