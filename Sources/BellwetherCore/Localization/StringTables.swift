/// The texts of an app: locale → table → key → text (api.md 3, `PUT …/strings/{locale}`).
///
/// Locales are found regardless of case and of `-` or `_`. Of two spellings of one locale the first in byte order counts.
public struct StringTables: Sendable {
    public let defaultLocale: String
    public let locales: [String: [String: [String: String]]]
    /// As spelled, in byte order.
    public let localeNames: [String]

    /// The ready localizer of each locale there is, by its folded name.
    private let localizers: [String: Localizer]
    private let fallback: Localizer

    public init(defaultLocale: String, locales: [String: [String: [String: String]]]) {
        self.defaultLocale = defaultLocale
        self.locales = locales
        let names = locales.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        localeNames = names

        var shelf: [String: Localizer.Locale] = [:]
        for name in names {
            let folded = LanguageTag.folded(name)
            guard shelf[folded] == nil, let tables = locales[name] else { continue }
            shelf[folded] = Localizer.Locale(name: name, tables: tables)
        }
        var knownTables: Set = [MicrosurveyStrings.table]
        for tables in locales.values { knownTables.formUnion(tables.keys) }

        func localizer(asked name: String?) -> Localizer {
            var wanted = name.map(LanguageTag.lookupChain) ?? []
            for name in LanguageTag.lookupChain(of: defaultLocale) where !wanted.contains(name) { wanted.append(name) }
            return Localizer(locales: wanted.compactMap { shelf[$0] }, knownTables: knownTables)
        }
        var localizers: [String: Localizer] = [:]
        for name in shelf.keys { localizers[name] = localizer(asked: name) }
        self.localizers = localizers
        fallback = localizer(asked: nil)
    }

    /// What reads texts for a client that asked for this locale; nil, or a locale that is not there: the default's.
    ///
    /// Nothing is computed but the tag's lookup: the first locale found has its chain ready.
    public func localizer(for locale: LanguageTag?) -> Localizer {
        guard let locale else { return fallback }
        for name in locale.lookupChain {
            if let localizer = localizers[name] { return localizer }
        }
        return fallback
    }
}
