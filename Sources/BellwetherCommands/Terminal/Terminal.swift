internal import FoundationEssentials
internal import Glibc

/// The output for terminals; a pipe or a file gets plain text.
package enum Terminal {
    package enum Tint: String {
        case good = "32"
        case bad = "31"
        case notable = "33"
        case faint = "2"
        case strong = "1"
    }

    /// Whether a stream is a terminal that interprets escape sequences.
    package static func isPresent(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Whether standard output is a terminal, and NO_COLOR is unset or empty (no-color.org).
    private static let isColored =
        isPresent(STDOUT_FILENO) && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty

    /// A text with colour, for standard output.
    package static func tinted(_ text: String, _ tint: Tint?) -> String {
        guard isColored, let tint, !text.isEmpty else { return text }
        return "\u{1B}[\(tint.rawValue)m\(text)\u{1B}[0m"
    }
}

extension Terminal {
    /// The kind of the written bytes.
    package enum Content {
        /// Lines for people. Foreign texts in them are `plain`; escape sequences come from the program itself.
        case lines
        /// CSV or JSON with foreign texts.
        case data
    }

    private static let hasOutput = isatty(STDOUT_FILENO) == 1

    /// The bytes for standard output. A pipe or a file gets them unchanged. For a terminal, control characters in
    /// foreign texts are removed, except line feeds and tabs. Characters that change the direction of text are also
    /// removed. No character is split.
    package static func output(_ bytes: [UInt8], _ content: Content) -> [UInt8] {
        guard hasOutput else { return bytes }
        let kept: Set<Unicode.Scalar> = content == .data ? ["\n", "\t"] : ["\n", "\t", "\r", "\u{1B}"]
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { kept.contains($0) || !$0.isObeyed }
        return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal interprets the character instead of showing it: control characters, and characters for
    /// bidirectional text.
    fileprivate var isObeyed: Bool { properties.generalCategory == .control || properties.isBidiControl }

    /// Whether the character breaks a line. A tab counts too, because it moves the following text.
    fileprivate var breaksLine: Bool {
        switch self {
        case "\n", "\r", "\t", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    package var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.dropLast(start.reversed().prefix(while: \.isWhitespace).count))
    }

    /// The text without characters that a terminal interprets, because texts come from owners and clients. A line break
    /// becomes a space, so the result is one line.
    package var plain: String { plainLines.joined(separator: " ") }

    /// The lines of a text, each `plain`.
    package var plainLines: [String] {
        var lines = [String.UnicodeScalarView()]
        var isAfterReturn = false
        for scalar in unicodeScalars {
            if scalar.breaksLine {
                // A carriage return with a line feed is one break.
                if scalar != "\n" || !isAfterReturn { lines.append(String.UnicodeScalarView()) }
            } else if !scalar.isObeyed {
                lines[lines.count - 1].append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return lines.map { String($0) }
    }

    /// The text with spaces after it, up to a width in characters.
    package func padded(to width: Int) -> String { self + space(to: width) }

    /// The text with spaces before it, for aligned numbers.
    package func alignedRight(to width: Int) -> String { space(to: width) + self }

    private func space(to width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - count)) }
}
