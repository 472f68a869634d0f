/// Looks up texts for one requested locale along its chain: de-AT → de → default locale → built-in English → the text
/// itself (docs/reference/messaging.md#texts).
///
/// Copies share their contents, so a copy for each request is cheap.
public struct Localizer: Sendable {
    /// The table of ids that name no table (docs/reference/messaging.md#texts).
    public static let defaultTable = "Localizable"

    private let texts: TextIndex
    /// The chain, as columns of the index.
    private let columns: [Int]
    /// The locales that are written from right to left, among those of the tables, the default and the built-in ones.
    private let rightToLeft: Set<String>

    init(texts: TextIndex, columns: [Int], rightToLeft: Set<String>) {
        self.texts = texts
        self.columns = columns + [texts.builtInColumn]
        self.rightToLeft = rightToLeft
    }

    /// Whether a text is written from right to left. The locale is that of a resolved text, the served one, or the
    /// default.
    public func isRightToLeft(_ locale: String) -> Bool { rightToLeft.contains(locale) }

    /// The first locale of the chain that has tables, in their spelling. It is the language in which a client is
    /// served. Nil if no locale of the chain has tables.
    public var servedLocale: String? {
        columns.first.flatMap { $0 == texts.builtInColumn ? nil : texts.localeNames[$0] }
    }

    /// A text and its source.
    public struct Resolved: Sendable, Hashable {
        public let text: String
        /// The locale in the spelling of the tables, `en` for the built-in English. It is nil for a literal, and for an
        /// id that was not found.
        public let locale: String?
        /// Whether the text has the form `table/key` with an existing table, but no locale of the chain has the key.
        /// People would then see the bare id.
        public let looksLikeMissingId: Bool
    }

    /// The text for an id, or the literal itself.
    ///
    /// The id is split at the first `/`, and empty parts are dropped. Two parts are table and key; any other text is a
    /// key of the default table. A value that equals its key counts as not found. Therefore prose with a slash stays
    /// unchanged.
    public func resolve(_ text: String) -> Resolved {
        if let found = find(text) { return found }
        guard let id = TextIndex.split(text) else { return literal(text, isMissing: false) }
        if text.utf8.first == UInt8(ascii: "/"), let found = find(id.table + "/" + id.key) { return found }
        return literal(text, isMissing: texts.hasTable(String(id.table)))
    }

    private func find(_ id: String) -> Resolved? {
        guard let row = texts.row(of: id), let column = columns.first(where: { row[$0] != nil }),
            let text = row[column]
        else { return nil }
        return Resolved(text: text, locale: texts.localeNames[column], looksLikeMissingId: false)
    }

    private func literal(_ text: String, isMissing: Bool) -> Resolved {
        Resolved(text: text, locale: nil, looksLikeMissingId: isMissing)
    }
}
