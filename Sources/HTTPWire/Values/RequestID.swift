/// A request id that is cheap to make: the second, a random prefix of the worker, and a count.
///
/// Written as a UUIDv7, as every id that the daemon makes (docs/reference/http-api.md#times-and-identifiers; RFC 9562
/// 5.7). Unique within a fleet as far as 42 random bits a second are, and on one worker for 2³² requests a second.
public struct RequestID: Sendable, Hashable {
    /// Since 1970-01-01T00:00:00Z; whole seconds are all that is known of the time.
    public var milliseconds: UInt64
    /// Its 42 lowest bits count.
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
