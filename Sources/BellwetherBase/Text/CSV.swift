/// Writes CSV (RFC 4180) for all of the daemon's tables.
///
/// Texts come from clients and owners, and a spreadsheet runs a text that looks like a formula. So such a text gets a
/// leading apostrophe, which marks a text in spreadsheets. Other values are written unchanged, because a number may be
/// negative.
package enum CSV {
    package enum Field {
        /// No value. It is written as nothing, while an empty text is `""`.
        case null
        /// A number, a time or a Boolean in the daemon's own form.
        case literal(String)
        case text(String)
    }

    /// The byte order mark of UTF-8. Excel reads a table without it in the encoding of the system.
    package static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Writes one line.
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

    /// Whether a text with this first byte may be a formula: `=`, `+`, `-` or `@`, or a tab or line break, which a
    /// spreadsheet skips.
    private static func startsFormula(_ byte: UInt8) -> Bool { "=+-@\t\r\n".utf8.contains(byte) }
}

extension CSV.Field {
    package static func text(_ text: String?) -> CSV.Field { text.map { .text($0) } ?? .null }

    package static func literal(_ text: String?) -> CSV.Field { text.map { .literal($0) } ?? .null }

    package static func number(_ number: Int?) -> CSV.Field { number.map { .literal(String($0)) } ?? .null }
}
