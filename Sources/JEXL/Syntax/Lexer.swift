/// Splits an expression's text into tokens (docs/reference/expressions.md#tokens).
///
/// Letters, digits and white space are defined by Unicode. Mozilla's implementation crashes on characters outside of
/// ASCII; this one reads them.
struct Lexer {
    let bytes: [UInt8]
    var position = 0

    init(_ source: String) { bytes = Array(source.utf8) }

    mutating func next() throws(JEXLError) -> Token {
        while position < bytes.count, case let scalar = scalar(at: position), scalar.properties.isWhitespace {
            position += scalar.utf8.count
        }
        let start = position
        guard start < bytes.count else { return Token(kind: .end, start: start, end: start) }
        let kind = try kind()
        return Token(kind: kind, start: start, end: position)
    }

    private mutating func kind() throws(JEXLError) -> Token.Kind {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try string(quote: byte))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: ".") where isDigit(at: position + 1): return number()
        default: break
        }
        if let binary = binaryOperator() { return .binary(binary) }
        if let symbol = Token.Symbol(rawValue: byte) {
            position += 1
            return .symbol(symbol)
        }
        let scalar = scalar(at: position)
        guard scalar.properties.isAlphabetic || scalar == "_" else { throw unexpected(scalar) }
        return word()
    }

    /// The longest operator at the position that consists of signs; `in` is a word.
    private mutating func binaryOperator() -> Operator? {
        let pair = String(decoding: bytes[position..<min(position + 2, bytes.count)], as: UTF8.self)
        if pair.utf8.count == 2, let binary = Operator(rawValue: pair), binary != .isIn {
            position += 2
            return binary
        }
        guard let binary = Operator(rawValue: String(Unicode.Scalar(bytes[position]))) else { return nil }
        position += 1
        return binary
    }

    private mutating func word() -> Token.Kind {
        let start = position
        while position < bytes.count, case let scalar = scalar(at: position), Self.continuesWord(scalar) {
            position += scalar.utf8.count
        }
        switch String(decoding: bytes[start..<position], as: UTF8.self) {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        case "in": return .binary(.isIn)
        case let name: return .identifier(name)
        }
    }

    private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
        switch scalar.properties.generalCategory {
        case .decimalNumber, .letterNumber, .otherNumber: return true
        default: return scalar.properties.isAlphabetic
        }
    }

    /// The scalar that begins at a byte of the text.
    func scalar(at position: Int) -> Unicode.Scalar {
        let lead = bytes[position]
        if lead < 0x80 { return Unicode.Scalar(lead) }
        let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        let end = min(position + count, bytes.count)
        return String(decoding: bytes[position..<end], as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    }

    func isDigit(at position: Int) -> Bool {
        position < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
    }

    private func unexpected(_ scalar: Unicode.Scalar) -> JEXLError {
        let hint =
            switch scalar {
            case "!": "there is no \"!\" operator; write x == false"
            case "=": "\"=\" is no operator; did you mean \"==\"?"
            case "&": "\"&\" is no operator; did you mean \"&&\"?"
            default: "unexpected character \(scalar.escaped(asASCII: false).debugDescription)"
            }
        return JEXLError(kind: .parse, message: hint, offset: position)
    }
}

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
