extension Lexer {
    /// Reads digits, with a dot if digits follow it; or a dot and digits. There is no sign and no exponent.
    mutating func number() -> Token.Kind {
        let start = position
        skipDigits()
        if position < bytes.count, bytes[position] == UInt8(ascii: "."), isDigit(at: position + 1) {
            position += 1
            skipDigits()
        }
        // The zero at the front turns ".5" into a form that the standard library can parse.
        let value = Double("0" + String(decoding: bytes[start..<position], as: UTF8.self))
        return .number(value.flatMap { $0.isFinite ? $0 : nil })
    }

    private mutating func skipDigits() {
        while isDigit(at: position) { position += 1 }
    }

    /// Reads a string. The only escape is a backslash before the quote. Line breaks are allowed.
    mutating func string(quote: UInt8) throws(JEXLError) -> String {
        let start = position
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case quote: return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard position < bytes.count, bytes[position] == quote else {
                    throw JEXLError(
                        kind: .parse, message: "a backslash may only stand before the string's own quotation mark",
                        offset: position - 1)
                }
                content.append(quote)
                position += 1
            default: content.append(byte)
            }
        }
        throw JEXLError(kind: .parse, message: "the string that begins here has no end", offset: start)
    }
}
