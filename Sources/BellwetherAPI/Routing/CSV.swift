/// Writes CSV (RFC 4180): all of the daemon's tables come from here.
///
/// Texts come from clients and owners, and a spreadsheet runs a text that begins like a formula. So such a text gets an
/// apostrophe in front, which spreadsheets take for "this is text". Other values are written as they are: a number may
/// be negative.
package enum CSV {
    package enum Field {
        /// Nothing between the commas; an empty text is `""`.
        case null
        /// A number, a time or a Boolean, which the daemon has written itself.
        case literal(String)
        case text(String)
    }

    /// One line.
    package static func write(_ fields: [Field], to output: inout [UInt8]) {
        for (position, field) in fields.enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            switch field {
            case .null: break
            case .literal(let text): output += text.utf8
            case .text(let text): append(text, to: &output)
            }
        }
        output += "\r\n".utf8
    }

    private static func append(_ text: String, to output: inout [UInt8]) {
        let apostrophe = text.utf8.first.map { startsFormula($0) } == true ? "'" : ""
        let isPlain = !text.isEmpty && !text.utf8.contains { isSpecial($0) }
        guard !isPlain else {
            output += (apostrophe + text).utf8
            return
        }
        output += "\"\(apostrophe)\(text.replacing("\"", with: "\"\""))\"".utf8
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A
    }

    /// `=`, `+`, `-` and `@`; a spreadsheet skips a tab or a line break in front of them.
    private static func startsFormula(_ byte: UInt8) -> Bool { "=+-@\t\r\n".utf8.contains(byte) }
}

extension CSV.Field {
    package static func text(_ text: String?) -> CSV.Field { text.map { .text($0) } ?? .null }

    package static func literal(_ text: String?) -> CSV.Field { text.map { .literal($0) } ?? .null }

    package static func number(_ number: Int?) -> CSV.Field { number.map { .literal(String($0)) } ?? .null }
}
