/// An Apple `.strings` file: `"key" = "text";` with comments (docs/reference/http-api.md#the-command-strings).
///
/// All faults are reported: after a fault, reading continues after the next semicolon or at the next line.
public struct StringsFile: Sendable {
    public private(set) var entries: [(key: String, text: String)] = []
    public private(set) var faults: [CatalogFault] = []

    public static let maximumBytes = 4 << 20
    public static let maximumEntries = 50_000
    static let maximumText = 10_000
    private static let maximumKey = 1_000

    public init(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes else {
            faults = [
                CatalogFault(
                    line: 1, column: 1, code: "length", message: "a file has at most \(Self.maximumBytes) bytes")
            ]
            return
        }
        do throws(CatalogFault) {
            var scanner = StringsScanner(try CatalogText(bytes).scalars)
            read(&scanner)
            faults = scanner.faults
        } catch {
            faults = [error]
        }
    }

    private mutating func read(_ scanner: inout StringsScanner) {
        var known: Set<[UInt8]> = []
        while scanner.skipSpace() {
            let location = scanner.location
            guard let (key, text) = scanner.entry() else { continue }
            if !(1...Self.maximumKey).contains(key.unicodeScalars.count) {
                scanner.fault("length", at: location, "a key has 1 to \(Self.maximumKey) characters")
            } else if text.unicodeScalars.count > Self.maximumText {
                scanner.fault("length", at: location, "a text has at most \(Self.maximumText) characters")
            } else if !known.insert(Array(key.utf8)).inserted {
                scanner.fault("duplicate", at: location, "the key stands here twice")
            } else if entries.count == Self.maximumEntries {
                return scanner.fault("length", at: location, "a file has at most \(Self.maximumEntries) texts")
            } else {
                entries.append((key, text))
            }
        }
    }
}

/// Reads tokens, and tracks the position in the file.
private struct StringsScanner {
    struct Position {
        var line = 1
        var column = 1
    }

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private(set) var location = Position()
    private(set) var faults: [CatalogFault] = []

    private static let maximumFaults = 1000

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func fault(_ code: String, at location: Position, _ message: String) {
        guard faults.count < Self.maximumFaults else { return }
        faults.append(CatalogFault(line: location.line, column: location.column, code: code, message: message))
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func advance() {
        guard let scalar = next else { return }
        location =
            scalar == "\n"
            ? Position(line: location.line + 1, column: 1) : Position(line: location.line, column: location.column + 1)
        position += 1
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        advance()
        return true
    }

    /// Skips white space and comments. Returns false at the end of the file.
    mutating func skipSpace() -> Bool {
        while let scalar = next {
            if scalar.properties.isWhitespace {
                advance()
            } else if scalar == "/", position + 1 < scalars.count, scalars[position + 1] == "/" {
                while let scalar = next, scalar != "\n" { advance() }
            } else if scalar == "/", position + 1 < scalars.count, scalars[position + 1] == "*" {
                skipComment()
            } else {
                return true
            }
        }
        return false
    }

    private mutating func skipComment() {
        let start = location
        advance()
        advance()
        while let scalar = next {
            advance()
            if scalar == "*", take("/") { return }
        }
        fault("strings_syntax", at: start, "the comment is not closed")
    }

    /// Reads `"key" = "text";`, or `"key";`, whose text is its key. Nil after a fault.
    mutating func entry() -> (key: String, text: String)? {
        guard let key = token() else { return recover() }
        _ = skipSpace()
        if take(";") { return (key, key) }
        guard take("=") else {
            fault("strings_syntax", at: location, "expected = behind the key")
            return recover()
        }
        _ = skipSpace()
        guard let text = token() else { return recover() }
        _ = skipSpace()
        if !take(";") {
            // The following text is probably the next entry.
            fault("strings_syntax", at: location, "expected ; behind the text")
        }
        return (key, text)
    }

    /// Continues after the next semicolon, or at the next line.
    private mutating func recover() -> (key: String, text: String)? {
        while let scalar = next {
            advance()
            if scalar == ";" || scalar == "\n" { break }
        }
        return nil
    }

    /// Reads a text in quotation marks, or a word without them.
    private mutating func token() -> String? {
        if next == "\"" { return quoted() }
        var word = String.UnicodeScalarView()
        while let scalar = next, Self.isWord(scalar) {
            word.append(scalar)
            advance()
        }
        guard word.isEmpty else { return String(word) }
        fault("strings_syntax", at: location, "expected a text in quotation marks")
        return nil
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$", ".", "-", ":": true
        default: false
        }
    }

    private mutating func quoted() -> String? {
        let start = location
        advance()
        var text = String.UnicodeScalarView()
        var isWhole = true
        while let scalar = next {
            let here = location
            advance()
            switch scalar {
            case "\"": return isWhole ? String(text) : nil
            case "\\":
                guard let escaped = escape() else {
                    fault("strings_escape", at: here, "an escape that does not exist")
                    isWhole = false
                    continue
                }
                text.append(escaped)
            default: text.append(scalar)
            }
        }
        fault("strings_syntax", at: start, "the text is not closed")
        return nil
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "'": "'", "\\": "\\", "n": "\n", "r": "\r", "t": "\t", "a": "\u{7}", "b": "\u{8}", "f": "\u{C}",
        "v": "\u{B}", "\n": "\n",
    ]

    /// Reads the character after a backslash; a pair of surrogates is one character.
    private mutating func escape() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        if let plain = Self.escapes[scalar] {
            advance()
            return plain
        }
        if ("0"..."7").contains(scalar) { return Unicode.Scalar(digits(radix: 8, count: 1...3) ?? 0) }
        guard scalar == "u" || scalar == "U" else { return nil }
        advance()
        guard let unit = digits(radix: 16, count: 4...4) else { return nil }
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
        guard take("\\"), take("u") || take("U"), let low = digits(radix: 16, count: 4...4),
            (0xDC00..<0xE000).contains(low)
        else { return nil }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func digits(radix: UInt32, count: ClosedRange<Int>) -> UInt32? {
        var (value, taken): (UInt32, Int) = (0, 0)
        while taken < count.upperBound, let scalar = next, let digit = Character(scalar).hexDigitValue, digit < radix {
            value = value * radix + UInt32(digit)
            taken += 1
            advance()
        }
        return taken >= count.lowerBound ? value : nil
    }
}
