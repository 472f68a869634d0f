/// Byte classes of RFC 9110 and RFC 9112, as sets over ASCII.
extension UInt8 {
    /// One octet of a token (RFC 9110 5.6.2).
    var isTokenByte: Bool { isMember(low: 0x3ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe) }

    /// One octet of a request target. Control bytes, spaces, bytes beyond ASCII and `#` are excluded, because a
    /// fragment is never sent.
    var isTargetByte: Bool { self > 0x20 && self < 0x7f && self != 0x23 }

    /// One octet of `uri-host [":" port]` (RFC 3986 3.2.2), without the comma, because a list of hosts is refused.
    var isHostByte: Bool { isMember(low: 0x2fff_6ff2_0000_0000, high: 0x47ff_fffe_afff_fffe) }

    /// One octet of a field value: visible, obs-text, space or tab (RFC 9110 5.5).
    var isFieldValueByte: Bool { self >= 0x20 ? self != 0x7f : self == 0x09 }

    var isBlank: Bool { self == 0x20 || self == 0x09 }

    var isDigit: Bool { self &- 0x30 < 10 }

    /// One octet of a request id, which is sent back to the client and written to logs: `[A-Za-z0-9._-]`.
    var isIdentifierByte: Bool {
        isDigit || (self | 0x20) &- 0x61 < 26 || self == 0x2e || self == 0x5f || self == 0x2d
    }

    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    private func isMember(low: UInt64, high: UInt64) -> Bool {
        let word = self < 64 ? low : high
        return self < 128 && (word >> UInt64(self & 63)) & 1 == 1
    }
}

extension Span<UInt8> {
    /// Whether all bytes are allowed in a request target.
    var areTargetBytes: Bool {
        // Without an early exit the compiler can vectorise the loop.
        var others: UInt8 = 0
        for index in indices {
            let byte = self[unchecked: index]
            others |= (byte <= 0x20 ? 1 : 0) | (byte >= 0x7f ? 1 : 0) | (byte == 0x23 ? 1 : 0)
        }
        return others == 0
    }

    /// Whether the bytes are equal to a text.
    public func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let other = text.utf8Start
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }

    /// Whether the bytes are equal to a text without regard to ASCII case. `text` is lowercase.
    func equals(folded text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let other = text.utf8Start
        for index in 0..<count where self[index].lowercased != other[index] { return false }
        return true
    }
}

extension ArraySlice<UInt8> {
    func equals(folded text: StaticString) -> Bool { span.equals(folded: text) }

    /// The slice without spaces and tabs at both ends.
    var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first.isBlank { slice.removeFirst() }
        while let last = slice.last, last.isBlank { slice.removeLast() }
        return slice
    }
}
