/// The keys of one object in a format.
struct FormatObject: Sendable {
    /// The report about other keys.
    enum Check: Sendable {
        /// Each is a mistake.
        case strict
        /// Each is a mistake; keys of an offer belong elsewhere.
        case recipe
        /// Other tools add keys: only a misspelled key is reported.
        case open
        /// Nothing, because the object is no more than drawn, or because its reader reports them.
        case free
    }

    /// The name of the object, or of the type that has these keys.
    let name: String
    /// The name of its definition in a schema.
    let definition: String
    /// The name of the type for people, and a sentence about it. Empty for an object that is no type.
    let title: String
    let sentence: String
    /// The kind of answer that a question of the type has: `choice`, `choices`, `number`, `text`, or `date`. Empty for
    /// other answers, which conditions and addresses do not read.
    let answer: String
    let keys: [FormatKey]
    let check: Check
    let hints: KeyHints
    let variants: FormatVariants?
    /// The types of the values of all keys that the object may have, by name.
    let known: [String: FormatKey.Kind]

    /// - Parameters:
    ///   - rows: A row for each key; see `FormatKey.init(row:group:)`. A line `# GROUP` begins a group, a line `#` ends
    ///     it. A first line `= TITLE | SENTENCE | ANSWER` is about the type itself.
    ///   - stored: Rows of keys that other tools read, and that neither forms nor the reference have.
    ///   - objects: Objects whose keys the object may have, too.
    init(
        _ name: String, definition: String? = nil, _ rows: String, stored: String = "",
        with objects: [FormatObject] = [],
        check: Check = .strict, hints: KeyHints = KeyHints(), variants: FormatVariants? = nil
    ) {
        (self.name, self.check, self.hints, self.variants) = (name, check, hints, variants)
        self.definition = definition ?? Self.definition(name)
        let head = rows.split(separator: "\n").first.flatMap {
            $0.hasPrefix("= ") ? FormatKey.cells($0.dropFirst(2)) : nil
        }
        (title, sentence) = (head?[0] ?? "", head?[1] ?? "")
        answer = head?.dropFirst(2).first ?? ""
        keys = Self.keys(rows)
        known = objects.reduce(Self.kinds(keys + Self.keys(stored))) { $0.merging($1.known) { first, _ in first } }
    }

    static func definition(_ name: String) -> String { name.replacing(" ", with: "_") }

    private static func keys(_ rows: String) -> [FormatKey] {
        var group = ""
        return rows.split(separator: "\n").compactMap { row in
            let words = row.split(separator: " ")
            guard words.first == "#" || words.first == "=" else { return FormatKey(row: row, group: group) }
            if words.first == "#" { group = String(words.dropFirst().last ?? "") }
            return nil
        }
    }

    private static func kinds(_ keys: [FormatKey]) -> [String: FormatKey.Kind] {
        Dictionary(keys.flatMap { key in key.names.map { ($0, key.kind) } }) { first, _ in first }
    }

    /// All names of all keys.
    var names: [String] { keys.flatMap(\.names) }

    /// The object as a table of the reference.
    var reference: String {
        let heading = name.contains("`") ? name : "`\(name)`"
        guard !keys.isEmpty else { return "**\(heading)** has no keys of its own.\n" }
        let rows = keys.map { key in
            let names = key.names.map { "`\($0)`" }.joined(separator: ", ")
            let usual = key.usual.isEmpty && key.isNeeded ? "needed" : key.usual
            return "| \(names) | \(key.kind.phrase) | \(usual) | \(key.sentence) |\n"
        }
        return "**\(heading)**\n\n| key | value | default | |\n|---|---|---|---|\n" + rows.joined()
    }
}

extension [FormatObject] {
    subscript(name: String) -> FormatObject? { first { $0.name == name } }
}

/// Objects of one kind whose further keys follow from the value of a key.
struct FormatVariants: Sendable {
    enum Layout: Sendable, Equatable {
        /// An object has the keys of its own variant only.
        case apart
        /// An object may have the keys of all variants.
        case together
        /// The keys are in an object under a key.
        case inside(String)
    }

    /// The key whose value names the variant.
    let key: String
    let layout: Layout
    let all: [FormatVariant]
    /// The keys of an object of each variant, and of all variants together. Empty unless variants are apart.
    let known: [String: [String: FormatKey.Kind]]
    let allKnown: [String: FormatKey.Kind]

    init(by key: String, _ layout: Layout, _ all: [FormatVariant]) {
        (self.key, self.layout, self.all) = (key, layout, all)
        let known = all.map { ($0.name, $0.own.known) }
        self.known = layout == .apart ? Dictionary(known) { first, _ in first } : [:]
        allKnown = layout == .apart ? known.reduce(into: [:]) { $0.merge($1.1) { first, _ in first } } : [:]
    }
}

/// A variant of an object: the value that names it, and its keys.
struct FormatVariant: Sendable {
    let name: String
    /// The keys of this variant, under the definition `PREFIX.NAME`.
    let own: FormatObject
    /// The beginning of the definition's name.
    let prefix: String
    /// Keys that several variants have. They are in the object itself.
    var shared: [FormatObject] = []

    var definition: String { "\(prefix).\(own.name)" }
}

/// The meanings that authors give to keys which an object does not have.
struct KeyHints: Sendable {
    /// Other keys of the same object.
    var meant: [String: String] = [:]
    /// The places to which the keys belong, seen from the object.
    var places: [String: String] = [:]
}

/// The format of one kind of document.
struct Format: Sendable {
    let title: String
    let sentence: String
    /// The keys of the document, followed by those of the objects in it.
    let objects: [FormatObject]
    /// The keys without which a document has no content.
    let required: [String]
    private let byName: [String: FormatObject]

    /// - Parameter checked: Objects that are checked, and that neither the schema nor the reference has.
    init(
        _ title: String, _ sentence: String, required: [String], _ objects: [FormatObject], checked: [FormatObject] = []
    ) {
        (self.title, self.sentence, self.required, self.objects) = (title, sentence, required, objects)
        byName = Dictionary(
            (objects + checked).flatMap { [($0.name, $0), ($0.definition, $0)] },
            uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> FormatObject? { byName[name] }

    /// Every object, with the variants of each.
    var all: [FormatObject] {
        objects.flatMap { object in [object] + (object.variants?.all ?? []).flatMap { $0.shared + [$0.own] } }
    }
}
