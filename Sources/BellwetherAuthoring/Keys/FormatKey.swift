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
        case number(Bounds)
        case flag, any
        /// A day as `yyyy-MM-dd`.
        case day
        /// A colour such as `#RRGGBB`.
        case color
        /// A list of colours.
        case colors
        /// The address of an image or a video, which a page may load from the manifest's `web.media_origins` only.
        case picture
        /// An object with the keys of a table; nil if it has any keys.
        case object(String?)
        /// An object with the keys of a table, or a value that means the same.
        case objectOr(String, Kind)
        /// A list of objects with the keys of a table.
        case objects(String)
        /// A list of values of one kind.
        case list(of: Kind)
        /// A list of objects with the keys of a table, or of values that mean the same.
        case objectsOr(String, Kind)
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
    /// Whether nothing is drawn without it.
    let isNeeded: Bool
    /// The group in which a form has the key; empty: that of the content.
    let group: String

    /// Reads a row: the names, the type, the default and the sentence, separated by `|`. `!` before the first name says
    /// that the key is needed. The type is one of:
    /// - a name of `kinds`, or the words of a choice; `=` before the first word closes the choice;
    /// - `number`, which bounds and a unit may follow: `number 0..60 px`;
    /// - `{TABLE}`, an object, or `{TABLE/KIND}`; `[TABLE]` or `[KIND]`, a list; `[TABLE/KIND]`, a list of both.
    init(row: Substring, group: String) {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false).map { cell in
            String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        func cell(_ index: Int) -> String { cells.indices.contains(index) ? cells[index] : "" }
        isNeeded = cell(0).hasPrefix("!")
        names = cell(0).drop { $0 == "!" }.split(separator: " ").map(String.init)
        kind = Kind(cell(1))
        (usual, sentence) = (cell(2), cell(3))
        self.group = group
    }
}

extension FormatKey.Kind {
    private static let kinds: [String: FormatKey.Kind] = [
        "text": .text, "words": .words, "lines": .lines, "flag": .flag, "any": .any, "day": .day, "color": .color,
        "colors": .colors, "picture": .picture, "object": .object(nil), "number": .number(FormatKey.Bounds()),
    ]

    fileprivate init(_ cell: String) {
        let words = cell.drop { $0 == "=" }.split(separator: " ").map(String.init)
        if let kind = Self.kinds[cell] {
            self = kind
        } else if cell.hasPrefix("{") {
            self = Self.object(cell.dropFirst().dropLast().split(separator: "/").map(String.init))
        } else if cell.hasPrefix("[") {
            self = Self.list(of: cell.dropFirst().dropLast().split(separator: "/").map(String.init))
        } else if words.first == "number" {
            self = .number(FormatKey.Bounds(words.dropFirst()))
        } else {
            self = .word(words, isClosed: cell.hasPrefix("="))
        }
    }

    private static func object(_ elements: [String]) -> FormatKey.Kind {
        let name = elements.first ?? ""
        return elements.dropFirst().first.flatMap { kinds[$0] }.map { .objectOr(name, $0) } ?? .object(name)
    }

    private static func list(of elements: [String]) -> FormatKey.Kind {
        let name = elements.first ?? ""
        if let kind = kinds[name] { return .list(of: kind) }
        return elements.dropFirst().first.flatMap { kinds[$0] }.map { .objectsOr(name, $0) } ?? .objects(name)
    }

    /// The type in the words of the reference.
    var phrase: String {
        switch self {
        case .text, .words, .lines: "text"
        case .number(let bounds): bounds.phrase
        case .flag: "true or false"
        case .any: "any"
        case .day: "a day as `yyyy-MM-dd`"
        case .color: "colour"
        case .colors: "list of colours"
        case .picture: "address of a picture or video"
        case .object(let table): table.map { "the table `\($0)`" } ?? "object"
        case .objectOr(let table, let kind): "the table `\(table)`; instead: \(kind.phrase)"
        case .objects(let table): "list of `\(table)`"
        case .list(let kind): "list: \(kind.phrase)"
        case .objectsOr(let table, let kind): "list of `\(table)`; instead of each: \(kind.phrase)"
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

/// The keys of one object in a format.
struct FormatObject: Sendable {
    /// The name of the object, or of the type that has these keys.
    let name: String
    let keys: [FormatKey]

    /// - Parameter rows: A row for each key; see `FormatKey.init(row:group:)`. A line `# GROUP` begins a group.
    init(_ name: String, _ rows: String) {
        self.name = name
        var group = ""
        var keys: [FormatKey] = []
        for row in rows.split(separator: "\n") {
            let words = row.split(separator: " ")
            if words.first == "#" {
                group = String(words.last ?? "")
            } else {
                keys.append(FormatKey(row: row, group: group))
            }
        }
        self.keys = keys
    }

    /// All names of all keys.
    var names: [String] { keys.flatMap(\.names) }

    /// The object as a table of the reference.
    var reference: String {
        let title = name.contains("`") ? name : "`\(name)`"
        guard !keys.isEmpty else { return "**\(title)** has no keys of its own.\n" }
        let rows = keys.map { key in
            let names = key.names.map { "`\($0)`" }.joined(separator: ", ")
            let usual = key.usual.isEmpty && key.isNeeded ? "needed" : key.usual
            return "| \(names) | \(key.kind.phrase) | \(usual) | \(key.sentence) |\n"
        }
        return "**\(title)**\n\n| key | value | default | |\n|---|---|---|---|\n" + rows.joined()
    }
}

extension [FormatObject] {
    subscript(name: String) -> FormatObject? { first { $0.name == name } }

    /// The names of the keys of all objects, as one text.
    var names: String { flatMap(\.names).joined(separator: " ") }
}
