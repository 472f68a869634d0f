/// Functions that append JSON text, for code that builds bytes.
public enum JSONText {
    /// Appends a string in quotation marks. Like serde_json, it escapes only the characters that RFC 8259 requires.
    public static func append(quoted string: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        if string.withBytes(isPlain) {
            output.append(contentsOf: string.utf8)
        } else {
            for byte in string.utf8 { append(escaped: byte, to: &output) }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        // Without an early exit the compiler can vectorise the loop.
        var escapes: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[unchecked: index]
            escapes |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0)
        }
        return escapes == 0
    }

    public static func append(_ integer: Int64, to output: inout [UInt8]) {
        if integer < 0 { output.append(UInt8(ascii: "-")) }
        append(digits: integer.magnitude, to: &output)
    }

    static func append(digits number: UInt64, to output: inout [UInt8]) {
        let start = output.count
        var rest = number
        repeat {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // The digits are reversed in place, because reversing a slice copies it.
        var (low, high) = (start, output.count - 1)
        while low < high {
            output.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }

    private static func append(escaped byte: UInt8, to output: inout [UInt8]) {
        let letter: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
        case 0x08: letter = UInt8(ascii: "b")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x09: letter = UInt8(ascii: "t")
        case 0..<0x20:
            output.append(contentsOf: "\\u00".utf8)
            append(hexadecimal: byte >> 4, to: &output)
            return append(hexadecimal: byte & 0xF, to: &output)
        default: return output.append(byte)
        }
        output.append(UInt8(ascii: "\\"))
        output.append(letter)
    }

    private static func append(hexadecimal digit: UInt8, to output: inout [UInt8]) {
        output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
}
