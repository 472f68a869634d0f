public import BellwetherJSON

/// The texts of an app: locale → table → key → text (docs/reference/http-api.md#strings).
///
/// Locales are compared without regard to case, and `-` and `_` are equal. If a locale has two spellings, the first one
/// in byte order is used.
public struct StringTables: Sendable {
    public let defaultLocale: String
    public let locales: [String: [String: [String: String]]]
    /// The names of the locales in their own spelling, in byte order.
    public let localeNames: [String]

    private let matcher: LanguageMatcher
    /// The prepared localizer of each locale, in the order of `localeNames`.
    private let localizers: [Localizer]
    private let fallback: Localizer

    /// `builtIn` contains the English texts, table → key → text, that every app has without its own strings.
    public init(
        defaultLocale: String, locales: [String: [String: [String: String]]], builtIn: [String: [String: String]]
    ) {
        self.defaultLocale = defaultLocale
        self.locales = locales
        localeNames = locales.keys.sorted { $0.precedes($1) }

        let matcher = LanguageMatcher(localeNames)
        let texts = TextIndex(localeNames: localeNames, locales: locales, builtIn: builtIn)
        let defaults = LanguageTag(defaultLocale).map(matcher.all) ?? []
        let shown = localeNames + [defaultLocale] + InterfaceText.languages
        let rightToLeft = Set(shown.filter { LanguageTag($0)?.isRightToLeft ?? false })

        func localizer(of tag: LanguageTag?) -> Localizer {
            let wanted = tag.map(matcher.all) ?? []
            let columns = wanted + defaults.filter { !wanted.contains($0) }
            return Localizer(texts: texts, columns: columns, rightToLeft: rightToLeft)
        }
        self.matcher = matcher
        localizers = localeNames.map { localizer(of: LanguageTag($0)) }
        fallback = localizer(of: nil)
    }

    /// Returns the localizer for the requested locale (docs/reference/messaging.md#languages). For nil, or for a locale
    /// that does not exist, it is the default's.
    ///
    /// Only the nearest table is looked up, which already has its chain.
    public func localizer(for locale: LanguageTag?) -> Localizer {
        locale.flatMap(matcher.first).map { localizers[$0] } ?? fallback
    }

    /// The language of a request that names none except in `Accept-Language`: the first accepted language that the app
    /// has, else the first accepted one.
    ///
    /// The app has a language if its readers read a table (`de` for `de-AT`), or if it is the default locale's. It also
    /// has a language if a table is more specific (`pt-BR` for `pt`); the result is then that table's language. For an
    /// app without tables there is no choice.
    public func language(for accepted: AcceptLanguage) -> LanguageTag? {
        guard !localeNames.isEmpty else { return accepted.tags.first }
        return accepted.tags.lazy.compactMap { available($0) }.first ?? accepted.tags.first
    }

    private func available(_ tag: LanguageTag) -> LanguageTag? {
        let wanted = LanguageIdentity(tag)
        let isDefault = LanguageTag(defaultLocale).map { wanted.isRead(with: LanguageIdentity($0)) } ?? false
        if isDefault { return tag }
        let nearest = matcher.first(tag).map { localeNames[$0] }
        let prefix = LanguageTag.folded(tag.text) + "-"
        if let nearest, !LanguageTag.folded(nearest).hasPrefix(prefix) { return tag }
        let name =
            nearest
            ?? localeNames.first { name in
                LanguageTag(name).map { wanted.isRead(with: LanguageIdentity($0)) } ?? false
            }
        return name.flatMap { LanguageTag($0.replacing("_", with: "-")) }
    }
}

extension StringTables {
    /// Reads one locale's document, `{table: {key: text}}`; nil when there was a fault.
    public static func read(
        _ value: JSONValue, locale: String, findings: Findings
    ) -> [String: [String: String]]? {
        let reader = JSONReader(value, findings: findings)
        let faultsBefore = findings.faults.count
        if LanguageTag(tableName: locale) == nil { reader.finding("locale", LanguageTag.refusal(of: locale)) }
        var tables: [String: [String: String]] = [:]
        for (table, entries) in reader.members() ?? [] {
            for (key, text) in entries.members() ?? [] {
                if let text = text.string(length: 0...10_000) { tables[table, default: [:]][key] = text }
            }
        }
        return findings.faults.count == faultsBefore ? tables : nil
    }
}
