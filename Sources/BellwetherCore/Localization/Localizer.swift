/// Reads texts for one requested locale along its chain: de-AT → de → default locale → built-in English of the
/// Microsurvey table → the text itself (api.md 2.1).
///
/// Copies share their contents, so one is cheap to hand out per request.
public struct Localizer: Sendable {
    /// The table of ids that name none (nimbus-messaging.md A "Text resolution").
    public static let defaultTable = "Localizable"

    private let chain: Chain

    init(locales: [Locale], knownTables: Set<String>) { chain = Chain(locales: locales, knownTables: knownTables) }

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
        let id = Self.split(text)
        let table = id?.table ?? Self.defaultTable
        let key = id?.key ?? text
        for locale in chain.locales {
            if let value = locale.tables[table]?[key], value != key {
                return Resolved(text: value, locale: locale.name, looksLikeMissingId: false)
            }
        }
        if table == MicrosurveyStrings.table, let value = MicrosurveyStrings.english[key] {
            return Resolved(text: value, locale: "en", looksLikeMissingId: false)
        }
        let isMissing = id != nil && chain.knownTables.contains(table)
        return Resolved(text: text, locale: nil, looksLikeMissingId: isMissing)
    }

    private static func split(_ text: String) -> (table: String, key: String)? {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return nil }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    struct Locale: Sendable {
        let name: String
        let tables: [String: [String: String]]
    }

    private final class Chain: Sendable {
        let locales: [Locale]
        let knownTables: Set<String>

        init(locales: [Locale], knownTables: Set<String>) {
            self.locales = locales
            self.knownTables = knownTables
        }
    }
}
