internal import BellwetherJSON

/// One key of an object in a format: its names, the type of its value, its default, and a sentence for authors
/// (docs/reference/flows.md#keys).
struct FormatKey: Sendable {
    enum Kind: Sendable {
        case text, number, flag, list, object, any
        /// A colour such as `#RRGGBB`.
        case color
        /// A list of colours.
        case colors
        /// The address of an image or a video, which a page may load from the manifest's `web.media_origins` only.
        case picture
        /// One of some words. A renderer may know others, unless the words are closed.
        case word([String], isClosed: Bool)

        /// The type in the words of the reference.
        var phrase: String {
            switch self {
            case .text: "text"
            case .number: "number"
            case .flag: "true or false"
            case .list: "list"
            case .object: "object"
            case .any: "any"
            case .color: "colour"
            case .colors: "list of colours"
            case .picture: "address of a picture or video"
            case .word(let words, _): words.map { "`\($0)`" }.joined(separator: ", ")
            }
        }
    }

    /// The names of the key. The first one is the usual one; the others mean the same.
    let names: [String]
    let kind: Kind
    /// The default, as the reference writes it; empty if there is none.
    let usual: String
    let sentence: String
    /// Whether nothing is drawn without it.
    let isNeeded: Bool

    /// Reads a row: the names, the type, the default and the sentence, separated by `|`. The type is the name of a
    /// kind, or the words of a choice; `=` before the first word closes the choice. `!` before the first name says that
    /// the key is needed.
    init(row: Substring) {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false).map { cell in
            String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        func cell(_ index: Int) -> String { cells.indices.contains(index) ? cells[index] : "" }
        isNeeded = cell(0).hasPrefix("!")
        names = cell(0).drop { $0 == "!" }.split(separator: " ").map(String.init)
        let words = cell(1).drop { $0 == "=" }.split(separator: " ").map(String.init)
        kind = Self.kinds[cell(1)] ?? .word(words, isClosed: cell(1).hasPrefix("="))
        (usual, sentence) = (cell(2), cell(3))
    }

    private static let kinds: [String: Kind] = [
        "text": .text, "number": .number, "flag": .flag, "list": .list, "object": .object, "any": .any,
        "color": .color, "colors": .colors, "picture": .picture,
    ]
}

/// The keys of one object in a format.
struct FormatObject: Sendable {
    /// The name of the object, or of the type that has these keys.
    let name: String
    let keys: [FormatKey]

    /// - Parameter rows: A row for each key; see `FormatKey.init(row:)`.
    init(_ name: String, _ rows: String) {
        self.name = name
        keys = rows.split(separator: "\n").map(FormatKey.init)
    }

    /// All names of all keys.
    var names: [String] { keys.flatMap(\.names) }

    /// The object as a table of the reference.
    var reference: String {
        guard !keys.isEmpty else { return "**`\(name)`** has no keys of its own.\n" }
        let rows = keys.map { key in
            let names = key.names.map { "`\($0)`" }.joined(separator: ", ")
            let usual = key.usual.isEmpty && key.isNeeded ? "needed" : key.usual
            return "| \(names) | \(key.kind.phrase) | \(usual) | \(key.sentence) |\n"
        }
        return "**`\(name)`**\n\n| key | value | default | |\n|---|---|---|---|\n" + rows.joined()
    }
}

extension [FormatObject] {
    subscript(name: String) -> FormatObject? { first { $0.name == name } }

    /// The names of the keys of all objects, as one text.
    var names: String { flatMap(\.names).joined(separator: " ") }
}
