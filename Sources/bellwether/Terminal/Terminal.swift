internal import Foundation
internal import Glibc

/// The bytes for a person's terminal: a pipe or a file gets plain text.
enum Terminal {
    enum Tint: String {
        case good = "32"
        case bad = "31"
        case notable = "33"
        case faint = "2"
        case strong = "1"
    }

    /// A stream that is a terminal and obeys.
    static func isPresent(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Where standard output is a terminal, and NO_COLOR is unset or empty (no-color.org).
    private static let isColored =
        isPresent(STDOUT_FILENO) && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty

    /// A text on standard output.
    static func tinted(_ text: String, _ tint: Tint?) -> String {
        guard isColored, let tint, !text.isEmpty else { return text }
        return "\u{1B}[\(tint.rawValue)m\(text)\u{1B}[0m"
    }
}

extension Terminal {
    /// The content of bytes that are written.
    enum Content {
        /// Lines for people. Texts of others in them are `plain`; escapes are the program's own.
        case lines
        /// CSV or JSON with the texts of others.
        case data
    }

    private static let hasOutput = isatty(STDOUT_FILENO) == 1

    /// The bytes for standard output: for a terminal without what it would obey in the texts of others, for a pipe or a
    /// file as they are. Control characters go but for line feeds and tabs, and so do those that turn the direction of
    /// what follows. No character is cut in two.
    static func output(_ bytes: [UInt8], _ content: Content) -> [UInt8] {
        guard hasOutput else { return bytes }
        let kept: Set<Unicode.Scalar> = content == .data ? ["\n", "\t"] : ["\n", "\t", "\r", "\u{1B}"]
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { kept.contains($0) || !$0.isObeyed }
        return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal does something else than showing it: control characters, and those for bidirectional text.
    fileprivate var isObeyed: Bool { properties.generalCategory == .control || properties.isBidiControl }

    /// A tabulator is taken for one, too: it moves what follows.
    fileprivate var breaksLine: Bool {
        switch self {
        case "\n", "\r", "\t", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}

extension StringProtocol {
    /// Without what a terminal would obey: texts are owners' and clients'. One line stays one line: a break of lines is
    /// a space.
    var plain: String { plainLines.joined(separator: " ") }

    /// The lines of a text, each `plain`.
    var plainLines: [String] {
        var lines = [String.UnicodeScalarView()]
        var isAfterReturn = false
        for scalar in unicodeScalars {
            if scalar.breaksLine {
                // A return with a line feed is one break.
                if scalar != "\n" || !isAfterReturn { lines.append(String.UnicodeScalarView()) }
            } else if !scalar.isObeyed {
                lines[lines.count - 1].append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return lines.map { String($0) }
    }

    /// With spaces up to a width in characters.
    func padded(to width: Int) -> String { self + space(to: width) }

    /// With spaces before it, as numbers stand below each other.
    func alignedRight(to width: Int) -> String { space(to: width) + self }

    private func space(to width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - count)) }
}
