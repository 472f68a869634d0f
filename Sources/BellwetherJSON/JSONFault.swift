/// The error that the parser throws. It is small, so that passing it through every level of the parser is cheap.
struct JSONFault: Error {
    let reason: Reason
    let offset: Int

    enum Reason {
        case unexpectedByte, expectedKey, expectedColon, expectedCommaOrBracket, expectedCommaOrBrace
        case trailingComma, empty, truncated, trailing
        case leadingZero, noDigit, outOfRange
        case unknownEscape, malformedUnicodeEscape, loneSurrogate
        case control, invalidUTF8, byteOrderMark, duplicateKey
        case tooDeep, tooLong, tooMany

        var kind: JSONError.Kind {
            switch self {
            case .unexpectedByte, .expectedKey, .expectedColon, .expectedCommaOrBracket, .expectedCommaOrBrace,
                .trailingComma:
                .syntax
            case .empty, .truncated: .truncated
            case .trailing: .trailing
            case .leadingZero, .noDigit, .outOfRange: .number
            case .unknownEscape, .malformedUnicodeEscape: .escape
            case .loneSurrogate: .surrogate
            case .control: .control
            case .invalidUTF8: .utf8
            case .byteOrderMark: .byteOrderMark
            case .duplicateKey: .duplicateKey
            case .tooDeep: .depth
            case .tooLong: .size
            case .tooMany: .count
            }
        }

        var phrase: String {
            switch self {
            case .unexpectedByte: "a value was expected"
            case .expectedKey: "a key in quotation marks was expected"
            case .expectedColon: "a colon was expected"
            case .expectedCommaOrBracket: "a comma or \"]\" was expected"
            case .expectedCommaOrBrace: "a comma or \"}\" was expected"
            case .trailingComma: "a comma with nothing after it"
            case .empty: "the text is empty"
            case .truncated: "the text ends too early"
            case .trailing: "something follows the end of the document"
            case .leadingZero: "a number with a leading zero"
            case .noDigit: "a digit was expected"
            case .outOfRange: "a number too large for a float"
            case .unknownEscape: "an unknown escape"
            case .malformedUnicodeEscape: "\\u without four hexadecimal digits"
            case .loneSurrogate: "a surrogate without its partner"
            case .control: "a control character in a string"
            case .invalidUTF8: "a byte that is not UTF-8"
            case .byteOrderMark: "a byte order mark"
            case .duplicateKey: "a duplicate key"
            case .tooDeep: "arrays and objects nested too deeply"
            case .tooLong: "the text is too long"
            case .tooMany: "too many values"
            }
        }
    }
}

extension JSONError {
    /// Creates the error with line and column. `detail` follows the phrase, for example a duplicate key's name.
    init(_ fault: JSONFault, in bytes: Span<UInt8>, detail: String? = nil) {
        let (line, column) = JSONLine.position(of: fault.offset, in: bytes)
        let phrase = detail.map { "\(fault.reason.phrase) \($0)" } ?? fault.reason.phrase
        self.init(
            kind: fault.reason.kind, offset: fault.offset, line: line, column: column,
            message: "\(phrase) at line \(line), column \(column)")
    }
}

/// Lines and columns of byte offsets.
enum JSONLine {
    /// Both are counted from 1. The column counts Unicode scalars, so continuation bytes do not count.
    static func position(of offset: Int, in bytes: Span<UInt8>) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for index in 0..<min(max(offset, 0), bytes.count) {
            switch bytes[index] {
            case UInt8(ascii: "\n"):
                line += 1
                column = 1
            case 0x80..<0xC0: break
            default: column += 1
            }
        }
        return (line, column)
    }
}
