internal import BellwetherJSON

/// One key of an object in a format: its names, the type of its value, its default, and a sentence for authors
/// (docs/reference/flows.md#keys).
struct FormatKey: Sendable {
    indirect enum Kind: Sendable {
        /// A text for programs: an id, an address, a pattern.
        case text
        /// A text for respondents, which string tables can translate.
        case words
        /// Such a text with line breaks.
        case lines
        /// The name of something that the document or the app has, such as a surface.
        case name(of: String)
        /// An expression in JEXL.
        case expression
        case number(Bounds)
        case flag, any
        /// A day as `yyyy-MM-dd`.
        case day
        /// A time as `yyyy-MM-ddTHH:mm:ssZ`.
        case time
        /// A colour such as `#RRGGBB`.
        case color
        /// The address of an image or a video, which a page may load from the manifest's `web.media_origins` only.
        case picture
        /// An object with the keys of a table; nil if it has any keys.
        case object(String?)
        /// An object with any keys. A misspelled key of the table is reported.
        case bag(String)
        /// An object of values of one kind by name.
        case map(of: Kind)
        case list(of: Kind)
        /// A value of the first kind, or one of the second that means the same.
        case either(Kind, Kind)
        /// One of some words. A renderer may know others, unless the words are closed.
        case word([String], isClosed: Bool)
    }

    /// The range of a number, and its unit: `px`, `ms`, or `s`.
    struct Bounds: Sendable, Equatable {
        var low: Double?
        var high: Double?
        var unit = ""
    }

    /// The names of the key. The first one is the usual one; the others mean the same.
    let names: [String]
    let kind: Kind
    /// The default, as the reference writes it; empty if there is none.
    let usual: String
    let sentence: String
    /// The label, if the name does not give it.
    let title: String
    /// Whether nothing is drawn without it.
    let isNeeded: Bool
    /// The group in which a form has the key; empty: that of the content.
    let group: String

    /// Reads a row: the names, the type, the default, the sentence and the label, separated by `|`. `!` before the
    /// first name says that the key is needed. The type is one of:
    /// - a name of `kinds`, or the words of a choice; `=` before the first word closes the choice, `;` separates words
    ///   with spaces;
    /// - `number`, which bounds and a unit may follow: `number 0..60 px`; `name OF`, the name of something;
    /// - `{TABLE}`, an object; `{*TYPE}`, an object of values of a type; `{~TABLE}`, one with any keys;
    /// - `[TYPE]`, a list;
    /// - `TYPE/TYPE`, a value of either type.
    init(row: Substring, group: String) {
        let cells = Self.cells(row)
        func cell(_ index: Int) -> String { cells.indices.contains(index) ? cells[index] : "" }
        isNeeded = cell(0).hasPrefix("!")
        names = cell(0).drop { $0 == "!" }.split(separator: " ").map(String.init)
        kind = Kind(cell(1))
        (usual, sentence, title) = (cell(2), cell(3), cell(4))
        self.group = group
    }

    /// The cells of a row without the spaces around them.
    static func cells(_ row: Substring) -> [String] {
        row.split(separator: "|", omittingEmptySubsequences: false).map { cell in
            String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension FormatKey.Kind {
    private static let kinds: [String: FormatKey.Kind] = [
        "text": .text, "words": .words, "lines": .lines, "flag": .flag, "any": .any, "day": .day, "time": .time,
        "color": .color, "colors": .list(of: .color), "picture": .picture, "object": .object(nil),
        "number": .number(FormatKey.Bounds()), "expression": .expression,
    ]

    fileprivate init(_ cell: String) {
        let inner = String(cell.dropFirst().dropLast())
        if let slash = Self.slash(in: cell) {
            self = .either(Self(String(cell[..<slash])), Self(String(cell[cell.index(after: slash)...])))
        } else if cell.hasPrefix("[") {
            self = .list(of: Self(inner))
        } else if cell.hasPrefix("{") {
            switch inner.first {
            case "*": self = .map(of: Self(String(inner.dropFirst())))
            case "~": self = .bag(String(inner.dropFirst()))
            default: self = .object(inner)
            }
        } else {
            self = Self.kinds[cell] ?? Self.phrase(cell)
        }
    }

    /// A type of several words.
    private static func phrase(_ cell: String) -> FormatKey.Kind {
        let separator: Character = cell.contains(";") ? ";" : " "
        let words = cell.drop { $0 == "=" }.split(separator: separator).map(String.init)
        return switch words.first {
        case "number" where words.count > 1: .number(FormatKey.Bounds(words.dropFirst()))
        case "name" where words.count == 2: .name(of: words[1])
        default: .word(words, isClosed: cell.hasPrefix("="))
        }
    }

    /// The place of the first `/` that is in no brackets.
    private static func slash(in cell: String) -> String.Index? {
        var depth = 0
        return cell.indices.first { index in
            if "[{".contains(cell[index]) { depth += 1 }
            if "]}".contains(cell[index]) { depth -= 1 }
            return cell[index] == "/" && depth == 0
        }
    }

    /// The names of the tables of an object, or of the objects in a list.
    var tables: [String] {
        switch self {
        case .object(let name?), .bag(let name): [name]
        case .list(let kind), .map(let kind): kind.tables
        case .either(let one, let other): one.tables + other.tables
        default: []
        }
    }

    /// The type in the words of the reference.
    var phrase: String {
        switch self {
        case .text, .words, .lines: "text"
        case .name(let what): "name of \(what)"
        case .expression: "expression"
        case .number(let bounds): bounds.phrase
        case .flag: "true or false"
        case .any: "any"
        case .day: "a day as `yyyy-MM-dd`"
        case .time: "a time"
        case .color: "colour"
        case .picture: "address of a picture or video"
        case .object(let table?): "the table `\(table)`"
        case .object(nil), .bag: "object"
        case .map(let kind): "by name: \(kind.phrase)"
        case .list(.color): "list of colours"
        case .list(.object(let table?)): "list of `\(table)`"
        case .list(.either(.object(let table?), let kind)): "list of `\(table)`; instead of each: \(kind.phrase)"
        case .list(let kind): "list: \(kind.phrase)"
        case .either(let one, let other): "\(one.phrase); instead: \(other.phrase)"
        case .word(let words, _): words.map { "`\($0)`" }.joined(separator: ", ")
        }
    }
}

extension FormatKey.Bounds {
    /// Reads `LOW..HIGH` and a unit, both of which may be absent.
    fileprivate init(_ words: ArraySlice<String>) {
        for word in words {
            guard let dots = word.firstRange(of: "..") else {
                unit = word
                continue
            }
            low = Double(word[..<dots.lowerBound])
            high = Double(word[dots.upperBound...])
        }
    }

    fileprivate var phrase: String {
        let unit = unit.isEmpty ? "number" : "number of \(unit)"
        guard let low, let high else { return unit }
        return "\(unit) from \(JSONValue.number(low).shortText) to \(JSONValue.number(high).shortText)"
    }
}

extension JSONValue {
    /// A number; a whole one as an integer.
    static func whole(_ number: Double) -> JSONValue {
        Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
    }

    /// The text of a number; that of a whole one has no fraction.
    fileprivate var shortText: String { double.map(Self.whole)?.text ?? text }
}
