internal import BellwetherJSON

/// The texts of an app: locale → table → key → text (docs/reference/http-api.md#strings).
///
/// Locales are compared without regard to case, and `-` and `_` are equal. If a locale has two spellings, the first one
/// in byte order is used.
public struct StringTables: Sendable {
    public let defaultLocale: String
    public let locales: [String: [String: [String: String]]]
    /// The names of the locales in their own spelling, in byte order.
    public let localeNames: [String]

    /// The prepared localizer of each locale, by its folded name.
    private let localizers: [String: Localizer]
    private let fallback: Localizer

    /// `builtIn` contains the English texts, table → key → text, that every app has without its own strings.
    public init(
        defaultLocale: String, locales: [String: [String: [String: String]]], builtIn: [String: [String: String]]
    ) {
        self.defaultLocale = defaultLocale
        self.locales = locales
        localeNames = locales.keys.sorted { $0.precedes($1) }

        var columns: [String: Int] = [:]
        var names: [String] = []
        for name in localeNames where columns[LanguageTag.folded(name)] == nil {
            columns[LanguageTag.folded(name)] = names.count
            names.append(name)
        }
        let texts = TextIndex(localeNames: names, locales: locales, builtIn: builtIn)
        let defaults = LanguageTag.lookupChain(of: defaultLocale).compactMap { columns[$0] }

        func localizer(of name: String?) -> Localizer {
            let wanted = name.map(LanguageTag.lookupChain)?.compactMap { columns[$0] } ?? []
            return Localizer(texts: texts, columns: wanted + defaults.filter { !wanted.contains($0) })
        }
        var localizers: [String: Localizer] = [:]
        for name in columns.keys { localizers[name] = localizer(of: name) }
        self.localizers = localizers
        fallback = localizer(of: nil)
    }

    /// Returns the localizer for the requested locale. For nil, or for a locale that does not exist, it is the
    /// default's.
    ///
    /// Only the tag is looked up. The first locale that is found already has its chain.
    public func localizer(for locale: LanguageTag?) -> Localizer {
        var wanted = (locale?.text).map(LanguageTag.folded)
        while let name = wanted {
            if let localizer = localizers[name] { return localizer }
            wanted = LanguageTag.general(name)
        }
        return fallback
    }

    /// The language of a request that names none except in `Accept-Language`: the first accepted language that the app
    /// has, else the first accepted one.
    ///
    /// The app has a language if the lookup finds a table for it (`de` for `de-AT`), or if it is the default locale's.
    /// It also has a language if a table is more specific (`pt-BR` for `pt`); the result is then that table's language.
    /// For an app without tables there is no choice.
    public func language(for accepted: AcceptLanguage) -> LanguageTag? {
        guard !localeNames.isEmpty else { return accepted.tags.first }
        return accepted.tags.lazy.compactMap { available($0) }.first ?? accepted.tags.first
    }

    private func available(_ tag: LanguageTag) -> LanguageTag? {
        let chain = tag.lookupChain
        let isFound = chain.contains { localizers[$0] != nil }
        if isFound || chain.last == LanguageTag.lookupChain(of: defaultLocale).last { return tag }
        let prefix = LanguageTag.folded(tag.text) + "-"
        return localeNames.lazy.map { $0.replacing("_", with: "-") }
            .first { LanguageTag.folded($0).hasPrefix(prefix) }.flatMap { LanguageTag($0) }
    }
}
