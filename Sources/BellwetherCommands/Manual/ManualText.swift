/// The text of a manual page, as lines of mdoc(7).
struct ManualText {
    private static let width = 76

    private(set) var lines: [String] = []

    /// Adds a macro line. The texts of its arguments never count as macros.
    mutating func macro(_ name: String, _ arguments: String...) {
        lines.append(([".\(name)"] + arguments).joined(separator: " "))
    }

    /// Adds prose. Each sentence begins a new line, as mdoc(7) recommends, and long lines are wrapped.
    mutating func prose(_ text: String) {
        for sentence in Self.sentences(text) {
            var line = ""
            for word in sentence.split(separator: " ") {
                let word = Self.escaped(word)
                if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > Self.width {
                    lines.append(line)
                    line = ""
                }
                line += line.isEmpty ? Self.guarded(word) : " " + word
            }
            if !line.isEmpty { lines.append(line) }
        }
    }

    /// The sentences of a text. A sentence ends with a point or a question mark before a capital letter.
    private static func sentences(_ text: String) -> [String] {
        var sentences: [String] = []
        var current: [Substring] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let last = current.last, last.hasSuffix(".") || last.hasSuffix("?"),
                word.first?.isUppercase == true || word.hasPrefix("--")
            {
                sentences.append(current.joined(separator: " "))
                current = []
            }
            current.append(word)
        }
        return sentences + [current.joined(separator: " ")]
    }

    /// An argument of a macro line.
    static func argument(_ text: some StringProtocol) -> String {
        let escaped = escaped(text)
        // A text of two letters could be the name of a macro, and a single point would be punctuation.
        let text = escaped.utf8.count <= 3 ? "\\&" + escaped : escaped
        return text.contains(" ") ? "\"\(text)\"" : text
    }

    /// Escapes characters that have a meaning in roff. Characters beyond ASCII get roff's names (groff_char(7)).
    private static func escaped(_ text: some StringProtocol) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += "\\e"
            case "\"": escaped += "\\(dq"
            case "-": escaped += "\\-"
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default: escaped += "\\[u\(hexadecimal(scalar.value))]"
            }
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Escapes a leading point or apostrophe, which would begin a request.
    private static func guarded(_ word: String) -> String {
        word.hasPrefix(".") || word.hasPrefix("'") ? "\\&" + word : word
    }
}
