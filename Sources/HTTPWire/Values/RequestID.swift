/// A name for a request that costs next to nothing to make: the second, a random prefix of the worker, and a count.
///
/// Written as a UUIDv7, as every id that the daemon makes (api.md 1; RFC 9562 5.7). Unique within a fleet as far as 42
/// random bits a second are, and on one worker for 2³² requests a second.
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
        let hyphen = UInt8(ascii: "-")
        Self.append(milliseconds >> 16, digits: 8, to: &output)
        output.append(hyphen)
        Self.append(milliseconds, digits: 4, to: &output)
        output.append(hyphen)
        Self.append(0x7000 | prefix >> 30 & 0xFFF, digits: 4, to: &output)
        output.append(hyphen)
        Self.append(0x8000 | prefix >> 16 & 0x3FFF, digits: 4, to: &output)
        output.append(hyphen)
        Self.append(prefix << 32 | UInt64(serial), digits: 12, to: &output)
    }

    /// The lowest digits of the number.
    private static func append(_ value: UInt64, digits: Int, to output: inout [UInt8]) {
        for position in stride(from: (digits - 1) * 4, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(position)) & 15
            output.append(digit < 10 ? digit + 0x30 : digit + 0x57)
        }
    }
}
