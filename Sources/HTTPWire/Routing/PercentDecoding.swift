internal import BellwetherJSON

/// Percent-decoding of parts of a target (RFC 3986 2.1).
package enum PercentDecoding {
    /// Decodes a text; nil if a `%` is not followed by two hexadecimal digits, or if the result is not UTF-8.
    package static func text(_ raw: ArraySlice<UInt8>, plus: PlusSign) -> String? {
        guard raw.contains(where: { $0 == 0x25 || ($0 == 0x2b && plus == .space) }) else {
            return String(utf8: raw.span)
        }
        guard let bytes = bytes(raw, plus: plus) else { return nil }
        return String(utf8: bytes.span)
    }

    static func bytes(_ raw: ArraySlice<UInt8>, plus: PlusSign) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(raw.count)
        var rest = raw
        while let byte = rest.popFirst() {
            switch byte {
            case 0x25:
                guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else { return nil }
                output.append(high << 4 | low)
            case 0x2b where plus == .space: output.append(0x20)
            default: output.append(byte)
            }
        }
        return output
    }
}
