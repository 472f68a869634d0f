/// Reads texts for one requested locale along its chain: de-AT → de → default locale → built-in English → the
/// text itself (docs/reference/messaging.md#texts).
///
/// Copies share their contents, so one is cheap to hand out per request.
public struct Localizer: Sendable {
    /// The table of ids that name none (docs/reference/messaging.md#texts).
    public static let defaultTable = "Localizable"

    private let texts: TextIndex
    /// The chain, as columns of the index.
    private let columns: [Int]

    init(texts: TextIndex, columns: [Int]) {
        self.texts = texts
        self.columns = columns + [texts.builtInColumn]
    }

    /// The first locale of the chain that has tables, as spelled there: the language in which a client is served. Nil
    /// when no locale of the chain has any.
    public var servedLocale: String? {
        columns.first.flatMap { $0 == texts.builtInColumn ? nil : texts.localeNames[$0] }
    }

    /// A text, and where it is from.
    public struct Resolved: Sendable, Hashable {
        public let text: String
        /// The locale as spelled in the tables, `en` for the built-in English; nil for a literal and for an id that
        /// was not found.
        public let locale: String?
        /// The text has the shape `table/key` of a table that exists, but no locale of the chain has the key: people
        /// would read the bare id.
        public let looksLikeMissingId: Bool
    }

    /// The text that an id stands for, or the literal itself.
    ///
    /// Split at the first `/`, empty parts dropped: two parts are table and key, anything else is a key of the default
    /// table. A value equal to its key counts as not found. So prose with a slash stays what it is.
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
