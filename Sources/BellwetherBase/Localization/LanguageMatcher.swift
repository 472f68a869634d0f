/// Finds the tables of texts for a language: those of its name first, then those that its readers read
/// (docs/reference/messaging.md#languages).
public struct LanguageMatcher: Sendable {
    /// The indices by folded name. Of two spellings of one name the first has the index.
    private var indices: [String: Int] = [:]
    private var languages: [LanguageIdentity: [Int]] = [:]

    /// `names` are the languages that exist, in the order in which they are preferred.
    public init(_ names: [String]) {
        var tags: [(index: Int, identity: LanguageIdentity)] = []
        for (index, name) in names.enumerated() where indices[LanguageTag.folded(name)] == nil {
            indices[LanguageTag.folded(name)] = index
            if let tag = LanguageTag(name) { tags.append((index, LanguageIdentity(tag))) }
        }
        // A longer name is nearer to a reader than a shorter one with the same meaning: zh-TW before zh-Hant.
        func rank(_ tag: (index: Int, identity: LanguageIdentity)) -> (Int, Int) {
            (-tag.identity.canonical.utf8.count, tag.index)
        }
        let longestFirst = tags.sorted { rank($0) < rank($1) }
        for (index, identity) in longestFirst { languages[identity, default: []].append(index) }
    }

    /// The index of the table that is nearest to a language; nil if its readers read none.
    public func first(_ tag: LanguageTag) -> Int? {
        if let index = indices[LanguageTag.folded(tag.text)] { return index }
        return LanguageIdentity(tag).chain.lazy.compactMap { languages[$0]?.first }.first
    }

    /// The indices of all tables that readers of a language read, the nearest first.
    public func all(_ tag: LanguageTag) -> [Int] {
        let exact = indices[LanguageTag.folded(tag.text)].map { [$0] } ?? []
        return exact + LanguageIdentity(tag).chain.flatMap { languages[$0] ?? [] }.filter { !exact.contains($0) }
    }
}
