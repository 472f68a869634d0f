internal import BellwetherBase

/// The languages in which a text is available.
enum TextCoverage: Sendable, Hashable {
    /// A text that is probably not an id.
    case literal
    case everywhere
    /// The text has the form of an id, but no locale has it.
    case unknown
    /// The locales whose clients would get the text in another language.
    case missing([String])
}

extension StringTables {
    func coverage(of text: String) -> TextCoverage {
        let names: [String?] = localeNames.isEmpty ? [nil] : localeNames
        let found = names.map { localizer(for: $0.flatMap { LanguageTag($0) }).resolve(text) }
        guard found.contains(where: { $0.locale != nil }) else {
            let isUnknown = found.contains { $0.looksLikeMissingId } && !Self.isProse(text) || Self.isId(text)
            return isUnknown ? .unknown : .literal
        }
        // If tables have a sentence as a key, the sentence is the text of the default language.
        let own = Self.isProse(text) ? Self.language(defaultLocale) : nil
        let missing = zip(localeNames, found).filter { name, found in
            guard let found = found.locale.map({ Self.language($0) }) ?? own, let wanted = Self.language(name) else {
                return true
            }
            return !wanted.isRead(with: found)
        }
        return missing.isEmpty ? .everywhere : .missing(missing.map(\.0))
    }

    private static func language(_ locale: String) -> LanguageIdentity? {
        LanguageTag(locale).map { LanguageIdentity($0) }
    }

    /// Whether a text is prose: a key contains no white space, but a sentence with a slash does.
    private static func isProse(_ text: String) -> Bool {
        TextIndex.split(text).map { $0.key.contains(where: \.isWhitespace) } ?? true
    }

    /// Whether a text has the form `Table Name/Key.With.Parts`: capitalised words, and a key of several parts. Ordinary
    /// texts do not have this form.
    private static func isId(_ text: String) -> Bool {
        guard let (table, key) = TextIndex.split(text) else { return false }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        let isKey =
            parts.count > 1 && key.first?.isUppercase == true
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
        return isKey && table.split(separator: " ").allSatisfy { $0.first?.isUppercase == true }
    }
}
